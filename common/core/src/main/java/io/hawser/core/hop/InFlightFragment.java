package io.hawser.core.hop;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A fragment that was chosen for sending: it is being loaded, waits for a stream, or is in flight, and uses credit until it is
 * acked. Thread: the sender's loop.
 */
final class InFlightFragment {
    final OutgoingTransfer transfer;
    final long index;
    /** Its length in bytes; before the commit is known a tail counts as a full fragment until it is loaded. */
    int length;
    /** Streams that carry a packet of it. */
    final BitSet streams = new BitSet();

    /** Streams that lag with it or are stuck with part of it: the copy leaves on others. */
    final BitSet lagging = new BitSet();

    @Nullable
    Fragment fragment;

    int nextOffset;
    boolean loading;
    /** Its transfer was withdrawn: it holds no credit, and only its rest is sent. */
    boolean withdrawn;

    boolean resent;
    /** Acked, refused, or the session is lost: a queue that still holds it skips it. */
    boolean dropped;
    /** A second copy for a free stream, because the first one lags. */
    boolean tailCopy;

    long readyAtNanos;
    long sentAtNanos;

    InFlightFragment(OutgoingTransfer transfer, long index, int length) {
        this.transfer = transfer;
        this.index = index;
        this.length = length;
    }

    /** Whether a stream carries part of it. */
    boolean hasBegun() {
        return !streams.isEmpty();
    }

    boolean fullySent() {
        return nextOffset >= length;
    }
}
