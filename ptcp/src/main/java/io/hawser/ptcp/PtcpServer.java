package io.hawser.ptcp;

import io.hawser.ptcp.session.JoinProof;
import io.hawser.ptcp.session.StreamNumberRegistry;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.FrameLimits;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for sessions. One event loop of the given group owns all that it accepts, so that all channels of a session share a loop.
 *
 * <p>Unauthenticated connections are bounded in number ({@value #PENDING_LIMIT}), memory (one handshake frame each) and time ({@link
 * PtcpOptions#connectTimeout()}). Above the number, the address with the most loses its oldest ({@link PendingConnections}).
 *
 * <p>Any thread may call any public method. The acceptor and the handlers are called on {@link #loop}. Only {@link #listen} blocks.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
public final class PtcpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PtcpServer.class);
    /** The most sessions at once. */
    public static final int MAX_SESSIONS = 1024;

    private static final int PENDING_LIMIT = 256;
    private static final long FLOOD_LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final EventLoop loop;
    private final PtcpOptions options;
    private final SessionAdmission acceptor;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, AcceptedSession> sessions = new HashMap<>();
    private final PendingConnections<Connection> pending = new PendingConnections<>(PENDING_LIMIT);

    /** Of all sessions, so that no number of them gives a peer more. */
    private final SessionReadMemory readMemory = new SessionReadMemory();

    private final RefusedDialLogThrottle refusedAddresses = new RefusedDialLogThrottle();
    private final Promise<@Nullable Void> closed;
    private final Channel listener;
    private boolean closing;
    private long evictedSinceLog;
    private long floodLoggedNanos;

    private PtcpServer(EventLoop loop, InetSocketAddress address, PtcpOptions options, SessionAdmission acceptor)
            throws PtcpException {
        this.loop = loop;
        this.options = options;
        this.acceptor = acceptor;
        closed = loop.newPromise();
        ChannelFuture bound = new ServerBootstrap()
                .group(loop, loop)
                .channel(NettyTransports.serverSocketChannel(loop))
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        onAccepted(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            throw new PtcpException(
                    PtcpErrorCode.CONNECTION_LOST,
                    "cannot listen on " + ChannelDialler.text(address) + ": " + BindFailures.problem(failure));
        }
        listener = bound.channel();
    }

    /**
     * Listens on {@code address}; port 0 takes a free one. Blocks until the port is bound, so it must not be called on a
     * loop of {@code group}.
     *
     * @throws PtcpException if the address cannot be used
     */
    public static PtcpServer listen(
            EventLoopGroup group, InetSocketAddress address, PtcpOptions options, SessionAdmission acceptor)
            throws PtcpException {
        return new PtcpServer(group.next(), address, options, acceptor);
    }

    /** The address that it listens on; the port is never 0. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Stops listening and closes all sessions in order. Does not wait for that. */
    @Override
    public void close() {
        close("the server is closing");
    }

    /**
     * Stops listening and closes all sessions in order. Does not wait for that.
     *
     * @param reason for the peers' users
     * @return completes on the loop when all sessions ended; the loop may be shut down then
     */
    public Future<@Nullable Void> close(String reason) {
        listener.close();
        loop.execute(() -> {
            closing = true;
            pending.all().forEach(Connection::close);
            new ArrayList<>(sessions.values()).forEach(session -> session.session.close(reason));
            completeClose();
        });
        return closed;
    }

    /**
     * Stops listening. Sessions continue with the streams that they have.
     *
     * @return completes when the port is free
     */
    ChannelFuture stopListening() {
        return listener.close();
    }

    private void completeClose() {
        if (closing && sessions.isEmpty()) {
            closed.trySuccess(null);
        }
    }

    private void onAccepted(Channel channel) {
        assert loop.inEventLoop();
        CongestionChoice.apply(channel, options.tuning(), channel.remoteAddress());
        Connection connection = Connection.accept(channel, new FirstFrame(), options);
        Connection evicted = pending.add(connection, channel.remoteAddress());
        if (evicted != null) {
            logFlood(evicted.channel().remoteAddress());
            evicted.close();
        }
        ScheduledFuture<?> deadline = loop.schedule(
                () -> {
                    if (pending.contains(connection)) {
                        connection.close();
                    }
                },
                options.connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
        // The timer would keep a closed connection in memory.
        channel.closeFuture().addListener(closed -> deadline.cancel(false));
    }

    /** One line a minute, so that a flood cannot fill the log. */
    private void logFlood(@Nullable SocketAddress remote) {
        evictedSinceLog++;
        long now = System.nanoTime();
        if (evictedSinceLog == 1 || now - floodLoggedNanos >= FLOOD_LOG_INTERVAL_NANOS) {
            LOG.atWarn()
                    .addKeyValue("remote", remote)
                    .addKeyValue("closed", evictedSinceLog)
                    .log("Too many unauthenticated connections; the oldest of this address was closed");
            floodLoggedNanos = now;
        }
    }

    /** Handles the first frame of an unauthenticated connection. */
    private final class FirstFrame implements Connection.Owner {
        private boolean answered;

        @Override
        public void onFrame(Connection connection, ControlFrame frame) {
            if (answered) {
                refuse(connection, PtcpErrorCode.PROTOCOL, "a second frame before the answer to the first");
            } else if (frame instanceof ControlFrame.Hello hello) {
                answered = true;
                onHello(connection, hello);
            } else if (frame instanceof ControlFrame.Join join) {
                answered = true;
                pending.remove(connection);
                onJoin(connection, join);
            } else {
                refuse(connection, PtcpErrorCode.PROTOCOL, "a connection begins with HELLO or JOIN");
            }
        }

        @Override
        public void onFailure(Connection connection, Throwable cause) {
            PtcpException reason = FailureTranslator.ofAcceptor(cause);
            SocketAddress remote = connection.channel().remoteAddress();
            int suppressed = refusedAddresses.refused(remote, reason.code().name(), System.nanoTime());
            if (suppressed >= 0) {
                LOG.atInfo()
                        .addKeyValue("remote", remote)
                        .addKeyValue("cause", reason.getMessage())
                        .addKeyValue("suppressed", suppressed)
                        .log("Refused a connection");
            }
            if (FailureTranslator.isAnswerable(cause)) {
                refuse(connection, reason.code(), String.valueOf(reason.getMessage()));
            } else {
                connection.close();
            }
        }

        @Override
        public void onInactive(Connection connection) {
            pending.remove(connection);
        }
    }

    private void refuse(Connection connection, PtcpErrorCode code, String sentence) {
        pending.remove(connection);
        connection.sendAndHangUp(new ControlFrame.Refused(code.code(), sentence));
    }

    private void onHello(Connection connection, ControlFrame.Hello hello) {
        if (closing) {
            connection.close();
            return;
        }
        int version = Versions.choose(hello.lowestVersion(), hello.highestVersion());
        if (version < 0) {
            refuse(
                    connection,
                    PtcpErrorCode.VERSION,
                    "this side speaks PTCP " + Versions.LOWEST + " to " + Versions.HIGHEST + ", the dialler "
                            + hello.lowestVersion() + " to " + hello.highestVersion() + ": update the older one");
        } else if (sessions.size() >= MAX_SESSIONS) {
            refuse(
                    connection,
                    PtcpErrorCode.TOO_MANY,
                    "there are " + sessions.size() + " sessions, which is the limit");
        } else {
            answer(connection, hello, version);
        }
    }

    private void answer(Connection connection, ControlFrame.Hello hello, int version) {
        SessionAdmission.Answer answer;
        try {
            answer = acceptor.accept(
                    hello.greeting().toArray(),
                    new PtcpPeer(
                            connection.certificate(), connection.channel().remoteAddress(), sessionsOf(connection)));
        } catch (RuntimeException e) {
            defect(connection, e);
            return;
        }
        if (answer instanceof SessionAdmission.Refused refused) {
            refuse(connection, PtcpErrorCode.GREETING_REFUSED, refused.sentence());
        } else if (answer instanceof SessionAdmission.Later later) {
            var unused = later.refusal()
                    .whenComplete(
                            (sentence, failure) -> loop.execute(() -> answerNow(connection, hello, sentence, failure)));
        } else if (answer instanceof SessionAdmission.Accepted accepted) {
            pending.remove(connection);
            new AcceptedSession(connection, hello, version, accepted);
        }
    }

    private void answerNow(
            Connection connection, ControlFrame.Hello hello, String sentence, @Nullable Throwable failure) {
        if (!pending.contains(connection)) {
            return; // closed or refused meanwhile
        }
        if (failure != null) {
            defect(connection, failure);
        } else if (sentence.isEmpty()) {
            onHello(connection, hello);
        } else {
            refuse(connection, PtcpErrorCode.GREETING_REFUSED, sentence);
        }
    }

    private void defect(Connection connection, Throwable cause) {
        LOG.atError().setCause(cause).log("The acceptor of sessions failed");
        refuse(connection, PtcpErrorCode.INTERNAL, "a defect at the acceptor; its log has the details");
    }

    private int sessionsOf(Connection connection) {
        String principal = connection.principal();
        Object source = PendingConnections.source(connection.channel().remoteAddress());
        int count = 0;
        for (AcceptedSession accepted : sessions.values()) {
            NettySession session = accepted.session;
            boolean same = principal.isEmpty()
                    ? PendingConnections.source(session.remoteAddress()).equals(source)
                    : session.peerPrincipal().equals(principal);
            count += same ? 1 : 0;
        }
        return count;
    }

    private void onJoin(Connection connection, ControlFrame.Join join) {
        AcceptedSession accepted = sessions.get(join.sessionId());
        if (accepted == null) {
            refuse(connection, PtcpErrorCode.JOIN_REFUSED, "the session is not known here, or is over");
        } else {
            accepted.onJoin(connection, join);
        }
    }

    /** An accepted session, from its HELLO on. */
    private final class AcceptedSession implements NettySession.Maker {
        private final NettySession session;
        private final JoinProof proof;
        private final StreamNumberRegistry numbers = new StreamNumberRegistry();
        private final int streamsLimit;

        AcceptedSession(
                Connection connection, ControlFrame.Hello hello, int version, SessionAdmission.Accepted accepted) {
            assert loop.inEventLoop();
            long id = random.nextLong();
            while (sessions.containsKey(id)) {
                id = random.nextLong();
            }
            byte[] secret = new byte[ControlFrameCodec.PROOF_BYTES];
            random.nextBytes(secret);
            ByteString joinSecret = ByteString.of(secret);
            proof = new JoinProof(joinSecret, id);
            streamsLimit = Math.max(1, Math.min(hello.streams(), FrameLimits.STREAMS));
            long interval = Math.min(
                    hello.heartbeatIntervalMillis(), options.heartbeatInterval().toMillis());
            long timeout = Math.min(
                    hello.heartbeatTimeoutMillis(), options.heartbeatTimeout().toMillis());
            long features = options.tuning().selfTuning() ? FrameLimits.FEATURE_STREAMS : 0;
            boolean countsStreams = (features & hello.features()) != 0;
            session = new NettySession(
                    new NettySession.Agreement(
                            id,
                            false,
                            hello.greeting(),
                            new NettySession.HeartbeatMillis(interval, timeout),
                            options.tuning(),
                            new NettySession.StreamBounds(countsStreams, streamsLimit),
                            readMemory),
                    connection,
                    accepted.handler(),
                    this);
            sessions.put(id, this);
            connection.send(new ControlFrame.Welcome(
                    version,
                    streamsLimit,
                    interval,
                    timeout,
                    features,
                    id,
                    joinSecret,
                    ByteString.of(accepted.greeting())));
            loop.schedule(this::onHandshakeDeadline, options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        }

        private void onHandshakeDeadline() {
            if (session.isOpening()) {
                session.abort(PtcpErrorCode.TIMEOUT, "the handshake took too long");
            }
        }

        void onJoin(Connection connection, ControlFrame.Join join) {
            boolean proved = JoinProof.matches(proof.ofDialler(join.stream(), join.random()), join.proof());
            if (!proved) {
                refuse(connection, PtcpErrorCode.JOIN_REFUSED, "the proof of the join secret is wrong");
            } else if (!connection.principal().equals(session.peerPrincipal())) {
                refuse(connection, PtcpErrorCode.JOIN_REFUSED, "the certificate is not that of the session");
            } else if (!numbers.isFree(join.stream()) || !session.wantsStreams()) {
                refuse(connection, PtcpErrorCode.JOIN_REFUSED, "stream " + join.stream() + " cannot join");
            } else if (session.liveStreams() >= 2 * streamsLimit) {
                refuse(connection, PtcpErrorCode.TOO_MANY, "the session has all its streams");
            } else {
                numbers.use(join.stream());
                connection.send(new ControlFrame.Joined(join.stream(), proof.ofAcceptor(join.stream(), join.random())));
                session.addStream(connection, join.stream());
            }
        }

        @Override
        public void onStreamGone(NettySession from, int stream) {}

        @Override
        public void onStreamsWanted(NettySession from, int count) {
            throw new IllegalStateException("the dialler makes the streams");
        }

        @Override
        public void onSessionOver(NettySession over, PtcpException cause) {
            sessions.remove(over.id());
            completeClose();
        }
    }
}
