package io.hawser.broker.store.local;

import io.hawser.common.log.CrashPoints;
import io.hawser.common.log.LogConfig;
import java.time.Duration;

/**
 * How the local store is kept.
 *
 * @param segmentSizeBytes size of the log's segments
 * @param spareSegments zero-filled or recycled segments that are kept ready
 * @param quotaBytes the most payload bytes that are kept or promised; 0 for no limit
 * @param headRoomBytes disk space that is kept free for acks, receipts and deletions: no payload is admitted into it
 * @param tombstoneAge how long the id of a finished or cancelled transfer is remembered
 * @param maxTombstones how many such ids are remembered at most; the oldest go first
 * @param diskThreads how many threads read from the disk
 * @param crashPoints for tests
 */
public record LocalStoreConfig(
        long segmentSizeBytes,
        int spareSegments,
        long quotaBytes,
        long headRoomBytes,
        Duration tombstoneAge,
        int maxTombstones,
        int diskThreads,
        CrashPoints crashPoints) {
    public static final long NO_QUOTA = 0;
    public static final long DEFAULT_HEAD_ROOM_BYTES = 256L << 20;
    public static final Duration DEFAULT_TOMBSTONE_AGE = Duration.ofHours(24);
    public static final int DEFAULT_MAX_TOMBSTONES = 32_768;
    public static final int DEFAULT_DISK_THREADS = 2;

    public LocalStoreConfig {
        if (quotaBytes < 0 || headRoomBytes < 0 || maxTombstones < 1 || diskThreads < 1) {
            throw new IllegalArgumentException("quota, head-room, tombstones and disk threads may not be negative");
        }
    }

    /** The defaults. */
    public static LocalStoreConfig defaults() {
        return new LocalStoreConfig(
                LogConfig.DEFAULT_SEGMENT_SIZE_BYTES,
                LogConfig.DEFAULT_SPARE_SEGMENTS,
                NO_QUOTA,
                DEFAULT_HEAD_ROOM_BYTES,
                DEFAULT_TOMBSTONE_AGE,
                DEFAULT_MAX_TOMBSTONES,
                DEFAULT_DISK_THREADS,
                CrashPoints.NONE);
    }

    /** The same with another quota. */
    public LocalStoreConfig withQuota(long bytes) {
        return new LocalStoreConfig(
                segmentSizeBytes,
                spareSegments,
                bytes,
                headRoomBytes,
                tombstoneAge,
                maxTombstones,
                diskThreads,
                crashPoints);
    }

    /** The same with another head-room. */
    public LocalStoreConfig withHeadRoom(long bytes) {
        return new LocalStoreConfig(
                segmentSizeBytes,
                spareSegments,
                quotaBytes,
                bytes,
                tombstoneAge,
                maxTombstones,
                diskThreads,
                crashPoints);
    }

    /** The same with other segments. */
    public LocalStoreConfig withSegments(long sizeBytes, int spares) {
        return new LocalStoreConfig(
                sizeBytes, spares, quotaBytes, headRoomBytes, tombstoneAge, maxTombstones, diskThreads, crashPoints);
    }

    /** The same with other bounds on tombstones. */
    public LocalStoreConfig withTombstones(Duration age, int max) {
        return new LocalStoreConfig(
                segmentSizeBytes, spareSegments, quotaBytes, headRoomBytes, age, max, diskThreads, crashPoints);
    }

    /** The same with crash points. */
    public LocalStoreConfig withCrashPoints(CrashPoints points) {
        return new LocalStoreConfig(
                segmentSizeBytes,
                spareSegments,
                quotaBytes,
                headRoomBytes,
                tombstoneAge,
                maxTombstones,
                diskThreads,
                points);
    }
}
