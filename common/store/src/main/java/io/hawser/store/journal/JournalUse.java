package io.hawser.store.journal;

import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What of the journal all transfers together need, kept up with each record: a cleaning need not look at every transfer.
 *
 * <p>Thread: the loop (the opening thread before).
 */
public final class JournalUse {
    /** By segment: of how many transfers the first record that is needed is in it. */
    private final TreeMap<Long, Integer> firstIn = new TreeMap<>();

    private final LongSupplier alsoNeeded;
    private long lengthBytes;

    /** Nothing else needs the journal. */
    public JournalUse() {
        this(() -> JournalFootprint.NOWHERE);
    }

    /** @param alsoNeeded the lowest segment that something else needs */
    public JournalUse(LongSupplier alsoNeeded) {
        this.alsoNeeded = alsoNeeded;
    }

    /** The transfer counts from now on, also what its records become later. */
    public void add(JournalFootprint footprint) {
        footprint.countIn(this);
        began(footprint.firstSegment());
        grew(footprint.lengthBytes());
    }

    /** The transfer counts no longer, whatever of it is still on its way. */
    public void remove(JournalFootprint footprint) {
        if (footprint.isCountedIn(this)) {
            footprint.countIn(null);
            left(footprint.firstSegment());
            grew(-footprint.lengthBytes());
        }
    }

    void moved(long from, long to) {
        if (from != to) {
            left(from);
            began(to);
        }
    }

    void grew(long bytes) {
        lengthBytes += bytes;
    }

    private void began(long segment) {
        if (segment != JournalFootprint.NOWHERE) {
            firstIn.merge(segment, 1, Integer::sum);
        }
    }

    private void left(long segment) {
        if (segment != JournalFootprint.NOWHERE) {
            firstIn.computeIfPresent(segment, (unused, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The lowest segment with a record that is needed; {@link JournalFootprint#NOWHERE} if there is none. */
    long firstSegment() {
        long own = firstIn.isEmpty() ? JournalFootprint.NOWHERE : firstIn.firstKey();
        return Math.min(own, alsoNeeded.getAsLong());
    }

    /** How many bytes are needed. */
    long lengthBytes() {
        return lengthBytes;
    }
}
