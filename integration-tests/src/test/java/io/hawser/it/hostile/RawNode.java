package io.hawser.it.hostile;

import io.hawser.core.config.HostPort;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.NodeId;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.MalformedMessageException;
import io.hawser.core.wire.SessionCodec;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node without a state machine: it makes a session with a broker, says what it is told to say in any order, keeps no promise, and records what
 * comes back. It never answers by itself.
 *
 * <p>Thread: any.
 */
public final class RawNode extends FloodNode {
    /** More than a broker has buffers for reading, and few enough that each gets large packets. */
    private static final int MANY_STREAMS = 16;

    /** Longer than any test. */
    private static final Duration FOR_LONG = Duration.ofHours(1);

    /** What is remembered of what came back; more is only counted. */
    private static final int MOST_HEARD = 100_000;

    private final Recorder peer;

    private RawNode(NodeId id, PtcpSession session, Recorder peer) {
        super(id, session, peer);
        this.peer = peer;
    }

    /** Makes a session, as {@link FloodNode#connect} does. */
    public static RawNode connect(EventLoopGroup loops, HostPort broker, @Nullable NodeTls tls, Greeting greeting)
            throws PtcpException {
        return connect(loops, broker, tls, greeting, ONE_STREAM);
    }

    /** The same with many streams and for long; see {@link #stopReading}. */
    static RawNode connectPatiently(EventLoopGroup loops, HostPort broker, NodeTls tls, Greeting greeting)
            throws PtcpException {
        PtcpOptions options = PtcpOptions.DEFAULT.withStreams(MANY_STREAMS).withSilence(FOR_LONG);
        return connect(loops, broker, tls, greeting, options);
    }

    private static RawNode connect(
            EventLoopGroup loops, HostPort broker, @Nullable NodeTls tls, Greeting greeting, PtcpOptions options)
            throws PtcpException {
        Recorder peer = new Recorder((session, handler) -> {});
        return new RawNode(greeting.node(), dial(loops, broker, tls, greeting, options, peer), peer);
    }

    /** A session that another node has made with a raw broker. It says nothing by itself either. */
    static RawNode accepted(NodeId id, PtcpSession session, PtcpHandler handler) {
        return new RawNode(id, session, (Recorder) handler);
    }

    /** The handler of a session that {@code opened} is told of. */
    static PtcpHandler handler(BiConsumer<PtcpSession, PtcpHandler> opened) {
        return new Recorder(opened);
    }

    // --- what it says
    /** Says it on the publishing hop. */
    public RawNode send(HopMessage message) {
        return send(PUBLISHING_HOP, message);
    }

    /** Says it on that hop. */
    public RawNode send(int hop, HopMessage message) {
        return send(new SessionMessage.OfHop(hop, message));
    }

    /** Says any message that has an encoding. */
    public RawNode send(SessionMessage message) {
        return sendBytes(ByteBufUtil.getBytes(encoded(message)));
    }

    /** Sends these bytes as a control message, whether they are one or not. */
    public RawNode sendBytes(byte[] message) {
        session.loop().execute(() -> session.sendControl(Unpooled.wrappedBuffer(message)));
        return this;
    }

    /** Asks for a subscription, from the earliest that is kept. */
    public RawNode subscribe(int hop, String name, String topic, ServingMode serving) {
        return send(subscription(hop, name, topic, serving));
    }

    /** Queues a packet. It leaves when the broker reads. */
    public RawNode send(Packet packet) {
        queue(List.of(encoded(packet)).iterator());
        return this;
    }

    /** The same with any bytes as a header. */
    public RawNode sendPacket(byte[] header, byte[] payload) {
        queue(List.of(new PtcpPacket(Unpooled.wrappedBuffer(header), Unpooled.wrappedBuffer(payload)))
                .iterator());
        return this;
    }

    // --- what it hears
    /** The messages that came, in their order. */
    public List<SessionMessage> heard() {
        synchronized (peer.heard) {
            return List.copyOf(peer.heard);
        }
    }

    /** Those of one kind of hop message, of all hops. */
    public <T extends HopMessage> List<T> heard(Class<T> kind) {
        return heard().stream()
                .flatMap(message ->
                        message instanceof SessionMessage.OfHop of ? Stream.of(of.message()) : Stream.empty())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The packets that came. */
    public List<Packet> packets() {
        synchronized (peer.packets) {
            return List.copyOf(peer.packets);
        }
    }

    /** Reads none of its streams any more. */
    public void stopReading() {
        onLoop(() -> peer.readsPackets = false);
    }

    /** Messages and packets that came, also those that are not remembered. */
    public long heardCount() {
        return onLoop(() -> peer.heardCount);
    }

    /** Returns when the broker has answered a question that was asked after all that was said: it has read that. */
    public void awaitHeard() {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        session.loop().execute(() -> session.probe(() -> answered.complete(true)));
        CompletableFuture<Object> either = CompletableFuture.anyOf(answered, peer.closed);
        try {
            either.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException("the broker did not answer", e);
        }
    }

    /** Why the session is over; empty while it is up. */
    public Optional<String> whyClosed() {
        return Optional.ofNullable(peer.closed.getNow(null));
    }

    /** Records. Thread: the session's loop, but for the queue and the lists. */
    private static final class Recorder extends Peer {
        final List<SessionMessage> heard = new ArrayList<>();
        final List<Packet> packets = new ArrayList<>();
        private final Map<Integer, StreamHeader> arriving = new HashMap<>();
        private long heardCount;
        private final BiConsumer<PtcpSession, PtcpHandler> opened;
        private boolean readsPackets = true;

        Recorder(BiConsumer<PtcpSession, PtcpHandler> opened) {
            this.opened = opened;
        }

        @Override
        public void onOpen(PtcpSession session) {
            opened.accept(session, this);
        }

        @Override
        public void onControl(PtcpSession session, ByteBuf message) {
            heardCount++;
            try {
                SessionMessage decoded = SessionCodec.decode(message);
                synchronized (heard) {
                    if (heard.size() < MOST_HEARD) {
                        heard.add(decoded);
                    }
                }
            } catch (MalformedMessageException e) {
                session.close("malformed: " + e.getMessage());
            }
        }

        @Override
        public @Nullable ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength) {
            if (!readsPackets) {
                return null;
            }
            try {
                arriving.put(stream, StreamHeaderCodec.decode(header.duplicate(), payloadLength));
            } catch (MalformedMessageException e) {
                session.close("malformed: " + e.getMessage());
            }
            return super.onPacketHeader(session, stream, header, payloadLength);
        }

        @Override
        public void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload) {
            heardCount++;
            StreamHeader known = arriving.remove(stream);
            synchronized (packets) {
                if (known != null && packets.size() < MOST_HEARD) {
                    packets.add(new Packet(known, ByteBufUtil.getBytes(payload)));
                }
            }
        }

        @Override
        public void onStreamLost(PtcpSession session, int stream) {
            arriving.remove(stream);
        }
    }
}
