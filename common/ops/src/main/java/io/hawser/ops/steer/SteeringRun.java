package io.hawser.ops.steer;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Does one thing with many transfers on a node's loop, and waits until it is durable for each.
 *
 * <p>Thread: the admin thread.
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
    public static <T> Map<String, String> of(Executor loop, List<String> keys, Step<T> step) throws IOException {
        Map<String, CompletableFuture<Outcome<T>>> begun = new LinkedHashMap<>();
        keys.forEach(key -> begun.put(key, new CompletableFuture<>()));
        loop.execute(() -> begun.forEach((key, done) -> step.run(TransferKey.parse(key), done::complete)));
        long end = System.nanoTime() + PATIENCE.toNanos();
        Map<String, String> results = new LinkedHashMap<>();
        for (Map.Entry<String, CompletableFuture<Outcome<T>>> each : begun.entrySet()) {
            try {
                Refusal refusal = each.getValue()
                        .get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)
                        .refusal();
                results.put(each.getKey(), refusal == null ? "" : refusal.detail());
            } catch (TimeoutException notInTime) {
                // it is not among the results
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting", e);
            }
        }
        return results;
    }
}
