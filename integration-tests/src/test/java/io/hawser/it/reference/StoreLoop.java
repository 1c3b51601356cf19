package io.hawser.it.reference;

import io.hawser.core.hop.Outcome;
import io.hawser.ptcp.testkit.TestTimes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The loop of a store under test: its one thread, whose answers the test's thread waits for. */
final class StoreLoop implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    ExecutorService executor() {
        return thread;
    }

    /** Calls {@code question} on the loop. */
    <T> T call(Supplier<T> question) {
        return get(CompletableFuture.supplyAsync(question, thread));
    }

    void run(Runnable action) {
        get(CompletableFuture.runAsync(action, thread));
    }

    /** Calls {@code question} on the loop and waits for what it is answered. */
    <T> Outcome<T> ask(Consumer<Outcome.Callback<T>> question) {
        return get(answer(question));
    }

    /** The same, not waited for. */
    <T> CompletableFuture<Outcome<T>> answer(Consumer<Outcome.Callback<T>> question) {
        CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
        thread.execute(() -> question.accept(answer::complete));
        return answer;
    }

    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(TestTimes.SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
