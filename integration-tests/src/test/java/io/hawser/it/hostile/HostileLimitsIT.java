package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.it.harness.CommandRun;
import io.hawser.release.process.ProcessChain.Part;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node with a valid certificate takes all that it can get. */
class HostileLimitsIT extends HostileScenario {
    private static final int FLOOD = 40_000;
    private static final long HEAP_LIMIT_BYTES = 24 * MIB;

    private static TransferKey key(NodeId publisher, int number) {
        return new TransferKey(publisher, new TransferId(99, number));
    }

    private static FloodNode.Packet packet(NodeId publisher, int number, int length) {
        PacketHeader header =
                new PacketHeader(key(publisher, number), number, 0, 1, length, 12345, new byte[32], false);
        return new FloodNode.Packet(new StreamHeader.OfFragment(RawNode.PUBLISHING_HOP, header), new byte[1]);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void damagedPacketsWithoutOpenEndTheSessionAndFillNothing() throws Exception {
        startAll("");
        RawNode mallory = raw(Role.AGENT_A, "mallory");
        mallory.floodPackets(FLOOD, i -> packet(mallory.id(), i + 1, 1));

        await("the end of the session").until(() -> !mallory.isOpen());
        assertThat(mallory.whyClosed().orElseThrow()).contains("packets in a minute were damaged");
        assertHonestIsServed("honest");
        assertThat(logGrowthBytes(Part.BROKER)).isLessThan(64 << 10);
    }

    private long settledDataBytes() {
        AtomicLong settled = new AtomicLong();
        await("the log's spare segment").during(Duration.ofSeconds(3)).until(() -> {
            long now = dataBytes(Part.BROKER);
            return settled.getAndSet(now) == now;
        });
        return settled.get();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void cancelsOfUnknownTransfersAreAnsweredAndWriteNothing() throws Exception {
        startAll("agent-a:mallory publish plans\n");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            long before = settledDataBytes();
            mallory.flood(
                    FLOOD,
                    i -> new SessionMessage.OfHop(
                            RawNode.PUBLISHING_HOP, new HopMessage.Cancel(key(mallory.id(), i + 1), "never mind")));
            await("the answers")
                    .until(() -> mallory.heard(HopMessage.Cancelled.class).size() == FLOOD);
            assertThat(dataBytes(Part.BROKER) - before).isLessThan(MIB);
        }
        assertHonestIsServed("honest");
    }

    /** They have no answer, as those of its own transfers have none but the receipt. */
    @Test
    @Invariant({InvariantName.AUTHORISED_BEFORE_MEMORY, InvariantName.BOUNDED_MEMORY})
    void recallsOfUnknownTransfersWriteNothing() throws Exception {
        startAll("agent-a:mallory publish plans\n");
        assertHonestIsServed("before");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            long dataBefore = settledDataBytes();
            long heapBefore = brokerHeapBytes();
            mallory.flood(
                    FLOOD,
                    i -> new SessionMessage.OfHop(
                            RawNode.PUBLISHING_HOP, new HopMessage.Recall(key(mallory.id(), i + 1), "never mind")));
            mallory.awaitHeard();
            assertThat(mallory.isOpen()).isTrue();
            assertThat(brokerHeapBytes() - heapBefore).as("heap").isLessThan(HEAP_LIMIT_BYTES);
            assertThat(dataBytes(Part.BROKER) - dataBefore).as("data").isLessThan(MIB);
            assertHonestIsServed("meanwhile");
        }
        assertHonestIsServed("after");
    }

    @Test
    @Invariant({InvariantName.AUTHORISED_BEFORE_MEMORY, InvariantName.BOUNDED_MEMORY})
    void questionsAboutProgressAreHeldToARate() throws Exception {
        startAll("agent-a:mallory publish plans\nagent-a:mallory messages=1000,refusals=50 *\n");
        assertHonestIsServed("before");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            long heapBefore = brokerHeapBytes();
            int questions = 300; // each is 64 messages or, while one is being answered, a refusal
            mallory.flood(
                    questions,
                    i -> new SessionMessage.OfHop(
                            RawNode.PUBLISHING_HOP,
                            new HopMessage.AskProgress(IntStream.range(0, HopMessage.AskProgress.MOST_ASKED)
                                    .mapToObj(number -> key(mallory.id(), i + number + 1))
                                    .toList())));
            mallory.awaitHeard();
            await("an answer")
                    .until(() -> !mallory.heard(HopMessage.Progress.class).isEmpty());
            assertThat(mallory.heard(HopMessage.Progress.class))
                    .hasSizeLessThanOrEqualTo(questions)
                    .allMatch(answer -> answer.farEnds().isEmpty());
            assertThat(brokerHeapBytes() - heapBefore).as("heap").isLessThan(HEAP_LIMIT_BYTES);
            String admin = chain.admin(Part.BROKER).orElseThrow().toString();
            assertThat(CommandRun.of("quotas", "--admin", admin).succeeded().out())
                    .containsPattern("agent-a:mallory.*slowed down [1-9]");
        }
        assertHonestIsServed("after");
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void onePrincipalGetsNoMoreSessionsAndSubscriptionsThanItsLimit() throws Exception {
        startAll("agent-b:mallory subscribe plans*\nagent-b:mallory sessions=3,subscriptions=5 *\n");
        RawNode first = raw(Role.AGENT_B, "mallory");
        raw(Role.AGENT_B, "mallory");
        raw(Role.AGENT_B, "mallory");

        assertThat(catchThrowable(() -> raw(Role.AGENT_B, "mallory")))
                .hasMessageContaining("agent-b:mallory has 3 sessions")
                .hasMessageContaining("sessions= for it in the --acl file");

        for (int i = 1; i <= 6; i++) {
            first.subscribe(i, "s" + i, "plans" + i, ServingMode.NONE);
        }
        await("a refusal").until(() -> first.heard().stream()
                .anyMatch(message -> message instanceof SessionMessage.NotSubscribed not
                        && not.refusal().detail().contains("agent-b:mallory has 5 subscriptions")));
        String admin = chain.admin(Part.BROKER).orElseThrow().toString();
        assertThat(CommandRun.of("quotas", "--admin", admin).succeeded().out())
                .contains("agent-b:mallory  3 of 3 sessions  5 of 5 subscriptions");
        assertHonestIsServed("honest");
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void subscribingAgainAndAgainIsHeldToTheRateOfRecords() throws Exception {
        startAll("agent-b:mallory subscribe plans\nagent-b:mallory records=20 *\n");
        RawNode mallory = raw(Role.AGENT_B, "mallory");
        for (int i = 0; i < 100; i++) {
            mallory.subscribe(1, "s", "plans", ServingMode.NONE);
        }
        await("an answer to each")
                .until(() -> mallory.heard().stream()
                                .filter(SessionMessage.Subscribed.class::isInstance)
                                .count()
                        == 100);
        String admin = chain.admin(Part.BROKER).orElseThrow().toString();
        assertThat(CommandRun.of("quotas", "--admin", admin).succeeded().out())
                .containsPattern("20 records, .*slowed down [1-9]");
        assertHonestIsServed("honest");
    }
}
