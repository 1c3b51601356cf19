package io.hawser.it.hostile;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.wire.Greeting;
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
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A node without a state machine: it makes a session with a broker, and sends messages and packets as fast as the broker takes them. It drops
 * what comes back, and never answers by itself.
 *
 * <p>Thread: any.
 */
public class FloodNode implements AutoCloseable {
    /** The hop that a dialler publishes on; its subscriptions have numbers of its choice above it. */
    public static final int PUBLISHING_HOP = 0;

    /** How long one answer may take; the tests lengthen it on an overloaded machine. */
    static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("hawser.test.patience", 1));

    static final PtcpOptions ONE_STREAM = PtcpOptions.DEFAULT.withStreams(1);

    /** So many messages of a flood are written in one turn of the loop. */
    private static final int FLOOD_STEP = 256;

    /** A flood pauses while so much waits to leave. */
    private static final long MOST_PENDING_BYTES = 1 << 20;

    /** A packet: its header, and the bytes that follow. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Packet(StreamHeader header, byte[] payload) {}

    final PtcpSession session;
    private final NodeId id;
    private final Peer peer;

    FloodNode(NodeId id, PtcpSession session, Peer peer) {
        this.id = id;
        this.session = session;
        this.peer = peer;
    }

    /**
     * @param loops where it lives; several nodes may share them
     * @param tls its certificate; null for a broker without TLS
     * @throws PtcpException if the broker refuses the session, with the sentence that it gave
     */
    public static FloodNode connect(EventLoopGroup loops, HostPort broker, @Nullable NodeTls tls, Greeting greeting)
            throws PtcpException {
        Peer peer = new Peer();
        return new FloodNode(greeting.node(), dial(loops, broker, tls, greeting, ONE_STREAM, peer), peer);
    }

    static PtcpSession dial(
            EventLoopGroup loops,
            HostPort broker,
            @Nullable NodeTls tls,
            Greeting greeting,
            PtcpOptions plain,
            PtcpHandler handler)
            throws PtcpException {
        PtcpOptions options = plain.withSsl(tls == null ? null : tls.clientContext());
        InetSocketAddress address = new InetSocketAddress(broker.host(), broker.port());
        try {
            return new PtcpDialler()
                    .connect(loops, address, greeting.encode(), options, handler)
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
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

    /** The message that asks for a subscription, from the earliest that is kept. */
    static SessionMessage subscription(int hop, String name, String topic, ServingMode serving) {
        return new SessionMessage.Subscribe(hop, name, new Topic(topic), StartAt.EARLIEST, AckLevel.DURABLE, serving);
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

    static ByteBuf encoded(SessionMessage message) {
        ByteBuf bytes = Unpooled.buffer();
        SessionCodec.encode(bytes, message);
        return bytes;
    }

    /** Queues {@code count} packets, each made when a stream can take it, and returns at once; {@link #packetsSent} counts them. */
    public void floodPackets(int count, IntFunction<Packet> packet) {
        queue(IntStream.range(0, count).mapToObj(i -> encoded(packet.apply(i))).iterator());
    }

    /** Packets that leave when the broker reads. */
    final void queue(Iterator<PtcpPacket> packets) {
        peer.outgoing.add(packets);
        session.loop().execute(session::wakeStreams);
    }

    static PtcpPacket encoded(Packet packet) {
        ByteBuf header = Unpooled.buffer();
        StreamHeaderCodec.encode(header, packet.header());
        return new PtcpPacket(header, Unpooled.wrappedBuffer(packet.payload()));
    }

    /** How many packets a stream has taken. */
    public long packetsSent() {
        return onLoop(() -> peer.packetsSent);
    }

    /** Whether the session is up. */
    public boolean isOpen() {
        return !peer.closed.isDone();
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

    final <T> T onLoop(Callable<T> task) {
        try {
            return session.loop().submit(task).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives the session what was queued. Thread: the session's loop, but for the queue. */
    static class Peer implements PtcpHandler {
        final CompletableFuture<String> closed = new CompletableFuture<>();
        private final ConcurrentLinkedQueue<Iterator<PtcpPacket>> outgoing = new ConcurrentLinkedQueue<>();
        private long packetsSent;

        @Override
        public void onOpen(PtcpSession session) {}

        @Override
        public void onControl(PtcpSession session, ByteBuf message) {}

        @Override
        public @Nullable ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength) {
            return Unpooled.directBuffer(payloadLength, Math.max(1, payloadLength));
        }

        @Override
        public void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload) {}

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
        public void onStreamLost(PtcpSession session, int stream) {}

        @Override
        public void onClosed(PtcpSession session, PtcpException cause) {
            closed.complete(String.valueOf(cause.getMessage()));
        }
    }
}
