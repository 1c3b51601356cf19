package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.it.harness.Curl;
import io.hawser.it.harness.HeapProbe;
import io.hawser.it.scenario.Scenario;
import io.hawser.ptcp.NettyTransports;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker that lies to the agents, and relays what a publisher lies about. Agents stay alive and bounded, and publish nothing wrong. */
class HostileBrokerIT extends Scenario {
    private static final int FRAGMENT_BYTES = 64 << 10;
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final long HEAP_LIMIT_BYTES = 24 * MIB;

    private final EventLoopGroup loops = NettyTransports.newNioGroup(1);
    private long numbers;

    @SuppressWarnings("NullAway.Init") // before each test
    private RawBroker broker;

    @BeforeEach
    void listen() throws Exception {
        broker = RawBroker.listen(loops);
    }

    @AfterEach
    void end() {
        broker.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private RawNode session(Greeting.Role role) {
        AtomicReference<RawNode> found = new AtomicReference<>();
        await("the session of " + role).until(() -> {
            broker.session(role).ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    private SampleTransfer file(
            String name, TransferKind kind, int sizeBytes, long claimedBytes, Map<String, String> facts) {
        long number = ++numbers;
        byte[] content = new byte[sizeBytes];
        new Random(number).nextBytes(content);
        TransferKey key = new TransferKey(PUBLISHER, new TransferId(System.currentTimeMillis() << 16, number));
        Manifest manifest = new Manifest(
                key,
                number,
                new Topic(ProcessChain.TOPIC),
                kind,
                name,
                List.of(name),
                claimedBytes,
                FRAGMENT_BYTES,
                facts);
        return SampleTransfer.of(manifest, content);
    }

    private SampleTransfer file(String name, int sizeBytes) {
        return file(name, TransferKind.FILE, sizeBytes, sizeBytes, Map.of());
    }

    private static void send(RawNode to, int hop, SampleTransfer transfer) {
        to.send(hop, new HopMessage.Open(transfer.manifest(), false));
        for (int i = 0; i < transfer.fragmentCount(); i++) {
            to.send(HonestMessages.fragment(hop, transfer, i));
        }
        to.send(hop, new HopMessage.CommitTransfer(transfer.key(), transfer.commit()));
    }

    @Test
    @Invariant({InvariantName.NO_FORGET, InvariantName.HONEST_ANSWERS})
    void agentABelievesNoAnswerThatCannotBe() throws Exception {
        chain.through(Part.AGENT_A, broker.address());
        chain.start(Part.AGENT_A);
        Path source = sample("one", 5 * MIB, 1);
        RawNode agent = session(Greeting.Role.AGENT_A);
        agent.send(new HopMessage.Credit(Long.MAX_VALUE));
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "one", 3 * MIB)) {
            await("OPEN").until(() -> !agent.heard(HopMessage.Open.class).isEmpty());
            TransferKey key =
                    agent.heard(HopMessage.Open.class).get(0).manifest().key();
            TransferKey foreign = new TransferKey(PUBLISHER, key.id());
            for (TransferKey each : List.of(key, foreign, new TransferKey(agent.id(), new TransferId(5, 5)))) {
                agent.send(new HopMessage.Committed(each, List.of("../x", "a\nb", "\u001b[2J")));
                agent.send(new HopMessage.Cancelled(each));
                agent.send(new HopMessage.Resume(each, FragmentRanges.of(1L << 40, Long.MAX_VALUE)));
                agent.send(new HopMessage.Nack(each, Long.MAX_VALUE));
                agent.send(new HopMessage.Nack(each, -1));
                agent.send(new HopMessage.Checked(List.of(each), List.of(each)));
                for (ReceiptStatus status : ReceiptStatus.values()) {
                    agent.send(new HopMessage.ReceiptNotice(new Receipt(foreign, "liar", status, "lie", 1)));
                }
                agent.send(new HopMessage.Ack(each, FragmentRanges.of(0, Long.MAX_VALUE)));
            }
            agent.awaitHeard();
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        await("COMMIT")
                .until(() -> !agent.heard(HopMessage.CommitTransfer.class).isEmpty());
        assertThat(chain.isRunning(Part.AGENT_A)).isTrue();

        chain.kill(Part.AGENT_A);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        chain.through(Part.AGENT_A, chain.brokerPtcp());
        chain.start(Part.AGENT_A);

        awaitDelivered(source, "one");
        await("the receipt").until(() -> receipts("one", "delivered") == 1);
        assertThat(chain.status(Part.AGENT_A, "one").orElseThrow().receipts())
                .allMatch(receipt -> receipt.subscription().equals(ProcessChain.SUBSCRIPTION));
        assertThat(Files.readString(chain.logFile(Part.AGENT_A))).doesNotContain("\tat ");
    }

    @Test
    @Invariant({InvariantName.WHOLE_OR_NOTHING, InvariantName.BOUNDED_MEMORY, InvariantName.AUTHORISED_BEFORE_MEMORY})
    void agentBPublishesNothingOfWhatLies() throws Exception {
        chain.through(Part.AGENT_B, broker.address());
        chain.start(Part.AGENT_B);
        RawNode agent = session(Greeting.Role.AGENT_B);
        await("SUBSCRIBE").until(() -> agent.heard().stream().anyMatch(SessionMessage.Subscribe.class::isInstance));
        int hop = agent.heard().stream()
                .filter(SessionMessage.Subscribe.class::isInstance)
                .findFirst()
                .orElseThrow()
                .hop();
        agent.send(new SessionMessage.Subscribed(hop));
        send(agent, hop, file("before", 3 * FRAGMENT_BYTES));
        await("the first file").until(() -> Files.exists(delivered("before")));
        long pid = chain.node(Part.AGENT_B).pid();
        long heapBefore = HeapProbe.usedBytes(pid);

        for (String name : List.of(
                "../outside",
                "a/../../outside",
                "/outside",
                "..",
                ".",
                "",
                "a//b",
                "x\u0000y",
                "long/" + "n".repeat(300),
                ".hawser-landing-" + ProcessChain.SUBSCRIPTION + "/files/x")) {
            for (TransferKind kind : TransferKind.values()) {
                int size = kind == TransferKind.FILE || kind == TransferKind.PATCH ? 2 * FRAGMENT_BYTES : 0;
                Map<String, String> facts = Map.of(
                        "to",
                        name,
                        "mode",
                        "-1",
                        "mtime",
                        "x",
                        "offset",
                        "9-1,-5",
                        "base-size",
                        "99999999999999999999");
                send(agent, hop, file(name, kind, size, size, facts));
            }
        }
        SampleTransfer wrongLeaf = file("wrong-leaf", 3 * FRAGMENT_BYTES);
        SampleTransfer wrongRoot = file("wrong-root", 3 * FRAGMENT_BYTES);
        SampleTransfer other = file("other", 3 * FRAGMENT_BYTES);
        SampleTransfer wrongSize = file("wrong-size", TransferKind.FILE, 3 * FRAGMENT_BYTES, 10, Map.of());
        SampleTransfer huge = file("huge", TransferKind.FILE, FRAGMENT_BYTES, Long.MAX_VALUE, Map.of());
        agent.send(hop, new HopMessage.Open(wrongLeaf.manifest(), false));
        for (int i = 0; i < 3; i++) {
            agent.send(withLeaf(
                    HonestMessages.fragment(hop, wrongLeaf, i), other.leaves().get(i)));
        }
        agent.send(hop, new HopMessage.CommitTransfer(wrongLeaf.key(), wrongLeaf.commit()));
        agent.send(hop, new HopMessage.Open(wrongRoot.manifest(), false));
        for (int i = 0; i < 3; i++) {
            agent.send(HonestMessages.fragment(hop, wrongRoot, i));
        }
        Commit lie = other.commit();
        agent.send(hop, new HopMessage.CommitTransfer(wrongRoot.key(), lie));
        send(agent, hop, wrongSize);
        send(agent, hop, huge);
        for (int i = 0; i < 200; i++) { // never opened
            agent.send(HonestMessages.fragment(hop, file("never-opened-" + i, FRAGMENT_BYTES), 0));
        }
        List<SampleTransfer> unknown = new ArrayList<>(List.of(file("unknown", 10), other));
        for (SampleTransfer each : unknown) {
            agent.send(hop, new HopMessage.CommitTransfer(each.key(), each.commit()));
            agent.send(hop, new HopMessage.Cancel(each.key(), "\u001b[2J"));
            agent.send(hop, new HopMessage.ReceiptAck(each.key(), ProcessChain.SUBSCRIPTION, ReceiptStatus.DELIVERED));
        }
        agent.awaitHeard();

        agent.close(); // what was never opened stands in its streams
        await("another session").until(() -> session(Greeting.Role.AGENT_B).isOpen());
        RawNode next = session(Greeting.Role.AGENT_B);
        SampleTransfer good = file("good", 3 * FRAGMENT_BYTES);
        await("SUBSCRIBE").until(() -> next.heard().stream().anyMatch(SessionMessage.Subscribe.class::isInstance));
        next.send(new SessionMessage.Subscribed(hop));
        send(next, hop, good);
        await("an honest file").until(() -> Files.exists(delivered("good")));
        assertThat(Files.readAllBytes(delivered("good"))).isEqualTo(good.content());
        assertThat(visible(chain.target())).containsExactly("before", "good");
        assertThat(directory.resolve("outside")).doesNotExist();
        assertThat(chain.target().resolveSibling("outside")).doesNotExist();
        assertThat(HeapProbe.usedBytes(pid) - heapBefore).as("heap").isLessThan(HEAP_LIMIT_BYTES);
        assertThat(Files.readString(chain.logFile(Part.AGENT_B)))
                .doesNotContain("OutOfMemoryError")
                .doesNotContain("\tat ");
    }

    private static FloodNode.Packet withLeaf(FloodNode.Packet packet, byte[] leaf) {
        StreamHeader.OfFragment of = (StreamHeader.OfFragment) packet.header();
        PacketHeader header = of.header();
        return new FloodNode.Packet(
                new StreamHeader.OfFragment(
                        of.hop(),
                        new PacketHeader(
                                header.key(),
                                header.index(),
                                header.offset(),
                                header.length(),
                                header.fragmentLength(),
                                header.crc32c(),
                                leaf,
                                header.resent())),
                packet.payload());
    }
}
