package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;

/**
 * One session between two processes: a communication channel for control messages, kept in order, and N data channels
 * (streams) for packets, which may overtake each other. A session that loses its communication channel is over; a data
 * channel that dies is replaced, and its loss is told to the handler, which sends again what it must.
 *
 * <p>Thread: all methods on {@link #loop()} only, except {@link #close} and the statistics.
 */
public interface PtcpSession {
    /** The loop that owns this session and calls its handler; the same for all its channels, until it is closed. */
    EventLoop loop();

    /** The session's id, chosen by the acceptor; unique at the acceptor. */
    long id();

    /** Whether this side dialled. */
    boolean isDialler();

    /** What the other side said of itself when the session was made; at most 1 KiB. Opaque to PTCP. */
    byte[] peerGreeting();

    /** The address of the other side's communication channel. */
    SocketAddress remoteAddress();

    /** Subject of the peer's certificate (RFC 2253), or an empty string without TLS. */
    String peerPrincipal();

    /** Sends one control message. Takes ownership of {@code message}. Messages written in one turn of the loop are flushed together. */
    void sendControl(ByteBuf message);

    /** Bytes of control messages that were given to {@link #sendControl} and have not yet left. */
    long pendingControlBytes();

    /**
     * Reads no further control message from the peer but the next, or goes on. A peer that is not heard for {@link PtcpOptions#heartbeatTimeout()} counts
     * as dead, so a pause is short.
     */
    void pauseControl(boolean on);

    /** Says that the packet source has something to send: streams that can take a packet ask for it. */
    void wakeStreams();

    /** Says that memory is free again: streams whose packets were put off ask {@link PtcpHandler#onPacketHeader} anew. */
    void resumePackets();

    /**
     * Probes whether the peer is alive. {@code then} runs when the peer has answered this probe; never inside the call, and not at
     * all if the session ends first.
     */
    void probe(Runnable then);

    /**
     * Holds what this end sends over all streams to a rate, besides the one that it was made with: the lower of the two counts.
     *
     * @param bytesPerSecond 0 for no limit
     */
    void limitRate(long bytesPerSecond);

    /** Data channels that are joined and alive. */
    int liveStreams();

    /**
     * How large a packet on this stream should be at most, so that what is on a slow stream does not hold up what depends on it;
     * {@link Integer#MAX_VALUE} if it does not matter. Advice: any length is sent.
     */
    default int packetBytes(int stream) {
        return Integer.MAX_VALUE;
    }

    /**
     * How many of the bytes that this stream took last wait for more than a round trip before they leave, because its congestion
     * window is too small for them, as of the last time it was looked at (every 100 ms while something is sent); 0 if none do, or
     * if that is not known.
     */
    default int stuckBytes(int stream) {
        return 0;
    }

    /** Bytes of payload sent and received on the data channels since the session began. */
    PtcpTraffic traffic();

    /** Closes the session in an orderly way: what was given to it is sent first, then the peer is told why. Any thread. */
    void close(String reason);
}
