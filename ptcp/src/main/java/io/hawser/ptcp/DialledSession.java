package io.hawser.ptcp;

import io.hawser.ptcp.session.JoinProof;
import io.hawser.ptcp.session.RedialPolicy;
import io.hawser.ptcp.session.StreamNumberRegistry;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.FrameLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dialler's part of a session: sends HELLO, opens the data channels and replaces lost ones. The session is open when its first data
 * channel joined.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class DialledSession implements NettySession.Maker {
    private static final Logger LOG = LoggerFactory.getLogger(DialledSession.class);
    private static final RedialPolicy REDIAL = RedialPolicy.DEFAULT;

    /** Streams of a self-tuning session whose acceptor is too old for it. */
    private static final int STREAMS_UNTUNED = 4;

    /** Pause between two dials, so that they do not fill the acceptor's backlog. */
    private static final long STAGGER_MILLIS = 5;

    /** How long surplus streams stay: a new one would start with a small congestion window. */
    private static final long SURPLUS_MILLIS = 30_000;

    private final ChannelDialler channels;
    private final EventLoop loop;
    private final String addressText;
    private final byte[] greeting;
    private final PtcpOptions options;
    private final PtcpHandler handler;
    private final Promise<PtcpSession> promise;
    private final SecureRandom random = new SecureRandom();
    private final StreamNumberRegistry numbers = new StreamNumberRegistry();
    private final Map<Integer, Lane> lanes = new HashMap<>();
    private InetSocketAddress address;
    private @Nullable NettySession session;
    private @Nullable JoinProof proof;
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ChannelFuture greetingDial;
    private @Nullable Connection communication;
    private final List<Lane> wanted = new ArrayList<>();
    private int streamsWanted;
    private boolean countsStreams;
    private boolean retirementDue;

    DialledSession(
            ChannelDialler channels,
            EventLoop loop,
            InetSocketAddress address,
            byte[] greeting,
            PtcpOptions options,
            PtcpHandler handler,
            Promise<PtcpSession> promise) {
        this.channels = channels;
        this.loop = loop;
        this.address = address;
        this.greeting = greeting;
        this.options = options;
        this.handler = handler;
        this.promise = promise;
        addressText = ChannelDialler.text(address);
        promise.addListener(done -> {
            if (done.isCancelled()) {
                abandon(new PtcpException(PtcpErrorCode.CONNECTION_LOST, "the dialler gave " + addressText + " up"));
            }
        });
    }

    /** Dials the communication channel, unless it has been cancelled. */
    void start(InetSocketAddress resolved) {
        if (promise.isDone()) {
            return;
        }
        address = resolved;
        deadline = loop.schedule(
                () -> fail(FailureTranslator.timeout(addressText)),
                options.connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
        greetingDial = dial(new Greeting(), this::fail);
    }

    private ChannelFuture dial(Connection.Owner owner, Consumer<Throwable> onFailure) {
        ChannelFuture dialled = channels.dial(
                loop,
                address,
                new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SocketAddress connected = channel.remoteAddress(); // by way of a proxy it is the proxy's
                        CongestionChoice.apply(channel, options.tuning(), connected == null ? address : connected);
                        Connection.dial(channel, owner, options, address);
                    }
                },
                options.connectTimeout());
        dialled.addListener(done -> {
            if (!done.isSuccess()) {
                onFailure.accept(done.cause());
            }
        });
        return dialled;
    }

    /** The session cannot be made. */
    private void fail(Throwable cause) {
        PtcpException failure = FailureTranslator.ofDialler(addressText, cause);
        // First: what is abandoned tells of its end, too, and that is not why.
        if (promise.tryFailure(failure)) {
            abandon(failure);
        }
    }

    /** Closes what has been made of the session. */
    private void abandon(PtcpException cause) {
        stopDeadline();
        if (session != null && !session.isOver()) {
            session.end(cause);
        } else if (communication != null) {
            communication.close();
        } else if (greetingDial != null) {
            greetingDial.channel().close();
        }
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    /** The communication channel, until WELCOME. */
    private final class Greeting implements Connection.Owner {
        @Override
        public void onReady(Connection connection) {
            communication = connection;
            if (promise.isDone()) {
                connection.close();
                return;
            }
            connection.send(new ControlFrame.Hello(
                    Versions.LOWEST,
                    Versions.HIGHEST,
                    options.streams(),
                    options.heartbeatInterval().toMillis(),
                    options.heartbeatTimeout().toMillis(),
                    features(),
                    ByteString.of(greeting)));
        }

        @Override
        public void onFrame(Connection connection, ControlFrame frame) {
            if (frame instanceof ControlFrame.Welcome welcome) {
                onWelcome(connection, welcome);
            } else if (frame instanceof ControlFrame.Refused refused) {
                fail(new PtcpException(
                        PtcpErrorCode.of(refused.code()), addressText + " refused: " + refused.sentence()));
                connection.close();
            } else {
                fail(new PtcpException(PtcpErrorCode.PROTOCOL, addressText + " did not answer HELLO"));
                connection.close();
            }
        }

        @Override
        public void onFailure(Connection connection, Throwable cause) {
            fail(cause);
            connection.close();
        }

        @Override
        public void onInactive(Connection connection) {
            fail(new PtcpException(
                    PtcpErrorCode.CONNECTION_LOST,
                    addressText + " closed the connection before it answered: is that a PTCP port?"));
        }
    }

    /** Only a self-tuning dialler understands STREAMS frames. */
    private long features() {
        return options.tuning().selfTuning() ? FrameLimits.FEATURE_STREAMS : 0;
    }

    private void onWelcome(Connection connection, ControlFrame.Welcome welcome) {
        if (Versions.choose(welcome.version(), welcome.version()) < 0) {
            fail(new PtcpException(PtcpErrorCode.VERSION, addressText + " chose PTCP " + welcome.version()));
            connection.close();
            return;
        }
        proof = new JoinProof(welcome.joinSecret(), welcome.sessionId());
        countsStreams = (features() & welcome.features()) != 0;
        int most = Math.max(1, Math.min(options.streams(), welcome.streams()));
        session = new NettySession(
                new NettySession.Agreement(
                        welcome.sessionId(),
                        true,
                        welcome.greeting(),
                        new NettySession.HeartbeatMillis(
                                welcome.heartbeatIntervalMillis(), welcome.heartbeatTimeoutMillis()),
                        options.tuning(),
                        new NettySession.StreamBounds(countsStreams, most),
                        new SessionReadMemory()),
                connection,
                handler,
                this);
        if (options.tuning().selfTuning()) {
            // The tuner opens the others later, unless the acceptor expects a fixed number.
            most = countsStreams ? 1 : Math.min(most, STREAMS_UNTUNED);
        }
        for (int i = 0; i < most; i++) {
            addLane(i * STAGGER_MILLIS);
        }
    }

    private void addLane(long delayMillis) {
        assert loop.inEventLoop();
        Lane lane = new Lane();
        wanted.add(lane);
        if (delayMillis == 0) {
            lane.dialStream();
        } else {
            loop.schedule(lane::dialStream, delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void onStreamsWanted(NettySession from, int count) {
        streamsWanted = count;
        for (int i = 0; wanted.size() < count; i++) {
            addLane(i * STAGGER_MILLIS);
        }
        if (wanted.size() > count && !retirementDue) {
            retirementDue = true;
            loop.schedule(this::retireSurplus, SURPLUS_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Ends the surplus streams with the highest numbers, because both sides use the others first. */
    private void retireSurplus() {
        retirementDue = false;
        wanted.sort(Comparator.comparingInt(lane -> lane.stream));
        while (wanted.size() > streamsWanted && session != null) {
            Lane lane = wanted.remove(wanted.size() - 1);
            lane.retired = true;
            session.retireStream(lane.stream);
        }
    }

    /** A data channel and its replacements. */
    private final class Lane implements Connection.Owner {
        private int failures;
        private int stream;
        private long joinedNanos;
        private boolean dialling;
        private boolean retired;
        private ByteString nonce = ByteString.EMPTY;

        void dialStream() {
            if (session == null || !session.wantsStreams() || retired) {
                return;
            }
            stream = numbers.allocate();
            dialling = true;
            dial(this, this::onAttemptFailed);
        }

        @Override
        public void onReady(Connection connection) {
            if (session == null || proof == null || !session.wantsStreams() || retired) {
                connection.close();
                return;
            }
            byte[] bytes = new byte[ControlFrameCodec.RANDOM_BYTES];
            random.nextBytes(bytes);
            nonce = ByteString.of(bytes);
            connection.send(new ControlFrame.Join(session.id(), stream, nonce, proof.ofDialler(stream, nonce)));
        }

        @Override
        public void onFrame(Connection connection, ControlFrame frame) {
            if (session == null || proof == null || !session.wantsStreams()) {
                connection.close();
            } else if (frame instanceof ControlFrame.Joined joined
                    && joined.stream() == stream
                    && JoinProof.matches(proof.ofAcceptor(stream, nonce), joined.proof())) {
                dialling = false;
                joinedNanos = System.nanoTime();
                lanes.put(stream, this);
                onJoined(session, connection, stream);
                if (retired) {
                    session.retireStream(stream);
                }
            } else {
                onAttemptFailed(joinFailure(frame));
                connection.close();
            }
        }

        private PtcpException joinFailure(ControlFrame frame) {
            return frame instanceof ControlFrame.Refused refused
                    ? new PtcpException(
                            PtcpErrorCode.of(refused.code()),
                            addressText + " refused a data channel: " + refused.sentence())
                    : new PtcpException(
                            PtcpErrorCode.JOIN_REFUSED,
                            addressText + " could not prove that it knows the session of the data channel");
        }

        @Override
        public void onFailure(Connection connection, Throwable cause) {
            onAttemptFailed(cause);
            connection.close();
        }

        @Override
        public void onInactive(Connection connection) {
            onAttemptFailed(new PtcpException(
                    PtcpErrorCode.CONNECTION_LOST, addressText + " closed a data channel before it had joined"));
        }

        /** An attempt to open the data channel failed. Called once for each attempt. */
        private void onAttemptFailed(Throwable cause) {
            if (!dialling) {
                return;
            }
            dialling = false;
            if (session != null && session.isOpening() && lanes.isEmpty()) {
                fail(cause);
                return;
            }
            LOG.atInfo()
                    .addKeyValue("stream", stream)
                    .addKeyValue("cause", String.valueOf(cause.getMessage()))
                    .log("Cannot open a data channel; trying again");
            failures = REDIAL.failuresAfter(failures, 0);
            redialLater();
        }

        /** The data channel had joined and was lost. */
        void onGone() {
            failures = REDIAL.failuresAfter(failures, System.nanoTime() - joinedNanos);
            redialLater();
        }

        private void redialLater() {
            if (session != null && session.wantsStreams() && !retired) {
                loop.schedule(this::dialStream, REDIAL.waitNanos(failures, random), TimeUnit.NANOSECONDS);
            }
        }
    }

    private void onJoined(NettySession joined, Connection connection, int stream) {
        boolean first = joined.isOpening();
        joined.addStream(connection, stream);
        if (first) {
            stopDeadline();
            if (communication != null) {
                communication.send(new ControlFrame.Ready());
            }
            joined.open();
            promise.trySuccess(joined);
        }
    }

    @Override
    public void onStreamGone(NettySession from, int stream) {
        Lane lane = lanes.remove(stream);
        if (lane != null) {
            lane.onGone();
        }
    }

    @Override
    public void onSessionOver(NettySession over, PtcpException cause) {
        fail(cause);
        lanes.clear();
    }
}
