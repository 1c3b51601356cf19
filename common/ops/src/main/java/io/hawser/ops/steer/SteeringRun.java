package io.hawser.ops.steer;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Does one thing with many transfers on a node's loop, until it is durable for each.
 *
 * <p>Thread: any.
 */
public final class SteeringRun {
    /** Shorter than a client waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(7);

    private SteeringRun() {}

    /** What is done with one transfer. */
    @FunctionalInterface
    public interface Step<T> {
        /** Called on the loop; {@code done} when it is durable. */
        void run(TransferKey key, Outcome.Callback<T> done);
    }

    /** The answer of {@link TransferSteering#apply}. A transfer that is not in it was not done in time. */
    public static <T> CompletionStage<Map<String, String>> of(Executor loop, List<String> keys, Step<T> step) {
        Map<String, CompletableFuture<Outcome<T>>> begun = new LinkedHashMap<>();
        keys.forEach(key -> begun.put(key, new CompletableFuture<>()));
        loop.execute(() -> begun.forEach((key, done) -> step.run(TransferKey.parse(key), done::complete)));
        return CompletableFuture.allOf(begun.values().toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(all -> results(begun));
    }

    private static <T> Map<String, String> results(Map<String, CompletableFuture<Outcome<T>>> begun) {
        Map<String, String> results = new LinkedHashMap<>();
        begun.forEach((key, done) -> {
            if (done.isDone()) {
                Refusal refusal = done.join().refusal();
                results.put(key, refusal == null ? "" : refusal.detail());
            }
        });
        return results;
    }
}
