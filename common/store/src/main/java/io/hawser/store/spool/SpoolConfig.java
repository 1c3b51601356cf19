package io.hawser.store.spool;

import java.time.Duration;

/**
 * What an operator may set of a spool.
 *
 * @param space how much content it may hold
 * @param bounds how many transfers it may hold
 * @param keeping how long content stays
 * @param journal how the journal lies on the disk
 */
public record SpoolConfig(Space space, Bounds bounds, Keeping keeping, Journal journal) {
    private static final int HARD_MAX_PENDING = 200_000;
    /** A pending transfer takes 700 bytes of the heap here and as much again in the hop's sender; not half of it is for them. */
    private static final int HEAP_PER_TRANSFER_BYTES = 4096;

    /**
     * How much content there may be.
     *
     * @param quotaBytes bytes of content; {@link Long#MAX_VALUE} for no limit but the disk
     * @param headRoomBytes free space that content leaves for the journal and others
     * @param stallTimeout how long uploads of unknown size wait for space before the youngest of them is ended
     */
    public record Space(long quotaBytes, long headRoomBytes, Duration stallTimeout) {
        public Space {
            if (quotaBytes < 1 || headRoomBytes < 0) {
                throw new IllegalArgumentException("a spool's quota is positive, and its head-room is not negative");
            }
        }
    }

    /**
     * How many transfers there may be.
     *
     * @param maxPending transfers that are not yet committed at the next hop; a further one is refused
     * @param maxAwaitingReceipts transfers that are, and of which receipts are awaited; beyond, the oldest is no longer followed
     * @param maxRemembered finished transfers that are still shown
     */
    public record Bounds(int maxPending, int maxAwaitingReceipts, int maxRemembered) {
        public Bounds {
            if (maxPending < 1 || maxAwaitingReceipts < 0 || maxRemembered < 0) {
                throw new IllegalArgumentException("a spool takes at least one transfer, and no number is negative");
            }
        }
    }

    /**
     * How long content stays.
     *
     * @param incomplete how long an upload that broke off is kept; if zero, the next start cancels it
     * @param untilDelivered whether content is kept, space allowing, until the last receipt, and not only until the next hop
     *     has it
     * @param untilAllowed whether what was accepted, and lacks a right at the next hop, is kept until there is
     *     one; if not it has failed
     */
    public record Keeping(Duration incomplete, boolean untilDelivered, boolean untilAllowed) {}

    /**
     * How the journal lies on the disk.
     *
     * @param segmentSizeBytes the length of a segment
     * @param spareSegments how many segments are kept ready, zero-filled
     */
    public record Journal(long segmentSizeBytes, int spareSegments) {}

    /** The defaults; the number of transfers follows the heap: 200,000 from 800 MB. */
    public static SpoolConfig defaults() {
        long byHeap = Runtime.getRuntime().maxMemory() / HEAP_PER_TRANSFER_BYTES;
        int maxPending = (int) Math.min(HARD_MAX_PENDING, byHeap);
        return new SpoolConfig(
                new Space(Long.MAX_VALUE, 128L << 20, Duration.ofSeconds(10)),
                new Bounds(maxPending, maxPending, 1000),
                new Keeping(Duration.ofHours(24), true, false),
                new Journal(16 << 20, 1));
    }

    /** The same with another quota. */
    public SpoolConfig withQuotaBytes(long bytes) {
        Space other = new Space(bytes, space.headRoomBytes, space.stallTimeout);
        return new SpoolConfig(other, bounds, keeping, journal);
    }

    /** The same with another bound on transfers whose receipts are awaited. */
    public SpoolConfig withMaxAwaitingReceipts(int max) {
        Bounds other = new Bounds(bounds.maxPending, max, bounds.maxRemembered);
        return new SpoolConfig(space, other, keeping, journal);
    }

    /** The same with another time for incomplete uploads. */
    public SpoolConfig withRetainIncomplete(Duration time) {
        return withKeeping(new Keeping(time, keeping.untilDelivered, keeping.untilAllowed));
    }

    /** This configuration, keeping content until the last receipt or not. */
    public SpoolConfig withKeepUntilDelivered(boolean keep) {
        return withKeeping(new Keeping(keeping.incomplete, keep, keeping.untilAllowed));
    }

    /** This configuration, keeping what lacks a right at the next hop until there is one or not. */
    public SpoolConfig withKeepUntilAllowed(boolean keep) {
        return withKeeping(new Keeping(keeping.incomplete, keeping.untilDelivered, keep));
    }

    private SpoolConfig withKeeping(Keeping other) {
        return new SpoolConfig(space, bounds, other, journal);
    }

    /** The same with another journal: {@code spares} of 0 lets it grow as it is written, for short-lived programs. */
    public SpoolConfig withJournal(long segmentBytes, int spares) {
        return new SpoolConfig(space, bounds, keeping, new Journal(segmentBytes, spares));
    }
}
