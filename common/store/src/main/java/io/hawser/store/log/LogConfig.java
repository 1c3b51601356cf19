package io.hawser.store.log;

import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.StoreRuntime;
import java.nio.file.Path;

/**
 * How a log is kept.
 *
 * @param directory where its segments lie; nothing else lies there
 * @param epoch the node's epoch, higher at each opening
 * @param threadName the writer's name, such as {@code hawser-log-writer}
 * @param runtime disk threads, clocks and random numbers
 * @param segmentSizeBytes a segment is full here; whole blocks. A single record may be larger and then has a segment of its
 *     own
 * @param spareSegments how many segments that are no longer needed are kept for use again; one is made ahead while the log
 *     is quiet; with 0 the log always grows as it is written
 * @param maxGroupBytes how much is written before one force
 * @param maxQueuedBytes bound on the heap that waiting appends may take (payloads in fragment buffers are bounded by their
 *     pool); an append beyond it fails, and the log lives on
 */
public record LogConfig(
        Path directory,
        long epoch,
        String threadName,
        StoreRuntime runtime,
        long segmentSizeBytes,
        int spareSegments,
        int maxGroupBytes,
        long maxQueuedBytes) {
    public static final long DEFAULT_SEGMENT_SIZE_BYTES = 64L << 20;
    public static final int DEFAULT_SPARE_SEGMENTS = 8;
    public static final int DEFAULT_MAX_GROUP_BYTES = 16 << 20;
    public static final long DEFAULT_MAX_QUEUED_BYTES = 16L << 20;
    private static final int MIN_SEGMENT_BLOCKS = 8;

    public LogConfig {
        if (segmentSizeBytes < MIN_SEGMENT_BLOCKS * LogFormat.BLOCK_BYTES
                || segmentSizeBytes % LogFormat.BLOCK_BYTES != 0
                || segmentSizeBytes > LogFormat.MAX_SEGMENT_SIZE_BYTES) {
            throw new IllegalArgumentException("a segment is " + MIN_SEGMENT_BLOCKS + " or more whole blocks of "
                    + LogFormat.BLOCK_BYTES + " bytes, not " + segmentSizeBytes + " bytes");
        }
        if (epoch < 1 || epoch > LogFormat.MAX_EPOCH) {
            throw new IllegalArgumentException("epoch " + epoch);
        }
        if (spareSegments < 0 || maxGroupBytes < 1 || maxQueuedBytes < 1) {
            throw new IllegalArgumentException("spares, group and queue may not be negative or zero");
        }
    }

    /** The defaults. */
    public static LogConfig of(Path directory, long epoch, String threadName, StoreRuntime runtime) {
        return new LogConfig(
                directory,
                epoch,
                threadName,
                runtime,
                DEFAULT_SEGMENT_SIZE_BYTES,
                DEFAULT_SPARE_SEGMENTS,
                DEFAULT_MAX_GROUP_BYTES,
                DEFAULT_MAX_QUEUED_BYTES);
    }

    /** The same with segments of another size and another number of spares. */
    public LogConfig withSegments(long sizeBytes, int spares) {
        return new LogConfig(directory, epoch, threadName, runtime, sizeBytes, spares, maxGroupBytes, maxQueuedBytes);
    }

    /** The same with crash points. */
    public LogConfig withCrashPoints(CrashPoints points) {
        return new LogConfig(
                directory,
                epoch,
                threadName,
                runtime.withCrashPoints(points),
                segmentSizeBytes,
                spareSegments,
                maxGroupBytes,
                maxQueuedBytes);
    }
}
