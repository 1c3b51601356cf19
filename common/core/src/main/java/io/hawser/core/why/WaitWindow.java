package io.hawser.core.why;

import java.util.Arrays;

/**
 * Where one transfer has waited on one hop in the last minute: a ring of slots of 200 ms with the stage of each. 300 bytes.
 *
 * <p>Thread: its owner's loop.
 */
final class WaitWindow {
    static final long SLOT_NANOS = 200_000_000L;
    static final int SLOTS_A_SECOND = 5;
    static final int SECONDS = 60;
    private static final int SLOTS = SECONDS * SLOTS_A_SECOND;
    private static final byte UNKNOWN = -1;
    private static final WaitStage[] STAGES = WaitStage.values();

    private final byte[] slots = new byte[SLOTS];
    private final long firstSlot;
    private long slot;
    private byte stage = UNKNOWN;

    /** Begins at {@code nowNanos}. */
    WaitWindow(long nowNanos) {
        Arrays.fill(slots, UNKNOWN);
        firstSlot = Math.floorDiv(nowNanos, SLOT_NANOS);
        slot = firstSlot;
    }

    /** It waits there from now on. The time since the last call counts for the stage of that call. */
    void now(WaitStage next, long nowNanos) {
        long target = Math.max(slot, Math.floorDiv(nowNanos, SLOT_NANOS));
        for (long each = Math.max(slot + 1, target - SLOTS + 1); each <= target; each++) {
            slots[Math.floorMod(each, SLOTS)] = stage;
        }
        slot = target;
        stage = (byte) next.ordinal();
        slots[Math.floorMod(slot, SLOTS)] = stage;
    }

    /** When {@link #now} was last called, rounded down to a slot, in nanoseconds. */
    long lastNanos() {
        return slot * SLOT_NANOS;
    }

    /** The number of slots of each stage, by its ordinal, in the last {@code seconds} (1 to 60). */
    int[] counts(int seconds) {
        int[] counts = new int[STAGES.length];
        long first = Math.max(firstSlot, slot - (long) seconds * SLOTS_A_SECOND + 1);
        for (long each = first; each <= slot; each++) {
            byte at = slots[Math.floorMod(each, SLOTS)];
            if (at != UNKNOWN) {
                counts[at]++;
            }
        }
        return counts;
    }
}
