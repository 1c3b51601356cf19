package io.hawser.it.hostile;

import io.hawser.core.config.HostPort;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Serving;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.MalformedMessageException;
import io.hawser.core.wire.SessionCodec;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpDialler;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node without a state machine: it makes a session with a broker, says what it is told to say in any order, keeps no promise, and records what
 * comes back. It never answers by itself.
 *
 * <p>Thread: any.
 */
public final class RawNode implements AutoCloseable {
    /** The hop that a dialler publishes on; its subscriptions have numbers of its choice above it. */
    public static final int PUBLISHING_HOP = 0;

    /** How long one answer may take; the tests lengthen it on an overloaded machine. */
    private static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("hawser.test.patience", 1));

    /** More than a broker has buffers for reading, and few enough that each gets large packets. */
    private static final int MANY_STREAMS = 16;

    /** Longer than any test. */
    private static final Duration FOR_LONG = Duration.ofHours(1);

    /** What is remembered of what came back; more is only counted. */
    private static final int MOST_HEARD = 100_000;

    /** So many messages of a flood are written in one turn of the loop. */
    private static final int FLOOD_STEP = 256;

    /** A flood pauses while so much waits to leave. */
    private static final long MOST_PENDING_BYTES = 1 << 20;

    /** A packet: its header, and the bytes that follow. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Packet(StreamHeader header, byte[] payload) {}

    private final NodeId id;
    private final PtcpSession session;
    private final Peer peer;

    private RawNode(NodeId id, PtcpSession session, Peer peer) {
        this.id = id;
        this.session = session;
        this.peer = peer;
    }

    /**
     * Makes a session.
     *
     * @param loops where it lives; several raw nodes may share them
     * @param tls its certificate; null for a broker without TLS
     * @throws PtcpException if the broker refuses the session, with the sentence that it gave
     */
    public static RawNode connect(EventLoopGroup loops, HostPort broker, @Nullable NodeTls tls, Greeting greeting)
            throws PtcpException {
        return connect(
                loops, broker, tls, greeting, PtcpOptions.DEFAULT.withStreams(1), new Peer((session, handler) -> {}));
    }

    /** The same with many streams and for long; see {@link #stopReading}. */
    static RawNode connectPatiently(EventLoopGroup loops, HostPort broker, NodeTls tls, Greeting greeting)
            throws PtcpException {
        PtcpOptions options = PtcpOptions.DEFAULT.withStreams(MANY_STREAMS).withSilence(FOR_LONG);
        return connect(loops, broker, tls, greeting, options, new Peer((session, handler) -> {}));
    }

    private static RawNode connect(
            EventLoopGroup loops,
            HostPort broker,
            @Nullable NodeTls tls,
            Greeting greeting,
            PtcpOptions plain,
            Peer peer)
            throws PtcpException {
        PtcpOptions options = plain.withSsl(tls == null ? null : tls.clientContext());
        InetSocketAddress address = new InetSocketAddress(broker.host(), broker.port());
        try {
            PtcpSession session = new PtcpDialler()
                    .connect(loops, address, greeting.encode(), options, peer)
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            return new RawNode(greeting.node(), session, peer);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PtcpException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its node id: the publisher in the keys of its own transfers. */
    public NodeId id() {
        return id;
    }

    /** A session that another node has made with a raw broker. It says nothing by itself either. */
    static RawNode accepted(NodeId id, PtcpSession session, PtcpHandler handler) {
        return new RawNode(id, session, (Peer) handler);
    }

    /** The handler of a session that {@code opened} is told of. */
    static PtcpHandler handler(BiConsumer<PtcpSession, PtcpHandler> opened) {
        return new Peer(opened);
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
    public RawNode subscribe(int hop, String name, String topic, Serving serving) {
        return send(subscription(hop, name, topic, serving));
    }

    /** The message that asks for it. */
    static SessionMessage subscription(int hop, String name, String topic, Serving serving) {
        return new SessionMessage.Subscribe(hop, name, new Topic(topic), StartAt.EARLIEST, AckLevel.DURABLE, serving);
    }

    /** Queues a packet. It leaves when the broker reads. */
    public RawNode send(Packet packet) {
        return queue(List.of(encoded(packet)).iterator());
    }

    /** The same with any bytes as a header. */
    public RawNode sendPacket(byte[] header, byte[] payload) {
        return queue(List.of(new PtcpPacket(Unpooled.wrappedBuffer(header), Unpooled.wrappedBuffer(payload)))
                .iterator());
    }

    private RawNode queue(Iterator<PtcpPacket> packets) {
        peer.outgoing.add(packets);
        session.loop().execute(session::wakeStreams);
        return this;
    }

    private static ByteBuf encoded(SessionMessage message) {
        ByteBuf bytes = Unpooled.buffer();
        SessionCodec.encode(bytes, message);
        return bytes;
    }

    private static PtcpPacket encoded(Packet packet) {
        ByteBuf header = Unpooled.buffer();
        StreamHeaderCodec.encode(header, packet.header());
        return new PtcpPacket(header, Unpooled.wrappedBuffer(packet.payload()));
    }

    /** Says {@code count} messages as fast as the broker takes them; returns when they have left, or the session is over. */
    public void flood(int count, IntFunction<SessionMessage> message) {
        int next = 0;
        while (next < count && isOpen()) {
            int from = next;
            int to = Math.min(count, next + FLOOD_STEP);
            boolean wrote = onLoop(() -> {
                if (session.pendingControlBytes() > MOST_PENDING_BYTES) {
                    return false;
                }
                for (int i = from; i < to; i++) {
                    session.sendControl(encoded(message.apply(i)));
                }
                return true;
            });
            if (wrote) {
                next = to;
            } else {
                pause();
            }
        }
    }

    /** Queues {@code count} packets, each made when a stream can take it, and returns at once; {@link #packetsSent} counts them. */
    public RawNode floodPackets(int count, IntFunction<Packet> packet) {
        return queue(IntStream.range(0, count)
                .mapToObj(i -> encoded(packet.apply(i)))
                .iterator());
    }

    /** How many packets a stream has taken. */
    public long packetsSent() {
        return onLoop(() -> peer.packetsSent);
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

    /** Whether the session is up. */
    public boolean isOpen() {
        return !peer.closed.isDone();
    }

    /** Why the session is over; empty while it is up. */
    public Optional<String> whyClosed() {
        return Optional.ofNullable(peer.closed.getNow(null));
    }

    @Override
    public void close() {
        session.close("the raw node is done");
        try {
            peer.closed.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException("the session did not end", e);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private <T> T onLoop(Callable<T> task) {
        try {
            return session.loop().submit(task).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Records. Thread: the session's loop, but for the queue and the lists. */
    private static final class Peer implements PtcpHandler {
        final List<SessionMessage> heard = new ArrayList<>();
        final List<Packet> packets = new ArrayList<>();
        final ConcurrentLinkedQueue<Iterator<PtcpPacket>> outgoing = new ConcurrentLinkedQueue<>();
        final CompletableFuture<String> closed = new CompletableFuture<>();
        private final Map<Integer, StreamHeader> arriving = new HashMap<>();
        private long heardCount;
        private final BiConsumer<PtcpSession, PtcpHandler> opened;
        private long packetsSent;
        private boolean readsPackets = true;

        Peer(BiConsumer<PtcpSession, PtcpHandler> opened) {
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
            return Unpooled.directBuffer(payloadLength, Math.max(1, payloadLength));
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
        public @Nullable PtcpPacket nextPacket(PtcpSession session, int stream) {
            Iterator<PtcpPacket> first = outgoing.peek();
            while (first != null && !first.hasNext()) {
                outgoing.remove();
                first = outgoing.peek();
            }
            if (first == null) {
                return null;
            }
            packetsSent++;
            return first.next();
        }

        @Override
        public void onStreamLost(PtcpSession session, int stream) {
            arriving.remove(stream);
        }

        @Override
        public void onClosed(PtcpSession session, PtcpException cause) {
            closed.complete(String.valueOf(cause.getMessage()));
        }
    }
}
