package io.hawser.broker.store.local;

import io.hawser.store.log.LogConfig;
import java.time.Duration;

/**
 * The configuration of the local store.
 *
 * @param segments the log's segments
 * @param space how much may be kept
 * @param forgetting how long transfers are known that are over
 * @param fewChanges so many changed transfers are written to the index every second; while there are more they wait, since most of so
 *     many are soon finished, and those are never written
 */
public record LocalStoreConfig(Segments segments, Space space, Forgetting forgetting, int fewChanges) {
    public static final long NO_QUOTA = 0;
    public static final long DEFAULT_HEAD_ROOM_BYTES = 256L << 20;
    public static final Duration DEFAULT_TOMBSTONE_AGE = Duration.ofHours(24);
    public static final int DEFAULT_MAX_TOMBSTONES = 32_768;
    private static final int DEFAULT_FEW_CHANGES = 256;

    /**
     * The log's segments.
     *
     * @param sizeBytes their size
     * @param spares zero-filled or recycled ones that are kept ready
     */
    public record Segments(long sizeBytes, int spares) {}

    /**
     * How much may be kept.
     *
     * @param quotaBytes the most payload bytes that are kept or promised; {@link #NO_QUOTA} for no limit
     * @param headRoomBytes disk space that is kept free for acks, receipts and deletions: no payload is admitted into it
     */
    public record Space(long quotaBytes, long headRoomBytes) {
        public Space {
            if (quotaBytes < 0 || headRoomBytes < 0) {
                throw new IllegalArgumentException("quota and head-room may not be negative");
            }
        }
    }

    /**
     * How long transfers are known that are over.
     *
     * @param tombstoneAge how long the id of a finished or cancelled transfer is remembered
     * @param maxTombstones how many such ids are remembered at most, 1 or more; the oldest go first
     */
    public record Forgetting(Duration tombstoneAge, int maxTombstones) {
        public Forgetting {
            if (maxTombstones < 1) {
                throw new IllegalArgumentException("at least one tombstone is kept");
            }
        }
    }

    public static LocalStoreConfig defaults() {
        return new LocalStoreConfig(
                new Segments(LogConfig.DEFAULT_SEGMENT_SIZE_BYTES, LogConfig.DEFAULT_SPARE_SEGMENTS),
                new Space(NO_QUOTA, DEFAULT_HEAD_ROOM_BYTES),
                new Forgetting(DEFAULT_TOMBSTONE_AGE, DEFAULT_MAX_TOMBSTONES),
                DEFAULT_FEW_CHANGES);
    }

    /** The same with another quota. */
    public LocalStoreConfig withQuota(long bytes) {
        return withSpace(new Space(bytes, space.headRoomBytes));
    }

    /** The same with another head-room. */
    public LocalStoreConfig withHeadRoom(long bytes) {
        return withSpace(new Space(space.quotaBytes, bytes));
    }

    private LocalStoreConfig withSpace(Space other) {
        return new LocalStoreConfig(segments, other, forgetting, fewChanges);
    }

    /** The same with other segments. */
    public LocalStoreConfig withSegments(long sizeBytes, int spares) {
        return new LocalStoreConfig(new Segments(sizeBytes, spares), space, forgetting, fewChanges);
    }

    /** The same with another number of changes that wait for nothing. */
    public LocalStoreConfig withFewChanges(int transfers) {
        return new LocalStoreConfig(segments, space, forgetting, transfers);
    }
}
