package io.hawser.agenta.upload;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices an upload over which nothing comes any more, while this node is ready to take it.
 *
 * <p>Thread: the loop.
 */
public final class StallWatch {
    /** In the time that is allowed; it is exceeded by one pause between two at most. */
    private static final int LOOKS = 20;

    private final ScheduledExecutorService loop;
    private final long limitNanos;
    private final LongSupplier receivedBytes;
    private final BooleanSupplier heldBack;
    private final Runnable stalled;
    private @Nullable ScheduledFuture<?> timer;

    /**
     * @param limit how long nothing may come
     * @param receivedBytes how much has come
     * @param heldBack whether the client waits for this node
     * @param stalled is run once, when nothing has come for that long
     */
    public StallWatch(
            ScheduledExecutorService loop,
            Duration limit,
            LongSupplier receivedBytes,
            BooleanSupplier heldBack,
            Runnable stalled) {
        this.loop = loop;
        this.limitNanos = limit.toNanos();
        this.receivedBytes = receivedBytes;
        this.heldBack = heldBack;
        this.stalled = stalled;
    }

    /** Watches until {@link #stop}. */
    public void begin() {
        look(new StallMeter(limitNanos, receivedBytes.getAsLong(), System.nanoTime()), limitNanos / LOOKS);
    }

    private void look(StallMeter idle, long pauseNanos) {
        timer = loop.schedule(
                () -> {
                    if (idle.isOver(receivedBytes.getAsLong(), heldBack.getAsBoolean(), System.nanoTime())) {
                        timer = null;
                        stalled.run();
                    } else {
                        look(idle, pauseNanos);
                    }
                },
                pauseNanos,
                TimeUnit.NANOSECONDS);
    }

    /** Watches no more: a timer would hold the upload for minutes, and thousands of small files with it. */
    public void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
