package io.hawser.ops.steer;

import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Waits until cancelled transfers have ended. When the node has recorded an event, which a receipt causes, it looks at them again; no
 * thread waits.
 *
 * <p>Thread: any.
 */
final class EndWaits {
    /** The state of a transfer of which a far end has yet to say whether it was faster. */
    static final String CANCELLING = "cancelling";
    /** So many may wait at once; a further one gets the states of now. */
    private static final int MOST = 64;

    private final TransferSteering steering;
    private final Duration limit;
    private final Set<Wait> open = ConcurrentHashMap.newKeySet();

    /**
     * @param events takes what is to run after each event of the node
     * @param limit the longest wait
     */
    EndWaits(TransferSteering steering, Consumer<Runnable> events, Duration limit) {
        this.steering = steering;
        this.limit = limit;
        events.accept(() -> open.forEach(Wait::wake));
    }

    /**
     * The states of those transfers, by key, when none is {@value #CANCELLING} any more, or at the limit.
     *
     * @param later looks at them
     */
    CompletionStage<Map<String, String>> states(Collection<String> keys, Executor later) {
        if (open.size() >= MOST) {
            return CompletableFuture.supplyAsync(() -> look(keys), later);
        }
        Wait wait = new Wait(List.copyOf(keys), later);
        open.add(wait);
        wait.wake();
        return wait.over
                .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((ended, failure) -> open.remove(wait))
                .thenApplyAsync(ended -> look(keys), later);
    }

    private Map<String, String> look(Collection<String> keys) {
        try {
            Map<String, String> states = new LinkedHashMap<>();
            for (String key : keys) {
                steering.find(SteeringFilter.ofOne(key), 1).stream()
                        .map(TransferStatus::state)
                        .forEach(state -> states.put(key, state));
            }
            return states;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** One request that waits. */
    private final class Wait {
        private final List<String> keys;
        private final Executor later;
        private final AtomicBoolean looksSoon = new AtomicBoolean();
        private final CompletableFuture<Boolean> over = new CompletableFuture<>();

        Wait(List<String> keys, Executor later) {
            this.keys = keys;
            this.later = later;
        }

        /** Called by the event log's thread, which a node that stops must not hold up. */
        void wake() {
            if (!looksSoon.compareAndSet(false, true)) {
                return;
            }
            try {
                later.execute(this::lookAgain);
            } catch (RejectedExecutionException e) {
                over.completeExceptionally(e);
            }
        }

        private void lookAgain() {
            looksSoon.set(false);
            try {
                if (!look(keys).containsValue(CANCELLING)) {
                    over.complete(true);
                }
            } catch (RuntimeException e) {
                over.completeExceptionally(e);
            }
        }
    }
}
