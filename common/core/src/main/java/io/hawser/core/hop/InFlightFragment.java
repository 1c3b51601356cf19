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
    /** Its length; before the commit is known a tail is taken for a full fragment until it is loaded. */
    int length;
    /** Streams that carry a packet of it. */
    final BitSet streams = new BitSet();

    /** Streams that had carried all of it when it was found to lag, or on which some of it stands: the copy goes on others. */
    final BitSet lagging = new BitSet();

    @Nullable
    Fragment fragment;

    int nextOffset;
    boolean loading;
    /** Its transfer was withdrawn; it holds no credit any more, and is only sent to its end. */
    boolean withdrawn;

    boolean resent;
    /** Acked, refused, or the link is gone: whoever still meets it lets it go. */
    boolean dropped;
    /** A second copy for a stream that is free, because the first one lags. */
    boolean tailCopy;

    long readyAtNanos;
    long sentAtNanos;

    InFlightFragment(OutgoingTransfer transfer, long index, int length) {
        this.transfer = transfer;
        this.index = index;
        this.length = length;
    }

    boolean fullySent() {
        return nextOffset >= length;
    }
}
