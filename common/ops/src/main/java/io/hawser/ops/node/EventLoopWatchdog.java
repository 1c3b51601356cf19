package io.hawser.ops.node;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether a loop still turns. One that waits for a file system that does not answer serves nobody, and cannot say so itself.
 *
 * <p>Thread: {@link #problem} any.
 */
final class EventLoopWatchdog {
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private volatile long turnedNanos;

    /** Watches {@code loop} from now on, at that interval. */
    EventLoopWatchdog(ScheduledExecutorService loop, Duration interval, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.turnedNanos = nanoTime.getAsLong();
        var unused = loop.scheduleWithFixedDelay(
                () -> turnedNanos = nanoTime.getAsLong(), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What is wrong, if it has not turned for longer than {@link #LONGEST}. */
    Optional<String> problem() {
        Duration still = Duration.ofNanos(nanoTime.getAsLong() - turnedNanos);
        return still.compareTo(LONGEST) <= 0
                ? Optional.empty()
                : Optional.of(
                        "the network thread has stood still for " + still.toSeconds()
                                + " s: something that it waits for does not answer; a thread dump (jcmd PID Thread.print) shows what");
    }
}
