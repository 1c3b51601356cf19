package io.hawser.ptcp;

import io.hawser.ptcp.tune.SendLimit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;

/**
 * One session between two processes: a communication channel for control messages, which stay in order, and N data channels (streams)
 * for packets, which may overtake each other. A session ends when its communication channel is lost. A lost data channel is replaced; the
 * handler gets {@link PtcpHandler#onStreamLost} and sends again what it must.
 *
 * <p>No method blocks. All are called on {@link #loop()}, except {@link #close} and {@link #traffic}, which any thread may call. The
 * handler is never called inside a call of its own, but in a later pass of the loop.
 */
public interface PtcpSession {
    /** The loop that owns this session and all its channels, and calls its handler. Any thread. */
    EventLoop loop();

    /** The session's id, chosen by the acceptor; unique at the acceptor. */
    long id();

    /** Whether this side dialled. */
    boolean isDialler();

    /** The greeting that the peer sent at the start, at most 1 KiB. Opaque to PTCP. */
    byte[] peerGreeting();

    /** The address of the other side's communication channel. */
    SocketAddress remoteAddress();

    /** Subject of the peer's certificate (RFC 2253), or an empty string without TLS. */
    String peerPrincipal();

    /**
     * Sends one control message, or drops it if the session is not open. Takes ownership of {@code message}. Messages of one pass of the
     * loop are flushed together.
     *
     * @throws IllegalArgumentException if {@code message} is longer than a control message may be
     */
    void sendControl(ByteBuf message);

    /** Bytes of control messages that were given to {@link #sendControl} and have not yet left. */
    long pendingControlBytes();

    /**
     * Pauses or resumes reading of control messages; one more may arrive after a pause. The heartbeat arrives there too, so a pause must be
     * shorter than {@link PtcpOptions#heartbeatTimeout()}.
     */
    void pauseControl(boolean on);

    /** Has streams that can take a packet call {@link PtcpHandler#nextPacket}. */
    void wakeStreams();

    /** Has paused streams call {@link PtcpHandler#onPacketHeader} again, because memory is free. */
    void resumePackets();

    /** Closes one data channel, as if it were lost: both sides learn so, and another one replaces it. Nothing if there is none. */
    void dropStream(int stream);

    /**
     * Probes whether the peer is alive. {@code then} runs on the loop when the peer answered this probe, and never if the session ends
     * first.
     */
    void probe(Runnable then);

    /**
     * Limits the rate of this end over all streams. The lower of this rate and that of {@link PtcpTuning} holds.
     *
     * @param bytesPerSecond 0 for no limit
     */
    void limitRate(long bytesPerSecond);

    /** The number of data channels that are up. */
    int liveStreams();

    /**
     * Advises on the largest packet for this stream in bytes, so that little waits on a slow stream; {@link Integer#MAX_VALUE} for any.
     * Packets of any length are sent.
     */
    default int packetBytes(int stream) {
        return Integer.MAX_VALUE;
    }

    /**
     * The bytes in this stream's socket that will wait for more than a round trip, because its congestion window is too small, as of the
     * last measurement (every 100 ms while sending); 0 if there are none, or it is unknown.
     */
    default int stuckBytes(int stream) {
        return 0;
    }

    /** What limits how fast this end sends, as of the last measurement (every 100 ms while sending). */
    default SendLimit sendLimit() {
        return SendLimit.UNKNOWN;
    }

    /** Payload bytes on the data channels since the session began. Any thread. */
    PtcpTraffic traffic();

    /** Closes the session in order: sends what the streams took, then the reason. Any thread. */
    void close(String reason);
}
