package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.FragmentRanges;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which parts of one session's answers have arrived. No byte is written twice, so the caller gets the memory of a complete answer
 * as it is. It owns no reference to the memory; a finished call must be forgotten here.
 *
 * <p>Thread: the session's loop.
 */
final class ArrivingAnswers {
    private static final class Parts {
        private final FragmentBuffer memory;
        private final int wholeLength;
        /** Byte ranges that have arrived or are being read. */
        private final FragmentRanges begun = new FragmentRanges();

        private int arrivedBytes;

        private Parts(FragmentBuffer memory, int wholeLength) {
            this.memory = memory;
            this.wholeLength = wholeLength;
        }
    }

    /** The most gaps and parts of one answer; an honest peer's parts are of 16 KiB. */
    private static final int MAX_RUNS = 4096;

    private final Map<Long, Parts> byCall = new HashMap<>();

    /**
     * A part is about to be read into the memory of its answer; false if it must not be, because other bytes are or were read there,
     * or too many gaps are left.
     *
     * @param offset of the part in the whole, in bytes; the part ends within the whole
     */
    boolean begin(long call, FragmentBuffer memory, int offset, int length, int wholeLength) {
        Parts parts = byCall.computeIfAbsent(call, number -> new Parts(memory, wholeLength));
        long next = parts.begun.firstPresent(offset);
        boolean taken = next >= 0 && next < offset + (long) length;
        boolean isScattered = parts.begun.runCount() >= MAX_RUNS;
        if (taken || isScattered || parts.memory != memory || parts.wholeLength != wholeLength) {
            return false;
        }
        parts.begun.add(offset, offset + (long) length);
        return true;
    }

    /** A part that was begun has arrived. Returns whether the answer is complete, and forgets it then. */
    boolean isCompletedBy(long call, FragmentBuffer memory, int length) {
        @Nullable Parts parts = byCall.get(call);
        if (parts == null || parts.memory != memory) {
            return false;
        }
        parts.arrivedBytes += length;
        boolean complete = parts.arrivedBytes == parts.wholeLength;
        if (complete) {
            byCall.remove(call);
        }
        return complete;
    }

    /** That call is finished or cancelled. */
    void forget(long call) {
        byCall.remove(call);
    }

    /** Whether parts of that call's answer have begun to arrive, and it is not finished. */
    boolean knows(long call) {
        return byCall.containsKey(call);
    }

    void clear() {
        byCall.clear();
    }
}
