package io.hawser.agenta.ftp;

import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices an upload over which nothing comes any more, while this node is ready to take it.
 *
 * <p>Thread: the loop.
 */
final class StallWatch {
    /** In the time that is allowed; it is exceeded by one pause between two at most. */
    private static final int LOOKS = 20;

    private final FtpSession session;
    private final LongSupplier receivedBytes;
    private final BooleanSupplier heldBack;
    private final Runnable stalled;
    private @Nullable ScheduledFuture<?> timer;

    /**
     * A watch that sleeps.
     *
     * @param receivedBytes how much has come
     * @param heldBack whether the client waits for this node
     * @param stalled is run once, when nothing has come for {@link FtpLimits#dataStallTime}
     */
    StallWatch(FtpSession session, LongSupplier receivedBytes, BooleanSupplier heldBack, Runnable stalled) {
        this.session = session;
        this.receivedBytes = receivedBytes;
        this.heldBack = heldBack;
        this.stalled = stalled;
    }

    /** Watches until {@link #stop}. */
    void begin() {
        long limitNanos = session.server().limits().dataStallTime().toNanos();
        look(new QuietTime(limitNanos, receivedBytes.getAsLong(), System.nanoTime()), limitNanos / LOOKS);
    }

    private void look(QuietTime quiet, long pauseNanos) {
        timer = session.later(pauseNanos, () -> {
            if (quiet.isOver(receivedBytes.getAsLong(), heldBack.getAsBoolean(), System.nanoTime())) {
                timer = null;
                stalled.run();
            } else {
                look(quiet, pauseNanos);
            }
        });
    }

    /** Watches no more: a timer would hold the upload for minutes, and thousands of small files with it. */
    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
