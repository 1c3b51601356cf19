package io.hawser.agenta.http;

import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches a response that nobody reads.
 *
 * <p>Thread: the loop.
 */
final class SendStall {
    private final ClientRequest request;
    private final BooleanSupplier waitsForClient;
    private final Runnable stalled;
    private final long allowedNanos;
    private long progressNanos = System.nanoTime();
    private @Nullable ScheduledFuture<?> watch;

    /**
     * @param waitsForClient whether there is something that the client does not take
     * @param stalled is run once, when the client has taken nothing for too long
     */
    SendStall(ClientRequest request, BooleanSupplier waitsForClient, Runnable stalled) {
        this.request = request;
        this.waitsForClient = waitsForClient;
        this.stalled = stalled;
        this.allowedNanos = request.services().config().limits().stall().toNanos();
    }

    void begin() {
        watch = request.later(allowedNanos, () -> {
            if (isOver(allowedNanos)) {
                stalled.run();
            } else {
                begin();
            }
        });
    }

    void progressed() {
        progressNanos = System.nanoTime();
    }

    boolean isOver(long nanos) {
        return waitsForClient.getAsBoolean() && System.nanoTime() - progressNanos >= nanos;
    }

    void end() {
        if (watch != null) {
            watch.cancel(false);
        }
    }
}
