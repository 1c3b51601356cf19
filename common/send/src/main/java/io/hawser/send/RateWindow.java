package io.hawser.send;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The rate of something over the last five seconds.
 *
 * <p>Thread: its owner's only.
 */
public final class RateWindow {
    static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Sample(long nanos, long bytes) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** So many bytes there are at that time. The latest sample before the span stays, so that the window is never shorter than it. */
    public void add(long nanos, long bytes) {
        if (bytes == 0) {
            samples.clear(); // before the first byte nothing is slow yet
        }
        samples.addLast(new Sample(nanos, bytes));
        while (samples.size() > 2 && nanos - second().nanos >= SPAN_NANOS) {
            samples.removeFirst();
        }
    }

    private Sample second() {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }

    /** In bytes per second; 0 while it is not known, or nothing moves. */
    public double bytesPerSecond() {
        if (samples.size() < 2) {
            return 0;
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        double seconds = (last.nanos - first.nanos) / 1e9;
        return seconds <= 0 ? 0 : Math.max(0, (last.bytes - first.bytes) / seconds);
    }
}
