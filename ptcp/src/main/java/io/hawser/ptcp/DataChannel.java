package io.hawser.ptcp;

import io.hawser.ptcp.netty.PacketReader;
import io.hawser.ptcp.netty.PacketSink;
import io.hawser.ptcp.netty.SocketTuning;
import io.hawser.ptcp.stream.StallDetector;
import io.hawser.ptcp.tune.BufferSizer;
import io.hawser.ptcp.tune.StreamMeasure;
import io.hawser.ptcp.tune.StreamProgress;
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
 * One stream: reads packets into the memory that the session's user names, and takes packets from him as fast as the socket
 * does. At most {@value #QUEUED_BYTES} bytes and one packet more wait in front of the socket; on a slow stream less, and little
 * in it.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class DataChannel implements Connection.Owner, PacketSink, TunedStream {
    /** A stream takes no further packet while so much waits: what waits here cannot go on a faster stream. */
    static final int QUEUED_BYTES = 64 << 10;

    /** The least that a stream is given at a time. */
    static final int LEAST_QUANTUM_BYTES = StreamQuantum.LEAST_BYTES;

    /** A socket that waits for acknowledgements should not run dry before it can be filled again. */
    private static final int LEAST_UNSENT_BYTES = 32 << 10;

    private final NettySession session;
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
    private final BufferSizer buffers = new BufferSizer();
    private int quantumBytes = Integer.MAX_VALUE;
    private int stuckBytes;
    private int unsentLimitBytes = Integer.MAX_VALUE;
    private long writtenBytes;
    private final long mostWrittenBytes;

    DataChannel(NettySession session, Connection connection, int stream) {
        this.session = session;
        this.connection = connection;
        this.stream = stream;
        channel = connection.channel();
        mostWrittenBytes = connection.tls() == null ? Long.MAX_VALUE : TlsEngines.keyBytes();
    }

    /** Reads packets from here on. */
    void start() {
        connection.becomeDataChannel(this, new PacketReader(channel.alloc(), this));
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

    /** Whether both directions have ended in order: nothing that was sent here is missing. */
    boolean isFinished() {
        return endSent && inboundEnded;
    }

    /** The most that should be in one packet. */
    int quantumBytes() {
        return quantumBytes;
    }

    /** How many of the last bytes wait in the socket for longer than a round trip. */
    int stuckBytes() {
        return stuckBytes;
    }

    /** Takes packets from the user while the socket takes them. */
    void pull() {
        boolean wrote = false;
        while (take()) {
            wrote = true;
        }
        if (wrote) {
            channel.flush();
        }
    }

    /** Takes one packet, if it can; returns whether it did. */
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
        StreamMeasure measure = SocketTuning.measure(channel);
        return measure != null
                ? measure
                : new StreamMeasure(heartbeatRttNanos, heartbeatRttNanos, 0, 0, writtenBytes, 1, 0, 0, 0, 0, 0);
    }

    @Override
    public void adapt(StreamMeasure measure) {
        stuckBytes = measure.stuckBytes();
        if (measure.congestionWindowBytes() == 0) {
            return;
        }
        quantumBytes = StreamQuantum.bytes(measure);
        int unsent = Math.max(LEAST_UNSENT_BYTES, quantumBytes);
        if (unsent < unsentLimitBytes / 2 || unsent > unsentLimitBytes) {
            unsentLimitBytes = unsent > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : unsent + unsent / 4;
            SocketTuning.unsentLimit(channel, unsentLimitBytes);
        }
        int buffer = buffers.onMeasure(measure);
        if (buffer > 0 && quantumBytes < Integer.MAX_VALUE) {
            SocketTuning.sendBuffer(channel, buffer);
        }
    }

    @Override
    public boolean canPace() {
        return SocketTuning.isTunable(channel);
    }

    @Override
    public void pace(long bytesPerSecond) {
        SocketTuning.pacingLimit(channel, bytesPerSecond);
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
        session.onTaken(length);
        channel.write(preamble, channel.voidPromise());
        channel.write(payload).addListener(sent -> onWritten(length, payloadLength, sent.isSuccess()));
    }

    private void onWritten(int length, int payloadLength, boolean success) {
        queuedBytes -= length;
        if (success) {
            writtenBytes += length;
            session.onSent(payloadLength);
            if (writtenBytes >= mostWrittenBytes) {
                session.renewStream(this);
            }
            session.onDrained(this);
        } else {
            // A packet that could not be written is lost, so the stream must be: its loss is told.
            close();
        }
    }

    /**
     * Notes whether the peer took anything since the last call.
     *
     * @param peerReads whether the peer says that it reads this stream; if not, a standstill is its good right
     * @return since when bytes have waited without any progress, in nanoseconds before {@code nowNanos}
     */
    long standstillNanos(long nowNanos, boolean peerReads) {
        StreamProgress told = SocketTuning.progress(channel);
        long progress = told == null ? handedOver() : told.ackedBytes();
        boolean waits = queuedBytes > 0 || (told != null && told.waits());
        if (!waits || !peerReads || progress != lastProgress) {
            lastProgress = progress;
            lastProgressNanos = nowNanos;
        }
        return nowNanos - lastProgressNanos;
    }

    /** What the socket has taken, where it does not tell what became of it; only its differences count. */
    private long handedOver() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.currentProgress() - waiting.totalPendingWriteBytes() - queuedBytes;
    }

    /** What the socket says of what is on its way; one that does not tell is given as much time as a silent peer. */
    StallDetector.Look look(long silenceNanos) {
        StreamProgress told = SocketTuning.progress(channel);
        return told == null
                ? new StallDetector.Look(stream, -1, false, silenceNanos)
                : StallDetector.Look.of(stream, told.ackedBytes(), told.waits(), told.rttNanos());
    }

    /** Sends nothing more but what waits, and says so. */
    void end() {
        if (!outboundEnded) {
            outboundEnded = true;
            endSent = true;
            channel.writeAndFlush(PacketCodec.encodeEnd(channel.alloc()));
        }
    }

    /** The peer says that its end is dead: nothing more is sent, and what came before may be read for a moment. */
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
