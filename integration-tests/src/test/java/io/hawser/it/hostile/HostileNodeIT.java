package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.it.harness.Curl;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node with a valid certificate says what it has no right to say. */
class HostileNodeIT extends HostileScenario {
    private static final String PLANS = "plans";
    private static final String SUBSCRIPTION = ProcessChain.SUBSCRIPTION;
    private static final int FRAGMENT_BYTES = 64 << 10;
    private static final long LOG_LIMIT_BYTES = 64 << 10;
    private static final long HEAP_LIMIT_BYTES = 24 * MIB;

    @Test
    void publishesOnlyWithTheRight() throws Exception {
        startAll("agent-a:mallory publish " + PLANS + "\n");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            SampleTransfer allowed = file(mallory.id(), PLANS, "allowed", 200_000);
            SampleTransfer denied = file(mallory.id(), ProcessChain.TOPIC, "denied", 200_000);
            SampleTransfer small = file(mallory.id(), ProcessChain.TOPIC, "small", 100);
            HonestMessages.publish(mallory, allowed);
            HonestMessages.publish(mallory, denied).send(HonestMessages.small(RawNode.PUBLISHING_HOP, small, false));
            await("COMMITTED").until(() -> mallory.heard(HopMessage.Committed.class).stream()
                    .anyMatch(committed -> committed.key().equals(allowed.key())));
            for (SampleTransfer each : new SampleTransfer[] {denied, small}) {
                await("a refusal").until(() -> mallory.heard(HopMessage.Refuse.class).stream()
                        .anyMatch(refuse -> refuse.key().equals(each.key())
                                && refuse.refusal().code() == ErrorCode.NOT_ALLOWED));
            }
            assertThat(mallory.isOpen()).isTrue();
        }
        awaitAudited(
                "publish",
                line -> line.contains(
                                "\"who\":\"agent-a:mallory\",\"what\":\"publish\",\"object\":\"" + ProcessChain.TOPIC)
                        && line.contains("\"result\":\"no right\""));
        assertHonestIsServed("honest");
    }

    /** An upload that has stopped in its middle: the broker has a part of it. */
    private Curl uploadHalf(Path source, String name) throws Exception {
        Curl curl = Curl.uploadPart(chain.ftp(), source, name, 3 * MIB);
        await("the broker's part of " + name)
                .until(() -> chain.status(Part.BROKER, name).isPresent());
        return curl;
    }

    private void awaitSubscribed() {
        await("the subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"" + SUBSCRIPTION + "\""));
    }

    private void awaitCommitted(String name) {
        await("the commit of " + name).until(() -> chain.status(Part.BROKER, name)
                .filter(status -> status.state().equals("committed"))
                .isPresent());
    }

    private void finish(Curl curl, Path source, String name) throws Exception {
        curl.resume();
        assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        awaitDelivered(source, name);
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void cancelOfAnothersUploadIsRefusedAndAuditedAndTheUploadIsDelivered() throws Exception {
        startAll("agent-a:mallory publish " + ProcessChain.TOPIC + "\nclient:ops cancel " + PLANS + "\n");
        Path source = sample("victim", 5 * MIB, 1);
        try (Curl curl = uploadHalf(source, "victim");
                RawNode mallory = raw(Role.AGENT_A, "mallory");
                RawNode ops = raw(Role.CLIENT, "ops")) {
            TransferKey key = keyOf("victim");
            for (RawNode node : List.of(mallory, ops)) {
                node.send(new HopMessage.Cancel(key, "gone"));
                await("a refusal").until(() -> node.heard(HopMessage.Refuse.class).stream()
                        .anyMatch(refuse ->
                                refuse.key().equals(key) && refuse.refusal().code() == ErrorCode.NOT_ALLOWED));
                assertThat(node.heard(HopMessage.Cancelled.class)).isEmpty();
            }
            finish(curl, source, "victim");
            for (String who : List.of("agent-a:mallory", "client:ops")) {
                awaitAudited(
                        "the cancel",
                        line -> line.contains("\"who\":\"" + who + "\",\"what\":\"cancel\",\"object\":\"" + key)
                                && line.contains("\"result\":\"no right\""));
            }
        }
    }

    @Test
    @Invariant({InvariantName.NO_FORGET, InvariantName.AUTHORISED_BEFORE_MEMORY})
    void recallsOfAndQuestionsAboutAnothersTransferAreRefusedAndItIsDelivered() throws Exception {
        startAll("agent-a:mallory all " + ProcessChain.TOPIC + "\n");
        awaitSubscribed();
        chain.kill(Part.AGENT_B);
        Path source = sample("victim", 3 * MIB, 1);
        upload(source, "victim");
        awaitCommitted("victim");
        TransferKey key = keyOf("victim");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            List<HopMessage> lies =
                    List.of(new HopMessage.Recall(key, "gone"), new HopMessage.AskProgress(List.of(key)));
            for (HopMessage lie : lies) {
                int before = mallory.heard(HopMessage.Refuse.class).size();
                mallory.send(lie);
                await("a refusal of " + lie)
                        .until(() -> mallory.heard(HopMessage.Refuse.class).size() > before);
            }
            assertThat(mallory.heard(HopMessage.Refuse.class))
                    .allMatch(refuse ->
                            refuse.key().equals(key) && refuse.refusal().code() == ErrorCode.NOT_ALLOWED);
            TransferKey own = file(mallory.id(), ProcessChain.TOPIC, "own", 100).key();
            mallory.send(new HopMessage.AskProgress(List.of(own, key))); // one foreign key is enough
            mallory.send(7, new HopMessage.Recall(key, "gone")); // on a hop that it does not have
            mallory.awaitHeard();
            assertThat(mallory.heard(HopMessage.Progress.class)).isEmpty();
        }
        for (String what : List.of("RECALL", "ASK_PROGRESS")) {
            awaitAudited(
                    what,
                    line -> line.contains("\"who\":\"agent-a:mallory\",\"what\":\"" + what + "\",\"object\":\"" + key));
        }
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "victim");
        await("the receipt").until(() -> receipts("victim", "delivered") == 1);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void cancelWithTheRightEndsTheUploadAndTheClientIsTold() throws Exception {
        startAll("client:ops cancel " + ProcessChain.TOPIC + "\n");
        Path source = sample("unwanted", 5 * MIB, 1);
        try (Curl curl = uploadHalf(source, "unwanted");
                RawNode ops = raw(Role.CLIENT, "ops")) {
            TransferKey key = keyOf("unwanted");
            ops.send(new HopMessage.Cancel(key, "wrong file"));
            await("CANCELLED")
                    .until(() -> ops.heard(HopMessage.Cancelled.class).contains(new HopMessage.Cancelled(key)));
            curl.resume();
            assertThat(curl.await(LIMIT)).isNotZero();
            assertThat(Files.readString(chain.logFile(Part.AGENT_A))).contains("client:ops cancelled it: wrong file");
        }
        assertHonestIsServed("honest");
        assertThat(visible(chain.target())).containsExactly("honest");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void receiptsOfAnotherAreNotSwallowed() throws Exception {
        startAll("agent-a:mallory all " + ProcessChain.TOPIC + "\n");
        awaitSubscribed();
        chain.kill(Part.AGENT_B);
        Path source = sample("one", 3 * MIB, 1);
        upload(source, "one");
        awaitCommitted("one");
        TransferKey key = keyOf("one");
        chain.kill(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "one");
        await("the receipt at the broker").until(() -> chain.status(Part.BROKER, "one").stream()
                .flatMap(status -> status.receipts().stream())
                .anyMatch(receipt -> receipt.status().equals("delivered")));
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            mallory.send(new HopMessage.ReceiptAck(key, SUBSCRIPTION, ReceiptStatus.DELIVERED));
            mallory.awaitHeard();
        }
        awaitAudited("the receipt", line -> line.contains("\"what\":\"RECEIPT_ACK\",\"object\":\"" + key));

        chain.start(Part.AGENT_A);

        await("the receipt").until(() -> receipts("one", "delivered") == 1);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void receiptsOfAConsumerThatWasNeverOwedTheTransferAreNotShown() throws Exception {
        startAll("agent-b:mallory subscribe " + PLANS + "\n");
        awaitSubscribed();
        chain.kill(Part.AGENT_B);
        Path source = sample("one", 3 * MIB, 1);
        upload(source, "one");
        awaitCommitted("one");
        TransferKey key = keyOf("one");
        try (RawNode mallory = raw(Role.AGENT_B, "mallory")) {
            mallory.subscribe(1, "m", PLANS, ServingMode.NONE);
            await("SUBSCRIBED")
                    .until(() -> mallory.heard().stream().anyMatch(SessionMessage.Subscribed.class::isInstance));
            for (ReceiptStatus status : ReceiptStatus.values()) {
                mallory.send(1, new HopMessage.ReceiptNotice(new Receipt(key, SUBSCRIPTION, status, "lie", 1)));
            }
            mallory.send(1, new HopMessage.Committed(key, List.of(SUBSCRIPTION)));
            mallory.send(1, new HopMessage.Refuse(key, new Refusal(ErrorCode.ID_USED, "lie")));
            awaitAudited("the receipt", line -> line.contains("\"what\":\"RECEIPT\",\"object\":\"" + key));
            assertThat(mallory.heard(HopMessage.ReceiptAck.class)).isEmpty();
        }
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "one");
        await("the receipt").until(() -> receipts("one", "delivered") == 1);
        assertThat(chain.status(Part.AGENT_A, "one").orElseThrow().receipts())
                .hasSize(1)
                .allMatch(receipt -> receipt.subscription().equals(SUBSCRIPTION));
    }

    // --- the matrix
    /** Every message of a hop about that transfer, and its packets: right, damaged, and one byte of it. */
    private static void sayAll(RawNode node, SampleTransfer about) {
        TransferKey key = about.key();
        List<HopMessage> messages = List.of(
                new HopMessage.CommitTransfer(key, about.commit()),
                new HopMessage.ReceiptAck(key, SUBSCRIPTION, ReceiptStatus.DELIVERED),
                new HopMessage.ReceiptAck(key, "nobody", ReceiptStatus.LANDED),
                new HopMessage.Cancel(key, "gone"),
                new HopMessage.AskProgress(List.of(key)),
                new HopMessage.Progress(List.of(new FarEndProgress(key, SUBSCRIPTION, Long.MAX_VALUE, true))),
                new HopMessage.Open(about.manifest(), true),
                new HopMessage.Open(about.manifest(), false),
                new HopMessage.Resume(key, FragmentRanges.of(0, Long.MAX_VALUE)),
                new HopMessage.Ack(key, FragmentRanges.of(0, Long.MAX_VALUE)),
                new HopMessage.Nack(key, Long.MAX_VALUE),
                new HopMessage.Committed(key, List.of(SUBSCRIPTION)),
                new HopMessage.ReceiptNotice(new Receipt(key, SUBSCRIPTION, ReceiptStatus.DELIVERED, "", 1)),
                new HopMessage.Cancelled(key),
                new HopMessage.Refuse(key, new Refusal(ErrorCode.TOO_LARGE, "no")),
                new HopMessage.Recall(key, "gone"),
                new HopMessage.Credit(Long.MAX_VALUE));
        for (int hop : new int[] {RawNode.PUBLISHING_HOP, 7}) {
            messages.forEach(message -> node.send(hop, message));
            FloodNode.Packet good = HonestMessages.fragment(hop, about, 0);
            PacketHeader header = ((StreamHeader.OfFragment) good.header()).header();
            node.send(good);
            node.send(new FloodNode.Packet(
                    new StreamHeader.OfFragment(hop, withLength(header, header.length(), header.crc32c() + 1)),
                    good.payload()));
            node.send(new FloodNode.Packet(
                    new StreamHeader.OfFragment(hop, withLength(header, 1, header.crc32c())),
                    Arrays.copyOf(good.payload(), 1)));
        }
        node.awaitHeard();
    }

    private static PacketHeader withLength(PacketHeader header, int length, int crc) {
        return new PacketHeader(
                header.key(),
                header.index() + 1,
                header.offset(),
                length,
                header.fragmentLength(),
                crc,
                header.leaf(),
                header.resent());
    }

    @Test
    @Invariant({InvariantName.AUTHORISED_BEFORE_MEMORY, InvariantName.REFUSE_DONT_CORRUPT})
    void everyMessageAboutEveryKeyWithAndWithoutTheRight() throws Exception {
        startAll("agent-a:mallory publish " + ProcessChain.TOPIC + "\nagent-a:eve publish " + PLANS + "\n");
        assertHonestIsServed("before");
        Path source = sample("victim", 5 * MIB, 1);
        try (Curl curl = uploadHalf(source, "victim")) {
            long heapBefore = brokerHeapBytes();
            long dataBefore = dataBytes(Part.BROKER);
            for (String name : List.of("mallory", "eve")) {
                NodeTls tls = keysOf(Role.AGENT_A, name);
                NodeId id = newNode();
                List<SampleTransfer> abouts = List.of(
                        file(keyOf("victim"), ProcessChain.TOPIC, "victim", 3 * FRAGMENT_BYTES), // open
                        file(keyOf("before"), ProcessChain.TOPIC, "before", 3 * FRAGMENT_BYTES), // finished
                        file(newNode(), ProcessChain.TOPIC, "unknown", 3 * FRAGMENT_BYTES),
                        file(id, ProcessChain.TOPIC, name, 3 * FRAGMENT_BYTES),
                        file(id, ProcessChain.TOPIC, "../../" + name, 3 * FRAGMENT_BYTES));
                for (SampleTransfer about : abouts) {
                    try (RawNode node = raw(Role.AGENT_A, tls, id)) {
                        sayAll(node, about);
                    }
                }
                SampleTransfer own = file(id, ProcessChain.TOPIC, name + "-committed", 3 * FRAGMENT_BYTES);
                try (RawNode node = raw(Role.AGENT_A, tls, id)) {
                    HonestMessages.publish(node, own);
                    await("an answer")
                            .until(() -> node.heard(HopMessage.Committed.class).size()
                                            + node.heard(HopMessage.Refuse.class)
                                                    .size()
                                    > 0);
                    assertThat(node.heard(HopMessage.Committed.class)).hasSize(name.equals("mallory") ? 1 : 0);
                    sayAll(node, own); // after COMMIT
                }
            }
            assertThat(brokerHeapBytes() - heapBefore).as("heap").isLessThan(HEAP_LIMIT_BYTES);
            assertThat(logGrowthBytes(Part.BROKER)).as("log").isLessThan(LOG_LIMIT_BYTES);
            assertThat(dataBytes(Part.BROKER) - dataBefore).as("data").isLessThan(8 * MIB);
            finish(curl, source, "victim");
        }
        assertHonestIsServed("after");
        assertThat(visible(chain.target()))
                .contains("before", "victim", "after")
                .doesNotContain("unknown", "eve", "eve-committed");
        assertThat(audited())
                .anyMatch(line -> line.contains("agent-a:mallory\",\"what\":\"OPEN"))
                .anyMatch(line -> line.contains("agent-a:mallory\",\"what\":\"COMMIT"))
                .anyMatch(line -> line.contains("agent-a:mallory\",\"what\":\"RECEIPT_ACK"))
                .anyMatch(line -> line.contains("agent-a:mallory\",\"what\":\"RECALL"))
                .anyMatch(line -> line.contains("agent-a:mallory\",\"what\":\"ASK_PROGRESS"))
                .anyMatch(line -> line.contains("agent-a:eve\",\"what\":\"cancel"))
                .anyMatch(line -> line.contains("agent-a:eve\",\"what\":\"publish"));
    }
}
