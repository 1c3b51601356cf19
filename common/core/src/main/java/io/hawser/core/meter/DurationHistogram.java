package io.hawser.core.meter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts durations by upper bounds from 100 µs to 30 s. To record one costs two additions without a lock.
 *
 * <p>Thread: any.
 */
public final class DurationHistogram {
    private static final long[] BOUNDS_MICROS = {
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        10_000_000,
        30_000_000
    };

    private final LongAdder[] counts = new LongAdder[BOUNDS_MICROS.length + 1];
    private final LongAdder sumNanos = new LongAdder();

    public DurationHistogram() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** Counts a duration; a negative one as 0. */
    public void record(long nanos) {
        long duration = Math.max(0, nanos);
        int i = 0;
        while (i < BOUNDS_MICROS.length && duration > TimeUnit.MICROSECONDS.toNanos(BOUNDS_MICROS[i])) {
            i++;
        }
        counts[i].increment();
        sumNanos.add(duration);
    }

    /** The upper bounds in seconds, the last of which is infinite. */
    public static double[] boundsSeconds() {
        double[] bounds = new double[BOUNDS_MICROS.length + 1];
        for (int i = 0; i < BOUNDS_MICROS.length; i++) {
            bounds[i] = BOUNDS_MICROS[i] / (double) TimeUnit.SECONDS.toMicros(1);
        }
        bounds[BOUNDS_MICROS.length] = Double.POSITIVE_INFINITY;
        return bounds;
    }

    /** How many durations are above the bound before and not above this one, for each of {@link #boundsSeconds}. */
    public long[] counts() {
        long[] values = new long[counts.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = counts[i].sum();
        }
        return values;
    }

    /** The sum of all durations. */
    public double sumSeconds() {
        return sumNanos.sum() / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
