package io.hawser.ops.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a node as a process: starts it, prints the READY line when it can be used, waits, and stops it. A node that needs another one
 * before it can be used prints a WAITING line first.
 *
 * <pre>
 *   starting ── started ──► ready ── SIGTERM, SIGINT ──► stopping ── stopped ──► exit 0
 *       ├─ cancelled by a signal: exit 0
 *       └─ error: exit code       └─ fatal error ──────► stopping ─────────────► exit 5, or the error's code
 *                                                            └─ STOP_LIMIT passed ──► exit 1
 * </pre>
 *
 * <p>The JVM is ended with {@code halt} from the shutdown hook: a JVM that SIGTERM ends would otherwise exit with 143,
 * and would wait for threads in native code.
 *
 * <p>Thread: main, and the shutdown hook.
 */
public final class NodeRunner {
    /** How long an orderly stop may take; under the 10 s that operators are promised. */
    static final Duration STOP_LIMIT = Duration.ofSeconds(9);

    private static final Logger LOG = LoggerFactory.getLogger(NodeRunner.class);

    private final String name;
    private final PrintStream out;
    private final AtomicBoolean stopping = new AtomicBoolean();

    private NodeRunner(String name, PrintStream out) {
        this.name = name;
        this.out = out;
    }

    /** As {@link #run(String, Callable, Function)} for a node after which nothing remains to be typed. */
    public static int run(String name, Callable<? extends Node> start) {
        return new NodeRunner(name, System.out).run(start, node -> new NextSteps(), false);
    }

    /**
     * Starts a node and stays until it has failed; a signal ends the process from the shutdown hook. Returns the exit
     * code of a start or of a node that failed.
     *
     * @param name the node, as the READY line calls it
     * @param start makes the node; what it throws is shown to the user as one line, but for a CancellationException: that says that it
     *     waited for something, and gave up because the process was told to end
     * @param next what a person at a terminal can type when it is ready
     */
    public static <N extends Node> int run(String name, Callable<N> start, Function<N, NextSteps> next) {
        return new NodeRunner(name, System.out).run(start, next, Terminal.showsOutput());
    }

    /** The line that says that a node can be used, or, with another word, that it has started. */
    static String line(String word, String name, Node node) {
        return word + " " + name
                + node.addresses().entrySet().stream()
                        .map(address -> " " + address.getKey() + "=" + address.getValue())
                        .collect(Collectors.joining());
    }

    private <N extends Node> int run(Callable<N> start, Function<? super N, NextSteps> next, boolean terminal) {
        CompletableFuture<Node> started = new CompletableFuture<>();
        // Registered first: a signal during the start waits for the node and then stops it.
        Thread hook = new Thread(() -> onSignal(started), "hawser-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        N node;
        try {
            node = start.call();
            started.complete(node);
        } catch (CancellationException e) { // a signal came while it waited
            started.completeExceptionally(e);
            return ExitCode.OK.code();
        } catch (Exception | Error e) { // else the hook would wait for a node that never comes
            started.completeExceptionally(e);
            return DiskFailureReport.report(name, e, errors());
        }
        CompletableFuture<Void> ready = node.ready().toCompletableFuture();
        if (!ready.isDone()) {
            say(line("WAITING", name, node) + " for " + node.waitsFor());
            awaitEither(ready, node.failure());
        }
        if (ready.isDone()) {
            say(line("READY", name, node));
            if (terminal) {
                next.apply(node).lines().forEach(this::say);
            }
        }
        return awaitFailure(node);
    }

    private void say(String line) {
        if (!stopping.get()) {
            out.println(line);
            out.flush();
        }
    }

    private static void awaitEither(CompletableFuture<Void> ready, CompletionStage<Void> failure) {
        try {
            CompletableFuture.anyOf(ready, failure.toCompletableFuture()).join();
        } catch (CompletionException e) {
            // awaitFailure reports it.
        }
    }

    private int awaitFailure(Node node) {
        Throwable failure;
        try {
            node.failure().toCompletableFuture().get();
            failure = new IllegalStateException("the node ended without a reason");
        } catch (Exception e) {
            failure = e.getCause() == null ? e : e.getCause();
        }
        if (stopping.getAndSet(true)) {
            // The signal was first; its hook ends the process.
            return ExitCode.OK.code();
        }
        LOG.atError()
                .setCause(failure instanceof IOException ? null : failure)
                .addKeyValue("node", name)
                .addKeyValue("reason", Errors.sentence(failure))
                .log("the node failed");
        stopWithin(node);
        int code = failure instanceof IOException storage
                ? DiskFailureReport.reportFailure(name, storage, errors())
                : Errors.report(failure, errors());
        Runtime.getRuntime().halt(code);
        return code;
    }

    private void onSignal(CompletableFuture<Node> started) {
        if (stopping.getAndSet(true)) {
            return;
        }
        Node node;
        try {
            node = started.get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (CancellationException e) {
            LOG.atInfo().addKeyValue("node", name).log("stopped before it was ready");
            Runtime.getRuntime().halt(ExitCode.OK.code());
            return;
        } catch (Exception e) {
            // It never started: main reports why and with which code.
            return;
        }
        LOG.atInfo().addKeyValue("node", name).log("stopping");
        boolean stopped = stopWithin(node);
        Runtime.getRuntime().halt(stopped ? ExitCode.OK.code() : ExitCode.FAILED.code());
    }

    private boolean stopWithin(Node node) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread stopper = new Thread(
                () -> {
                    try {
                        node.stop();
                        done.complete(null);
                    } catch (Exception e) {
                        done.completeExceptionally(e);
                    }
                },
                "hawser-stopper");
        stopper.setDaemon(true);
        stopper.start();
        try {
            done.get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            LOG.atInfo().addKeyValue("node", name).log("stopped");
            return true;
        } catch (TimeoutException e) {
            LOG.atError()
                    .addKeyValue("node", name)
                    .addKeyValue("limit", STOP_LIMIT)
                    .log("did not stop in time; ended");
        } catch (Exception e) {
            LOG.atError().setCause(e).addKeyValue("node", name).log("stopping failed");
        }
        return false;
    }

    private static PrintWriter errors() {
        return new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    }
}
