package io.hawser.ops.cli;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A node that runs: what {@link NodeRunner} needs of the broker, agent-a and agent-b.
 *
 * <p>Thread: any.
 */
public interface Node {
    /** Where it can be reached, by what is spoken there, such as {@code ptcp=127.0.0.1:7400}; in the order of the READY line. */
    Map<String, String> addresses();

    /** Completes when the node can be used; at once for one that needs no other node for that. */
    default CompletionStage<Void> ready() {
        return CompletableFuture.completedFuture(null);
    }

    /** What it waits for until it is {@link #ready}, as a phrase. */
    default String waitsFor() {
        return "";
    }

    /**
     * Completes exceptionally, with the reason, when the node fails; else never. A storage error is completed with a
     * CommandException of {@link ExitCode#STORAGE}, or with any IOException.
     */
    CompletionStage<Void> failure();

    /** Ends it in order: what was acked is durable, files and sockets are closed. Blocks until it is done. */
    void stop() throws Exception;
}
