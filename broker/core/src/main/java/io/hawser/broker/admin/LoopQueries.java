package io.hawser.broker.admin;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.transport.NodeThreads;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Queries the store or the relay on their loop, and waits for the answer. Thread: the admin thread. */
record LoopQueries(NodeThreads net) {
    /** The answer; a refusal is thrown with its detail. */
    <T> T ask(Consumer<Outcome.Callback<T>> question) throws IOException {
        Outcome<T> outcome = outcome(question);
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            throw new IOException(refusal.detail());
        }
        return outcome.get();
    }

    /** The answer or the refusal. */
    <T> Outcome<T> outcome(Consumer<Outcome.Callback<T>> question) throws IOException {
        CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
        net.loop().execute(() -> question.accept(answer::complete));
        return NodeThreads.await(answer);
    }
}
