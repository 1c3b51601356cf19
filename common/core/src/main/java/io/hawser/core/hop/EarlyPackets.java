package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds the fragments whose packets came before their transfer's OPEN, which is on another connection: how many are in memory, and how
 * long they wait.
 *
 * <p>Thread: the receiver's loop.
 */
final class EarlyPackets {
    /** How long packets wait for their OPEN, in ticks of 100 ms. */
    static final int MAX_WAIT_TICKS = 300;
    /** One session's early fragments may hold this part of the pool's buffers. */
    private static final int PART_OF_POOL = 4;

    private final int maxFragments;
    /** Ticks that each transfer has waited for its OPEN. */
    private final Map<TransferKey, Integer> waitedTicks = new HashMap<>();

    private int fragments;

    EarlyPackets(int poolCapacity) {
        maxFragments = Math.max(1, poolCapacity / PART_OF_POOL);
    }

    boolean isFull() {
        return fragments >= maxFragments;
    }

    /** The first packet of one more early fragment came. */
    void add(TransferKey key) {
        fragments++;
        waitedTicks.putIfAbsent(key, 0);
    }

    /** One fragment of a transfer that stays early was dropped. */
    void dropFragment() {
        fragments--;
    }

    /** The transfer was opened or dropped; {@code fragmentsHere} of its fragments were early. */
    void remove(TransferKey key, int fragmentsHere) {
        fragments -= fragmentsHere;
        waitedTicks.remove(key);
    }

    /** 100 ms have passed: the transfers that have waited too long. The caller drops them. */
    List<TransferKey> tick() {
        if (waitedTicks.isEmpty()) {
            return List.of();
        }
        List<TransferKey> expired = new ArrayList<>();
        waitedTicks.replaceAll((key, ticks) -> {
            if (ticks >= MAX_WAIT_TICKS) {
                expired.add(key);
            }
            return ticks + 1;
        });
        return expired;
    }
}
