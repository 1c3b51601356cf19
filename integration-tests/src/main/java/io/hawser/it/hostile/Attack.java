package io.hawser.it.hostile;

import io.hawser.core.config.HostPort;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.ptcp.NettyTransports;
import io.hawser.ptcp.PtcpException;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program that does one thing to a broker that it has no right to, again and again, until its standard input ends: {@code Attack KIND
 * HOST:PORT KEYS}. It prints {@link #BEGUN}, and at its end how often it did it.
 *
 * <p>Thread: main attacks; another waits for the end of standard input.
 */
public final class Attack {
    public enum Kind {
        /** Packets of transfers that it never announces, on a topic without a right. */
        PACKETS("packets without OPEN"),
        /** Packets whose bytes do not agree with their CRC; after the broker has ended the session, from a new one. */
        DAMAGE("packets with a wrong CRC"),
        /** CANCELs of transfers that the broker does not know. */
        CANCELS("CANCELs of unknown keys"),
        /** Subscriptions to topics of its own, until it has as many as it may, and more. */
        SUBSCRIPTIONS("subscriptions"),
        /** Sessions that it makes and ends. */
        SESSIONS("sessions"),
        /** TCP connections from an address of its own that say nothing. It needs no certificate. */
        SILENCE("silent TCP connections");

        private final String what;

        Kind(String what) {
            this.what = what;
        }

        /** As a phrase. */
        public String what() {
            return what;
        }
    }

    /** The name in the attacker's certificate. */
    public static final String NAME = "mallory";

    /** What it may do: make sessions, and subscribe to topics of its own. */
    public static final String RULES = "agent-a:" + NAME + " publish plans\nagent-b:" + NAME + " subscribe plans*\n";

    /** The first line that it prints, when it has done its thing for the first time. */
    public static final String BEGUN = "begun";

    /** Another address of loopback than the honest nodes', so that limits by address are the attacker's own. */
    private static final String OWN_ADDRESS = "127.0.0.66";

    private static final int AT_ONCE = 2_000;
    private static final long MOST_QUEUED_PACKETS = 4_000;
    /** So many connections stay open; the broker ends the older ones itself. */
    private static final int SILENT_OPEN = 1_000;

    private static final int SILENT_PER_SECOND = 2_000;
    private static final long REFUSED_PAUSE_MILLIS = 20;

    private final Kind kind;
    private final HostPort broker;
    private final NodeTls tls;
    private final EventLoopGroup loops = NettyTransports.newNioGroup(1);
    private final SplittableRandom random = new SplittableRandom();
    private final AtomicLong done = new AtomicLong();
    private volatile boolean over;

    private Attack(Kind kind, HostPort broker, NodeTls tls) {
        this.kind = kind;
        this.broker = broker;
        this.tls = tls;
    }

    /** Attacks until standard input ends. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Kind kind = Kind.valueOf(arguments[0]);
        NodeTls tls = NodeTls.load(Path.of(arguments[2]), role(kind));
        Attack attack = new Attack(kind, HostPort.parse(arguments[1]), tls);
        Thread end = new Thread(() -> attack.awaitEnd(System.in), "end");
        end.setDaemon(true);
        end.start();
        attack.run();
        System.out.println(attack.done.get());
        System.exit(0); // also where the broker does not answer
    }

    /** In which role its certificate is. */
    public static Role role(Kind kind) {
        return kind == Kind.SUBSCRIPTIONS ? Role.AGENT_B : Role.AGENT_A;
    }

    private void awaitEnd(InputStream input) {
        try {
            while (input.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            System.err.println("standard input: " + e); // it has ended, too
        }
        over = true;
    }

    private void run() throws IOException, InterruptedException {
        if (kind == Kind.SILENCE) {
            connectSilently();
            return;
        }
        while (!over) {
            try (FloodNode node = FloodNode.connect(loops, broker, tls, greeting())) {
                if (kind == Kind.SESSIONS) {
                    did(1);
                } else {
                    say(node);
                }
            } catch (PtcpException e) {
                Thread.sleep(REFUSED_PAUSE_MILLIS);
            }
        }
    }

    private void did(long times) {
        if (times > 0 && done.getAndAdd(times) == 0) {
            System.out.println(BEGUN);
        }
    }

    private Greeting greeting() {
        Greeting.Role role = Greeting.Role.valueOf(role(kind).name());
        return new Greeting(role, new NodeId(random.nextLong(), random.nextLong()), 1);
    }

    private void say(FloodNode node) throws InterruptedException {
        long queued = 0;
        long began = done.get();
        while (!over && node.isOpen()) {
            if (kind == Kind.PACKETS || kind == Kind.DAMAGE) {
                long sent = node.packetsSent();
                did(began + sent - done.get());
                if (queued - sent > MOST_QUEUED_PACKETS) {
                    Thread.sleep(1);
                } else {
                    node.floodPackets(AT_ONCE, i -> packet(node.id()));
                    queued += AT_ONCE;
                }
            } else {
                node.flood(AT_ONCE, i -> message(node.id(), i));
                did(AT_ONCE);
            }
        }
    }

    private SessionMessage message(NodeId node, int number) {
        if (kind == Kind.CANCELS) {
            return new SessionMessage.OfHop(FloodNode.PUBLISHING_HOP, new HopMessage.Cancel(key(node), "never mind"));
        }
        String name = "plans" + random.nextInt(1_000_000);
        return FloodNode.subscription(1 + number, name, name, ServingMode.NONE);
    }

    private TransferKey key(NodeId node) {
        return new TransferKey(node, new TransferId(System.currentTimeMillis() << 16, random.nextLong()));
    }

    private FloodNode.Packet packet(NodeId node) {
        byte[] payload = new byte[1];
        int crc = Crc32c.of(ByteBuffer.wrap(payload)) + (kind == Kind.DAMAGE ? 1 : 0);
        int fragmentLength = kind == Kind.DAMAGE ? 1 : 2;
        PacketHeader header = new PacketHeader(key(node), 0, 0, 1, fragmentLength, crc, new byte[32], false);
        return new FloodNode.Packet(new StreamHeader.OfFragment(FloodNode.PUBLISHING_HOP, header), payload);
    }

    private void connectSilently() throws IOException, InterruptedException {
        InetSocketAddress to = new InetSocketAddress(broker.host(), broker.port());
        InetSocketAddress from = new InetSocketAddress(InetAddress.getByName(OWN_ADDRESS), 0);
        Deque<SocketChannel> open = new ArrayDeque<>();
        long began = System.nanoTime();
        while (!over) {
            double seconds = (System.nanoTime() - began) / 1e9;
            if (done.get() > seconds * SILENT_PER_SECOND) {
                Thread.sleep(1);
                continue;
            }
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.bind(from);
            channel.connect(to);
            open.add(channel);
            did(1);
            if (open.size() > SILENT_OPEN) {
                open.remove().close();
            }
        }
    }
}
