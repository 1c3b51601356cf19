package io.hawser.ptcp;

import io.hawser.ptcp.netty.TcpSocketAccess;
import io.hawser.ptcp.session.CloseProgress;
import io.hawser.ptcp.session.Heartbeat;
import io.hawser.ptcp.session.PongCallbacks;
import io.hawser.ptcp.session.SessionPhase;
import io.hawser.ptcp.tune.SendLimit;
import io.hawser.ptcp.tune.StreamMeasure;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.FrameLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session over Netty channels, the same at both sides. The {@link PtcpServer} or {@link PtcpDialler} that made the communication
 * channel also adds its streams.
 *
 * <p>The handler is never called inside its own call to the session, but in a later pass of the loop.
 *
 * <p>Thread: the session's loop only, except {@link #close} and {@link #traffic}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class NettySession implements PtcpSession, Connection.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(NettySession.class);
    private static final long CLOSE_TIMEOUT_MILLIS = 3_000;
    private static final long LOST_GRACE_MILLIS = 1_000;

    /**
     * The result of a handshake.
     *
     * @param heartbeat the lower values of both sides
     * @param tuning of this side
     * @param streams the session's bounds
     * @param readMemory bounds what has not arrived whole
     */
    record Agreement(
            long id,
            boolean isDialler,
            ByteString peerGreeting,
            HeartbeatMillis heartbeat,
            PtcpTuning tuning,
            StreamBounds streams,
            SessionReadMemory readMemory) {}

    /** A heartbeat's interval and timeout in milliseconds. */
    record HeartbeatMillis(long interval, long timeout) {}

    /**
     * How many streams a session has.
     *
     * @param isVariable whether both sides understand that the number changes
     * @param max the most
     */
    record StreamBounds(boolean isVariable, int max) {}

    /** The part of the session that differs between dialler and acceptor. */
    interface Maker {
        /** A data channel closed; the dialler replaces it. */
        void onStreamGone(NettySession session, int stream);

        /** This side or the peer wants {@code count} streams. */
        void onStreamsWanted(NettySession session, int count);

        /** The session ended. */
        void onSessionOver(NettySession session, PtcpException cause);
    }

    private final Agreement agreed;
    private final Connection connection;
    private final PtcpHandler handler;
    private final Maker maker;
    private final String principal;
    private final SocketAddress remoteAddress;
    private final Heartbeat heartbeat;
    private final PongCallbacks probes = new PongCallbacks();
    private final SessionStreams streams;
    private final CloseProgress closing = new CloseProgress();
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private final AtomicLong streamsLost = new AtomicLong();
    private SessionPhase phase = SessionPhase.OPENING;
    private @Nullable ScheduledFuture<?> heartbeatTimer;
    private @Nullable PtcpException closeCause;
    private long pendingControlBytes;
    private long streamlessSinceNanos;
    private int peerWants = 1;

    NettySession(Agreement agreed, Connection connection, PtcpHandler handler, Maker maker) {
        this.agreed = agreed;
        this.connection = connection;
        this.handler = handler;
        this.maker = maker;
        principal = connection.principal();
        remoteAddress = connection.channel().remoteAddress();
        heartbeat = Heartbeat.ofMillis(
                agreed.heartbeat().interval(), agreed.heartbeat().timeout(), System.nanoTime());
        streams = new SessionStreams(this, agreed.tuning());
        connection.becomeCommunicationChannel(this, agreed.readMemory().longFrames());
    }

    @Override
    public EventLoop loop() {
        return connection.channel().eventLoop();
    }

    @Override
    public long id() {
        return agreed.id();
    }

    @Override
    public boolean isDialler() {
        return agreed.isDialler();
    }

    @Override
    public byte[] peerGreeting() {
        return agreed.peerGreeting().toArray();
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    SocketAddress localAddress() {
        return connection.channel().localAddress();
    }

    @Override
    public String peerPrincipal() {
        return principal;
    }

    SessionStreams streams() {
        return streams;
    }

    SessionReadMemory readMemory() {
        return agreed.readMemory();
    }

    @Override
    public int liveStreams() {
        return streams.size();
    }

    @Override
    public SendLimit sendLimit() {
        assert loop().inEventLoop();
        return streams.tuner.sendLimit();
    }

    @Override
    public PtcpTraffic traffic() {
        return new PtcpTraffic(sentBytes.get(), receivedBytes.get(), streamsLost.get());
    }

    @Override
    public long pendingControlBytes() {
        return pendingControlBytes;
    }

    @Override
    public void sendControl(ByteBuf message) {
        assert loop().inEventLoop();
        int length = message.readableBytes();
        if (phase != SessionPhase.OPEN) {
            message.release();
            return;
        }
        if (length > FrameLimits.CONTROL_PAYLOAD_BYTES) {
            message.release();
            throw new IllegalArgumentException("a control message of " + length + " bytes, at most "
                    + FrameLimits.CONTROL_PAYLOAD_BYTES + " are allowed");
        }
        pendingControlBytes += length;
        connection.sendMessage(message);
    }

    @Override
    public void onSent(Connection communication, int bytes, boolean success) {
        pendingControlBytes -= bytes;
        if (!success) {
            communication.close();
        }
    }

    @Override
    public void pauseControl(boolean on) {
        assert loop().inEventLoop();
        if (on) {
            connection.pauseFrames(true);
        } else {
            loop().execute(() -> connection.pauseFrames(false)); // buffered frames reach the handler outside its call
        }
    }

    @Override
    public void wakeStreams() {
        assert loop().inEventLoop();
        streams.wakeStreams();
    }

    @Override
    public void limitRate(long bytesPerSecond) {
        assert loop().inEventLoop();
        streams.tuner.limitRate(bytesPerSecond);
    }

    @Override
    public void probe(Runnable then) {
        assert loop().inEventLoop();
        // In a later pass: a failed write may end the session, which the caller does not expect inside its call.
        loop().execute(() -> guarded(() -> sendProbe(then)));
    }

    private void sendProbe(Runnable then) {
        if (phase == SessionPhase.OPEN) {
            long now = System.nanoTime();
            probes.onSent(now, then);
            connection.send(new ControlFrame.Ping(now, streams.pausedStreams()));
        }
    }

    @Override
    public int packetBytes(int stream) {
        return streams.packetBytes(stream);
    }

    @Override
    public int stuckBytes(int stream) {
        return streams.stuckBytes(stream);
    }

    /** The last round trip of the heartbeat in nanoseconds, or -1. */
    long heartbeatRttNanos() {
        return heartbeat.rttNanos();
    }

    /** How long the peer may be silent, in nanoseconds. */
    long timeoutNanos() {
        return heartbeat.timeoutNanos();
    }

    /** This direction wants another number of streams. */
    void onStreamsWanted(int count) {
        if (isDialler()) {
            wantStreams();
        } else {
            connection.send(
                    new ControlFrame.Streams(Math.min(count, agreed.streams().max())));
        }
    }

    private void wantStreams() {
        maker.onStreamsWanted(this, Math.min(agreed.streams().max(), Math.max(streams.tuner.streams(), peerWants)));
    }

    /** Ends a surplus stream in order: the peer ends it too, and then it closes. */
    void retireStream(int stream) {
        assert loop().inEventLoop();
        DataChannel channel = streams.get(stream);
        if (channel != null && phase == SessionPhase.OPEN) {
            streams.end(channel);
        }
    }

    /** Replaces a stream that sent as much as its keys allow: ends it, in order if the peer knows how, and the dialler opens another. */
    void renewStream(DataChannel channel) {
        if (phase != SessionPhase.OPEN || !channel.isOutboundOpen()) {
            return;
        }
        if (agreed.streams().isVariable()) {
            streams.end(channel);
        } else {
            channel.close();
        }
    }

    @Override
    public void resumePackets() {
        assert loop().inEventLoop();
        streams.resume();
    }

    @Override
    public void dropStream(int stream) {
        assert loop().inEventLoop();
        DataChannel channel = streams.get(stream);
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void close(String reason) {
        loop().execute(() -> beginClose(reason));
    }

    /** Adds a data channel that joined. It is read once the session is open. */
    void addStream(Connection joined, int stream) {
        assert loop().inEventLoop();
        DataChannel channel = new DataChannel(this, streams, joined, stream);
        streams.add(channel);
        if (phase == SessionPhase.OPEN) {
            channel.pull();
        } else if (phase != SessionPhase.OPENING) {
            channel.close();
        }
    }

    /** Completes the handshake at this side. */
    void open() {
        toPhase(SessionPhase.OPEN, "handshake complete");
        long interval = heartbeat.intervalNanos();
        heartbeatTimer =
                loop().scheduleAtFixedRate(() -> guarded(this::beat), interval, interval, TimeUnit.NANOSECONDS);
        streamlessSinceNanos = System.nanoTime();
        heartbeat.isOverslept(streamlessSinceNanos);
        heartbeat.onHeard(streamlessSinceNanos);
        if (agreed.streams().isVariable() && agreed.tuning().selfTuning()) {
            beginTuning();
        }
        guarded(() -> handler.onOpen(this));
        wakeStreams();
        resumePackets();
    }

    private void beginTuning() {
        Channel channel = connection.channel();
        StreamMeasure measure = TcpSocketAccess.measure(channel);
        streams.beginTuning(
                measure == null ? -1 : measure.roundTrip().nanos(),
                CongestionChoice.isForgetful(channel),
                agreed.streams().max());
    }

    boolean isOpening() {
        return phase == SessionPhase.OPENING;
    }

    boolean isOver() {
        return phase == SessionPhase.CLOSED;
    }

    boolean wantsStreams() {
        return phase == SessionPhase.OPENING || phase == SessionPhase.OPEN;
    }

    private void toPhase(SessionPhase next, String reason) {
        assert loop().inEventLoop();
        phase = phase.to(next);
        LOG.atDebug()
                .addKeyValue("session", id())
                .addKeyValue("phase", next)
                .addKeyValue("reason", reason)
                .log("Session phase");
    }

    private void beat() {
        long now = System.nanoTime();
        boolean overslept = heartbeat.isOverslept(now);
        if (heartbeat.isPeerDead(now)) {
            abort(
                    PtcpErrorCode.TIMEOUT,
                    "nothing was heard from " + remoteAddress + " for "
                            + agreed.heartbeat().timeout() + " ms");
            return;
        }
        if (overslept || !streams.isEmpty()) {
            streamlessSinceNanos = now;
        } else if (now - streamlessSinceNanos > heartbeat.timeoutNanos()) {
            abort(
                    PtcpErrorCode.CONNECTION_LOST,
                    "no data channel with " + remoteAddress + " could be made for "
                            + agreed.heartbeat().timeout() + " ms");
            return;
        }
        connection.send(new ControlFrame.Ping(now, streams.pausedStreams()));
        streams.closeStandstills(now, overslept, heartbeat.timeoutNanos());
    }

    // ---- called by the streams

    @Nullable
    PtcpPacket nextPacket(int stream) {
        assert loop().inEventLoop();
        if (phase != SessionPhase.OPEN || !streams.mayTake(stream)) {
            return null;
        }
        PtcpPacket packet = guarded(() -> handler.nextPacket(this, stream));
        if (packet == null) {
            streams.tuner.onNothingToSend();
        }
        return packet;
    }

    @Nullable
    ByteBuf memoryFor(int stream, ByteBuf header, int payloadLength) {
        boolean flowing = phase == SessionPhase.OPEN || phase == SessionPhase.CLOSING;
        return flowing ? guarded(() -> handler.onPacketHeader(this, stream, header, payloadLength)) : null;
    }

    void onReceived(int payloadLength) {
        receivedBytes.addAndGet(payloadLength);
    }

    void onPacket(int stream, ByteBuf header, ByteBuf payload) {
        onReceived(payload.readableBytes());
        if (phase != SessionPhase.CLOSED) {
            guarded(() -> handler.onPacket(this, stream, header, payload));
        }
    }

    void onSent(int payloadLength) {
        sentBytes.addAndGet(payloadLength);
    }

    void onStreamEnded(DataChannel channel) {
        if (phase == SessionPhase.OPEN && agreed.streams().isVariable()) {
            endBothWays(channel);
        }
        advanceClose();
    }

    /** The side that ended the stream first closes it when the other side ended it too: then all packets arrived. */
    private void endBothWays(DataChannel channel) {
        if (channel.isFinished()) {
            loop().execute(channel::close);
        } else {
            streams.end(channel);
        }
    }

    void onStreamFailure(DataChannel channel, Throwable cause) {
        LOG.atInfo()
                .addKeyValue("session", id())
                .addKeyValue("stream", channel.stream())
                .addKeyValue("cause", String.valueOf(cause.getMessage()))
                .log("A data channel failed; another replaces it");
    }

    void onStreamInactive(DataChannel channel) {
        if (!streams.remove(channel) || phase == SessionPhase.CLOSED) {
            return;
        }
        if (phase == SessionPhase.CLOSING) {
            advanceClose();
            return;
        }
        if (channel.isFinished()) {
            maker.onStreamGone(this, channel.stream());
            return;
        }
        streamsLost.incrementAndGet();
        connection.send(new ControlFrame.Lost(channel.stream()));
        if (phase == SessionPhase.OPEN) {
            guarded(() -> handler.onStreamLost(this, channel.stream()));
        }
        maker.onStreamGone(this, channel.stream());
    }

    // ---- called by the communication channel

    @Override
    public void onFrame(Connection from, ControlFrame frame) {
        assert loop().inEventLoop();
        heartbeat.onHeard(System.nanoTime());
        if (phase == SessionPhase.CLOSED) {
            return;
        }
        if (frame instanceof ControlFrame.Message message) {
            onMessage(message.message());
        } else if (frame instanceof ControlFrame.Ping ping) {
            streams.onPeerPaused(ping.pausedStreams());
            from.send(new ControlFrame.Pong(ping.token()));
        } else if (frame instanceof ControlFrame.Pong pong) {
            heartbeat.onPong(pong.token(), System.nanoTime());
            probes.onAnswered(pong.token()).forEach(this::guarded);
        } else if (frame instanceof ControlFrame.Streams wanted
                && isDialler()
                && agreed.streams().isVariable()) {
            peerWants = wanted.count();
            if (phase == SessionPhase.OPEN) {
                wantStreams();
            }
        } else if (frame instanceof ControlFrame.Lost lost) {
            onPeerLost(lost.stream());
        } else if (frame instanceof ControlFrame.Close close) {
            onClose(close);
        } else if (frame instanceof ControlFrame.Closed) {
            closing.onClosedHeard();
            advanceClose();
        } else if (frame instanceof ControlFrame.Ready && !isDialler() && phase == SessionPhase.OPENING) {
            open();
        } else {
            abort(PtcpErrorCode.PROTOCOL, "a " + frame.getClass().getSimpleName() + " frame came when it could not");
        }
    }

    private void onMessage(ByteBuf message) {
        if (phase == SessionPhase.OPENING) {
            abort(PtcpErrorCode.PROTOCOL, "a message came before the session was open");
        } else {
            guarded(() -> handler.onControl(this, message));
        }
    }

    /** The stream usually ends by itself, after packets that can still be read; on a dead link it does not, so it gets a limit. */
    private void onPeerLost(int stream) {
        DataChannel channel = streams.get(stream);
        if (channel != null) {
            channel.onPeerLost(LOST_GRACE_MILLIS);
        }
    }

    private void onClose(ControlFrame.Close close) {
        PtcpErrorCode code = PtcpErrorCode.of(close.code());
        PtcpException cause = new PtcpException(code, "closed by the peer: " + close.sentence());
        if (code != PtcpErrorCode.CLOSED || phase == SessionPhase.OPENING) {
            end(cause);
            return;
        }
        closing.onCloseHeard();
        if (phase == SessionPhase.OPEN) {
            startClosing(cause, close.sentence());
        }
        advanceClose();
    }

    private void beginClose(String reason) {
        PtcpException cause = new PtcpException(PtcpErrorCode.CLOSED, "closed by this side: " + reason);
        if (phase == SessionPhase.OPENING) {
            end(cause);
        } else if (phase == SessionPhase.OPEN) {
            closing.onCloseSent();
            connection.send(new ControlFrame.Close(PtcpErrorCode.CLOSED.code(), reason));
            startClosing(cause, reason);
        }
    }

    private void startClosing(PtcpException cause, String reason) {
        closeCause = cause;
        toPhase(SessionPhase.CLOSING, reason);
        streams.endAll();
        loop().schedule(() -> end(cause), CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void advanceClose() {
        PtcpException cause = closeCause;
        if (phase != SessionPhase.CLOSING || cause == null) {
            return;
        }
        int stillEnding = streams.inboundOpen();
        if (closing.takeClosedDue(stillEnding)) {
            connection.send(new ControlFrame.Closed());
        }
        if (closing.isComplete(stillEnding)) {
            end(cause);
        }
    }

    @Override
    public void onFailure(Connection failed, Throwable cause) {
        PtcpErrorCode code = FailureTranslator.codeOf(cause);
        if (code == PtcpErrorCode.PROTOCOL) {
            abort(code, String.valueOf(cause.getMessage()));
        } else {
            end(new PtcpException(code, "the connection to " + remoteAddress + " was lost: " + cause.getMessage()));
        }
    }

    @Override
    public void onInactive(Connection closed) {
        PtcpException cause = closeCause;
        end(
                cause != null
                        ? cause
                        : new PtcpException(
                                PtcpErrorCode.CONNECTION_LOST,
                                "the connection to " + remoteAddress + " was lost: the peer closed it"));
    }

    /** Ends the session because the peer broke the handler's protocol. A handler may call it. */
    void refuse(String sentence) {
        loop().execute(() -> abort(PtcpErrorCode.PROTOCOL, sentence));
    }

    /** Ends the session at once, and sends the peer the reason. */
    void abort(PtcpErrorCode code, String sentence) {
        if (phase != SessionPhase.CLOSED) {
            connection.sendAndHangUp(new ControlFrame.Close(code.code(), sentence));
            end(new PtcpException(code, sentence));
        }
    }

    /** Ends the session at once. */
    void end(PtcpException cause) {
        if (phase == SessionPhase.CLOSED) {
            return;
        }
        boolean wasOpen = phase != SessionPhase.OPENING;
        toPhase(SessionPhase.CLOSED, String.valueOf(cause.getMessage()));
        if (heartbeatTimer != null) {
            heartbeatTimer.cancel(false);
        }
        streams.closeAll();
        if (!connection.isHangingUp()) {
            connection.close();
        }
        if (wasOpen) {
            guarded(() -> handler.onClosed(this, cause));
        }
        maker.onSessionOver(this, cause);
    }

    // ---- calls of the handler

    private void guarded(Runnable call) {
        this.<@Nullable Object>guarded(() -> {
            call.run();
            return null;
        });
    }

    /** A defect in the handler ends its session, and no other. */
    private <T> @Nullable T guarded(Supplier<@Nullable T> call) {
        try {
            return call.get();
        } catch (RuntimeException | AssertionError e) {
            LOG.atError().addKeyValue("session", id()).setCause(e).log("A session's handler failed; the session ends");
            loop().execute(() -> abort(PtcpErrorCode.INTERNAL, "a defect in the handler of this session: " + e));
            return null;
        }
    }
}
