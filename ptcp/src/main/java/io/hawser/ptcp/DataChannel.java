package io.hawser.ptcp;

import io.hawser.ptcp.netty.PacketSink;
import io.hawser.ptcp.netty.TcpSocketAccess;
import io.hawser.ptcp.stream.StallDetector;
import io.hawser.ptcp.tune.SendBufferSizer;
import io.hawser.ptcp.tune.StreamAckProgress;
import io.hawser.ptcp.tune.StreamMeasure;
import io.hawser.ptcp.tune.StreamQuantum;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.PacketCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a session: reads packets into memory that the handler returns, and takes packets from the handler as fast as the socket
 * sends. At most {@value #QUEUED_BYTES} bytes and one packet wait for the socket, on a slow stream less.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class DataChannel implements Connection.Owner, PacketSink, TunedStream {
    /** A stream takes no packet while this much waits, because what waits here cannot use a faster stream. */
    static final int QUEUED_BYTES = 64 << 10;

    /** The least quantum of a stream. */
    static final int LEAST_QUANTUM_BYTES = StreamQuantum.LEAST_BYTES;

    /** Enough for a socket not to run dry before the loop fills it again. */
    private static final int LEAST_UNSENT_BYTES = 32 << 10;

    private final NettySession session;
    private final SessionStreams streams;
    private final Connection connection;
    private final Channel channel;
    private final int stream;
    private long queuedBytes;
    private long lastProgress = Long.MIN_VALUE;
    private long lastProgressNanos;
    private boolean pulling;
    private boolean outboundEnded;
    private boolean endSent;
    private boolean inboundEnded;
    private final SendBufferSizer buffers = new SendBufferSizer();
    private int quantumBytes = Integer.MAX_VALUE;
    private int stuckBytes;
    private int unsentLimitBytes = Integer.MAX_VALUE;
    private long writtenBytes;
    private final long maxWrittenBytes;

    DataChannel(NettySession session, SessionStreams streams, Connection connection, int stream) {
        this.session = session;
        this.streams = streams;
        this.connection = connection;
        this.stream = stream;
        channel = connection.channel();
        maxWrittenBytes = connection.tls() == null ? Long.MAX_VALUE : TlsProviders.keyBytes();
    }

    /** Starts to read packets. */
    void start() {
        connection.becomeDataChannel(this, this, session.readMemory().longHeaders());
    }

    @Override
    public int stream() {
        return stream;
    }

    Connection connection() {
        return connection;
    }

    /** Whether the peer may still send packets here. */
    boolean isInboundOpen() {
        return !inboundEnded;
    }

    void resume() {
        connection.resume();
    }

    /** Whether this side may still send packets here. */
    boolean isOutboundOpen() {
        return !outboundEnded && channel.isActive();
    }

    /** Whether both directions ended in order, so that no packet is missing. */
    boolean isFinished() {
        return endSent && inboundEnded;
    }

    /** The largest packet that should be sent here, in bytes. */
    int quantumBytes() {
        return quantumBytes;
    }

    /** Bytes that will wait in the socket for longer than a round trip. */
    int stuckBytes() {
        return stuckBytes;
    }

    /** Takes packets from the handler while the socket takes them. */
    void pull() {
        boolean wrote = false;
        while (take()) {
            wrote = true;
        }
        if (wrote) {
            channel.flush();
        }
    }

    /** Takes one packet if the socket does; returns whether it did. */
    boolean pullOne() {
        boolean wrote = take();
        if (wrote) {
            channel.flush();
        }
        return wrote;
    }

    private boolean take() {
        if (pulling || !isOutboundOpen() || queuedBytes >= Math.min(QUEUED_BYTES, quantumBytes)) {
            return false;
        }
        pulling = true;
        try {
            PtcpPacket packet = session.nextPacket(stream);
            if (packet != null) {
                write(packet);
            }
            return packet != null;
        } finally {
            pulling = false;
        }
    }

    @Override
    public StreamMeasure measure(long heartbeatRttNanos) {
        StreamMeasure measure = TcpSocketAccess.measure(channel);
        return measure != null ? measure : StreamMeasure.ofBytes(heartbeatRttNanos, writtenBytes);
    }

    @Override
    public void adapt(StreamMeasure measure) {
        stuckBytes = measure.stuckBytes();
        if (measure.window().congestionBytes() == 0) {
            return;
        }
        quantumBytes = StreamQuantum.bytes(measure);
        int unsent = Math.max(LEAST_UNSENT_BYTES, quantumBytes);
        if (unsent < unsentLimitBytes / 2 || unsent > unsentLimitBytes) {
            unsentLimitBytes = unsent > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : unsent + unsent / 4;
            TcpSocketAccess.unsentLimit(channel, unsentLimitBytes);
        }
        int buffer = buffers.onMeasure(measure);
        if (buffer > 0 && quantumBytes < Integer.MAX_VALUE) {
            TcpSocketAccess.sendBuffer(channel, buffer);
        }
    }

    @Override
    public boolean canPace() {
        return TcpSocketAccess.isTunable(channel);
    }

    @Override
    public void pace(long bytesPerSecond) {
        TcpSocketAccess.pacingLimit(channel, bytesPerSecond);
    }

    private void write(PtcpPacket packet) {
        ByteBuf payload = packet.payload();
        int payloadLength = payload.readableBytes();
        ByteBuf preamble;
        try {
            preamble = PacketCodec.encode(packet.header(), payloadLength, channel.alloc());
        } catch (IllegalArgumentException e) {
            payload.release();
            throw e;
        } finally {
            packet.header().release();
        }
        int length = preamble.readableBytes() + payloadLength;
        queuedBytes += length;
        streams.tuner.onPacket(length);
        channel.write(preamble, channel.voidPromise());
        channel.write(payload).addListener(sent -> onWritten(length, payloadLength, sent.isSuccess()));
    }

    private void onWritten(int length, int payloadLength, boolean success) {
        queuedBytes -= length;
        if (success) {
            writtenBytes += length;
            session.onSent(payloadLength);
            if (writtenBytes >= maxWrittenBytes) {
                session.renewStream(this);
            }
            streams.onDrained(this);
        } else {
            // The packet is lost, and only the loss of its stream tells the handler so.
            close();
        }
    }

    /**
     * Notes whether the peer took anything since the last call.
     *
     * @param peerReads whether the peer reads this stream; if it paused the stream, a standstill is in order
     * @return for how many nanoseconds bytes have waited without progress
     */
    long standstillNanos(long nowNanos, boolean peerReads) {
        StreamAckProgress reported = TcpSocketAccess.progress(channel);
        long progress = reported == null ? handedOver() : reported.ackedBytes();
        boolean waits = queuedBytes > 0 || (reported != null && reported.waits());
        if (!waits || !peerReads || progress != lastProgress) {
            lastProgress = progress;
            lastProgressNanos = nowNanos;
        }
        return nowNanos - lastProgressNanos;
    }

    /** Bytes that the socket took, if the system does not report acknowledgements; only differences count. */
    private long handedOver() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.currentProgress() - waiting.totalPendingWriteBytes() - queuedBytes;
    }

    /** The socket's progress for the stall detector. A socket that reports none gets as much time as a silent peer. */
    StallDetector.Sample stallSample(long silenceNanos) {
        StreamAckProgress reported = TcpSocketAccess.progress(channel);
        return reported == null
                ? new StallDetector.Sample(stream, -1, false, silenceNanos)
                : StallDetector.Sample.of(stream, reported.ackedBytes(), reported.waits(), reported.rttNanos());
    }

    /** Ends the outbound direction after the packets that wait. */
    void end() {
        if (!outboundEnded) {
            outboundEnded = true;
            endSent = true;
            channel.writeAndFlush(PacketCodec.encodeEnd(channel.alloc()));
        }
    }

    /** The peer lost this stream: stops sending, and closes after a moment in which earlier packets can be read. */
    void onPeerLost(long graceMillis) {
        outboundEnded = true;
        channel.eventLoop().schedule(this::close, graceMillis, TimeUnit.MILLISECONDS);
    }

    /** Closes at once. */
    ChannelFuture close() {
        outboundEnded = true;
        return channel.close();
    }

    @Override
    public @Nullable ByteBuf memoryFor(ByteBuf header, int payloadLength) {
        return session.memoryFor(stream, header, payloadLength);
    }

    @Override
    public void onPacket(ByteBuf header, ByteBuf payload) {
        session.onPacket(stream, header, payload);
    }

    @Override
    public void onDiscarded(int payloadLength) {
        session.onReceived(payloadLength);
    }

    @Override
    public void onEnd() {
        inboundEnded = true;
        session.onStreamEnded(this);
    }

    @Override
    public void onFrame(Connection from, ControlFrame frame) {
        throw new IllegalStateException("a data channel has no frames");
    }

    @Override
    public void onFailure(Connection failed, Throwable cause) {
        session.onStreamFailure(this, cause);
        close();
    }

    @Override
    public void onInactive(Connection closed) {
        outboundEnded = true;
        session.onStreamInactive(this);
    }
}
