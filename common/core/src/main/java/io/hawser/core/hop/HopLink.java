package io.hawser.core.hop;

import io.hawser.core.model.NodeId;
import io.hawser.core.why.WaitStage;
import org.jspecify.annotations.Nullable;

/** A hop's view of its session. Thread: the hop's loop. */
public interface HopLink {
    /** Sends a control message, in order. */
    void send(HopMessage message);

    /** {@link HopSender#next} has something for a stream. Streams call it later, not inside this call. */
    void wake();

    /**
     * Probes whether the peer is alive. {@code then} runs when the peer has answered; never inside the call, and not at all if the session
     * ends first.
     */
    void probe(Runnable then);

    /** Ends the session because the peer breaks the protocol. The peer logs the reason. */
    void end(String reason);

    /** The node at the other end; null if it is not known. */
    default @Nullable NodeId peer() {
        return null;
    }

    /** Whether so many bytes of messages wait to leave that the peer seems not to read them. */
    default boolean isBackedUp() {
        return false;
    }

    /** What limits the streams while more could be sent than they take. */
    default WaitStage limit() {
        return WaitStage.LINK;
    }

    /** How fast the streams send, and over what, as a phrase; empty if nothing is known. */
    default String limitDetail() {
        return "";
    }

    /** The number of streams to send on, at least 1. */
    int streams();

    /** The most bytes of a packet on this stream, so that no transfer waits long for a slow stream. */
    default int packetBytes(int stream) {
        return Integer.MAX_VALUE;
    }

    /** How many of the last bytes given to this stream have waited in its socket for more than a round trip; 0 if none. */
    default int stuckBytes(int stream) {
        return 0;
    }
}
