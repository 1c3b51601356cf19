package io.hawser.core.why;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Where one transfer has waited on one hop in the last minute: a ring of slots of 200 ms with the stage of each. 300 bytes.
 *
 * <p>Thread: its owner's loop.
 */
@SuppressWarnings("EnumOrdinal") // a byte for each slot, which never leaves this object
final class WaitWindow {
    static final long SLOT_NANOS = 200_000_000L;
    static final int SLOTS_A_SECOND = 5;
    static final int SECONDS = 60;
    private static final int SLOTS = SECONDS * SLOTS_A_SECOND;
    /** A transfer that is sampled has a sample in this many slots, also on a busy machine. */
    private static final int SAMPLED_SLOTS = 3;

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
        fill(nowNanos);
        stage = (byte) next.ordinal();
        slots[Math.floorMod(slot, SLOTS)] = stage;
    }

    /** The same for a transfer that may not be sampled any more: if the last call is long ago, the time since then counts for this stage. */
    void asked(WaitStage next, long nowNanos) {
        if (Math.floorDiv(nowNanos, SLOT_NANOS) - slot > SAMPLED_SLOTS) {
            stage = (byte) next.ordinal();
        }
        now(next, nowNanos);
    }

    private void fill(long nowNanos) {
        long target = Math.max(slot, Math.floorDiv(nowNanos, SLOT_NANOS));
        for (long each = Math.max(slot + 1, target - SLOTS + 1); each <= target; each++) {
            slots[Math.floorMod(each, SLOTS)] = stage;
        }
        slot = target;
    }

    /** When {@link #now} was last called, rounded down to a slot, in nanoseconds. */
    long lastNanos() {
        return slot * SLOT_NANOS;
    }

    /** The number of slots of each stage in the last {@code seconds} (1 to 60). */
    Map<WaitStage, Integer> counts(int seconds) {
        Map<WaitStage, Integer> counts = new EnumMap<>(WaitStage.class);
        long first = Math.max(firstSlot, slot - (long) seconds * SLOTS_A_SECOND + 1);
        for (long each = first; each <= slot; each++) {
            byte at = slots[Math.floorMod(each, SLOTS)];
            if (at != UNKNOWN) {
                counts.merge(STAGES[at], 1, Integer::sum);
            }
        }
        return counts;
    }
}
