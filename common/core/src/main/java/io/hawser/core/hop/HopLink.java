package io.hawser.core.hop;

import io.hawser.core.model.NodeId;
import org.jspecify.annotations.Nullable;

/** A session as seen by a hop. Thread: the hop's loop. */
public interface HopLink {
    /** Sends a control message, in order. */
    void send(HopMessage message);

    /** Says that {@link HopSender#next} has something for a stream. Streams ask in their own time, not inside this call. */
    void wake();

    /**
     * Probes whether the peer is alive. {@code then} runs when the peer has answered this probe; never inside the call, and not at
     * all if the session ends first.
     */
    void probe(Runnable then);

    /** Ends the session, because the peer breaks the rules; the peer's user is told why. */
    void end(String reason);

    /** Which node is at the other end; null where that is not known. */
    default @Nullable NodeId peer() {
        return null;
    }

    /** Whether so many messages wait to leave that the peer seems not to read them. */
    default boolean isBackedUp() {
        return false;
    }

    /** How many streams there are to send on, at least 1. */
    int streams();

    /** How large a packet on this stream should be at most, so that nothing hangs on a slow stream. */
    default int packetBytes(int stream) {
        return Integer.MAX_VALUE;
    }

    /** How many of the bytes that this stream took last wait for more than a round trip before they leave; 0 if none do. */
    default int stuckBytes(int stream) {
        return 0;
    }
}
