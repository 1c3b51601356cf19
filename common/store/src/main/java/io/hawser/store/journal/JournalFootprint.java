package io.hawser.store.journal;

import io.hawser.store.log.LogPosition;

/**
 * What of the journal one transfer needs.
 *
 * <p>Thread: the loop (the opening thread before).
 */
public final class JournalFootprint {
    private long firstSegment = Long.MAX_VALUE;
    private long lengthBytes;
    private int inFlight;

    /** A record of the transfer is durable, and needed beside those before it. */
    public void add(LogPosition position, long recordBytes) {
        firstSegment = Math.min(firstSegment, position.segment());
        lengthBytes += recordBytes;
    }

    /** Nothing before {@code segment} is needed; what is needed from there on has {@code recordsBytes}. */
    public void replace(long segment, long recordsBytes) {
        firstSegment = segment;
        lengthBytes = recordsBytes;
    }

    /** Nothing is needed any more. */
    public void clear() {
        replace(Long.MAX_VALUE, 0);
    }

    /** The lowest segment that has a record which is needed; {@link Long#MAX_VALUE} if none has. */
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
