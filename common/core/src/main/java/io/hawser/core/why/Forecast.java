package io.hawser.core.why;

import java.util.OptionalLong;

/**
 * Predicts when a resource is full, from periodic measurements of what is free: by the line that fits those of the last two minutes best. Silent
 * while the measurements scatter around no line, or the resource does not fill any more.
 *
 * <p>Thread: its owner's.
 */
public final class Forecast {
    /** How often to measure, in milliseconds. */
    public static final long SAMPLE_MILLIS = 5_000;

    private static final int SAMPLES = 24;
    private static final int LEAST_SAMPLES = 6;
    /** At least this part of the scatter must be the line's (the coefficient of determination). */
    private static final double LEAST_FIT = 0.6;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long LONGEST_SECONDS = 30L * 24 * 3600;

    private final long[] nanos = new long[SAMPLES];
    private final long[] freeBytes = new long[SAMPLES];
    private int count;
    private int next;

    /** So much is free now. */
    public void sample(long nowNanos, long free) {
        nanos[next] = nowNanos;
        freeBytes[next] = Math.max(0, free);
        next = (next + 1) % SAMPLES;
        count = Math.min(SAMPLES, count + 1);
    }

    /** How fast the free space shrinks, in bytes per second; 0 if it does not, or that cannot be said. */
    public double fallBytesPerSecond() {
        if (count < LEAST_SAMPLES || !fellLately()) {
            return 0;
        }
        double meanSeconds = 0;
        double meanFree = 0;
        for (int back = 0; back < count; back++) {
            meanSeconds += seconds(back) / count;
            meanFree += (double) free(back) / count;
        }
        double covariance = 0;
        double spreadOfTime = 0;
        double spreadOfFree = 0;
        for (int back = 0; back < count; back++) {
            double time = seconds(back) - meanSeconds;
            double space = free(back) - meanFree;
            covariance += time * space;
            spreadOfTime += time * time;
            spreadOfFree += space * space;
        }
        if (spreadOfTime == 0 || spreadOfFree == 0) {
            return 0;
        }
        double fit = covariance * covariance / (spreadOfTime * spreadOfFree);
        return fit < LEAST_FIT ? 0 : Math.max(0, -covariance / spreadOfTime);
    }

    /** Seconds until nothing is free; empty if that cannot be said, or is more than 30 days ahead. */
    public OptionalLong secondsLeft() {
        double fall = fallBytesPerSecond();
        if (fall == 0) {
            return OptionalLong.empty();
        }
        double seconds = free(0) / fall;
        return seconds > LONGEST_SECONDS ? OptionalLong.empty() : OptionalLong.of((long) seconds);
    }

    private boolean fellLately() {
        return free(0) < free(LEAST_SAMPLES / 2);
    }

    /** Relative to the latest sample. */
    private double seconds(int back) {
        return (nanos[index(back)] - nanos[index(0)]) / NANOS_PER_SECOND;
    }

    private long free(int back) {
        return freeBytes[index(back)];
    }

    private int index(int back) {
        return Math.floorMod(next - 1 - back, SAMPLES);
    }
}
