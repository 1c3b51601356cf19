package io.hawser.store.journal;

import io.hawser.store.log.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * What of the journal one transfer needs.
 *
 * <p>Thread: the loop (the opening thread before).
 */
public final class JournalFootprint {
    /** The first segment of what needs none. */
    static final long NOWHERE = Long.MAX_VALUE;

    private long firstSegment = NOWHERE;
    private long lengthBytes;
    private int inFlight;
    private @Nullable JournalUse countedIn;

    /** A record of the transfer is durable, and needed beside those before it. */
    public void add(LogPosition position, long recordBytes) {
        replace(Math.min(firstSegment, position.segment()), lengthBytes + recordBytes);
    }

    /** Nothing before {@code segment} is needed; what is needed from there on has {@code recordsBytes}. */
    public void replace(long segment, long recordsBytes) {
        JournalUse all = countedIn;
        if (all != null) {
            all.moved(firstSegment, segment);
            all.grew(recordsBytes - lengthBytes);
        }
        firstSegment = segment;
        lengthBytes = recordsBytes;
    }

    void countIn(@Nullable JournalUse all) {
        countedIn = all;
    }

    boolean isCountedIn(JournalUse all) {
        return countedIn == all;
    }

    /** Nothing is needed any more. */
    public void clear() {
        replace(NOWHERE, 0);
    }

    /** The lowest segment that has a record which is needed; {@link #NOWHERE} if none has. */
    long firstSegment() {
        return firstSegment;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** A record is on its way. */
    public void recordLeaves() {
        inFlight++;
    }

    /** It is durable, or never will be. */
    public void recordArrived() {
        inFlight--;
    }

    /** Whether no record is on its way. */
    public boolean isAtRest() {
        return inFlight == 0;
    }
}
