package io.hawser.common.spool;

import java.time.Duration;

/**
 * What an operator may set of a spool.
 *
 * @param quotaBytes bytes of content that it may hold; {@link Long#MAX_VALUE} for no limit but the disk
 * @param headRoomBytes free space that content leaves for the journal and others
 * @param maxPending transfers that are not yet committed at the next hop; a further one is refused
 * @param maxAwaitingReceipts transfers that are, and of which receipts are awaited; beyond, the oldest is no longer followed
 * @param maxRemembered finished transfers that are still shown
 * @param retainIncomplete how long an upload that broke off is kept
 * @param keepUntilDelivered whether content is kept, space allowing, until the last receipt, and not only until the next hop
 *     has it
 * @param stallTimeout how long uploads of unknown size wait for space before the youngest of them is ended
 * @param segmentSizeBytes the length of a journal segment
 * @param spareSegments how many journal segments are kept ready, zero-filled
 */
public record SpoolConfig(
        long quotaBytes,
        long headRoomBytes,
        int maxPending,
        int maxAwaitingReceipts,
        int maxRemembered,
        Duration retainIncomplete,
        boolean keepUntilDelivered,
        Duration stallTimeout,
        long segmentSizeBytes,
        int spareSegments) {
    private static final int HARD_MAX_PENDING = 200_000;
    /** A pending transfer takes 700 bytes of the heap here and as much again in the hop's sender; not half of it is for them. */
    private static final int HEAP_PER_TRANSFER_BYTES = 4096;

    public SpoolConfig {
        if (quotaBytes < 1 || headRoomBytes < 0 || maxPending < 1 || maxAwaitingReceipts < 0 || maxRemembered < 0) {
            throw new IllegalArgumentException("a spool's limits are not negative, and it takes at least one transfer");
        }
    }

    /** The defaults; the number of transfers follows the heap: 200,000 from 800 MB. */
    public static SpoolConfig defaults() {
        long byHeap = Runtime.getRuntime().maxMemory() / HEAP_PER_TRANSFER_BYTES;
        int maxPending = (int) Math.min(HARD_MAX_PENDING, byHeap);
        return new SpoolConfig(
                Long.MAX_VALUE,
                128L << 20,
                maxPending,
                maxPending,
                1000,
                Duration.ofHours(24),
                true,
                Duration.ofSeconds(20),
                16 << 20,
                1);
    }

    /** The same with another quota. */
    public SpoolConfig withQuotaBytes(long bytes) {
        return new SpoolConfig(
                bytes,
                headRoomBytes,
                maxPending,
                maxAwaitingReceipts,
                maxRemembered,
                retainIncomplete,
                keepUntilDelivered,
                stallTimeout,
                segmentSizeBytes,
                spareSegments);
    }

    /** The same with another time for incomplete uploads. */
    public SpoolConfig withRetainIncomplete(Duration time) {
        return new SpoolConfig(
                quotaBytes,
                headRoomBytes,
                maxPending,
                maxAwaitingReceipts,
                maxRemembered,
                time,
                keepUntilDelivered,
                stallTimeout,
                segmentSizeBytes,
                spareSegments);
    }

    /** The same, keeping content until the last receipt or not. */
    public SpoolConfig withKeepUntilDelivered(boolean keep) {
        return new SpoolConfig(
                quotaBytes,
                headRoomBytes,
                maxPending,
                maxAwaitingReceipts,
                maxRemembered,
                retainIncomplete,
                keep,
                stallTimeout,
                segmentSizeBytes,
                spareSegments);
    }

    /** The same with another bound on pending transfers. */
    public SpoolConfig withMaxPending(int transfers) {
        return new SpoolConfig(
                quotaBytes,
                headRoomBytes,
                transfers,
                maxAwaitingReceipts,
                maxRemembered,
                retainIncomplete,
                keepUntilDelivered,
                stallTimeout,
                segmentSizeBytes,
                spareSegments);
    }

    /** The same with another journal: {@code spares} of 0 lets it grow as it is written, for short-lived programs. */
    public SpoolConfig withJournal(long segmentBytes, int spares) {
        return new SpoolConfig(
                quotaBytes,
                headRoomBytes,
                maxPending,
                maxAwaitingReceipts,
                maxRemembered,
                retainIncomplete,
                keepUntilDelivered,
                stallTimeout,
                segmentBytes,
                spares);
    }

    /** The same with another time that uploads wait for space. */
    public SpoolConfig withStallTimeout(Duration time) {
        return new SpoolConfig(
                quotaBytes,
                headRoomBytes,
                maxPending,
                maxAwaitingReceipts,
                maxRemembered,
                retainIncomplete,
                keepUntilDelivered,
                time,
                segmentSizeBytes,
                spareSegments);
    }
}
