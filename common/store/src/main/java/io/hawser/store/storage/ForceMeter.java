package io.hawser.store.storage;

import io.hawser.core.meter.DurationHistogram;
import java.util.function.LongSupplier;

/**
 * Measures the forces of files and directories.
 *
 * <p>Thread: any.
 */
public final class ForceMeter {
    /** Measures nothing worth showing: all forces count as instantaneous. */
    static final LongSupplier NO_CLOCK = () -> 0;

    private final LongSupplier nanoTime;
    private final DurationHistogram files = new DurationHistogram();
    private final DurationHistogram directories = new DurationHistogram();

    ForceMeter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    long begun() {
        return nanoTime.getAsLong();
    }

    /** A force of a file has succeeded that began at {@code begunNanos}. */
    void fileForced(long begunNanos) {
        files.record(nanoTime.getAsLong() - begunNanos);
    }

    void directoryForced(long begunNanos) {
        directories.record(nanoTime.getAsLong() - begunNanos);
    }

    /** How long forces of files took. */
    public DurationHistogram files() {
        return files;
    }

    /** How long forces of directories took. */
    public DurationHistogram directories() {
        return directories;
    }
}
