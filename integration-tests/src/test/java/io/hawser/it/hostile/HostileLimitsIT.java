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
import org.junit.jupiter.api.Test;

/** A node with a valid certificate takes all that it can get. */
class HostileLimitsIT extends HostileScenario {
    private static final int FLOOD = 40_000;

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

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void cancelsOfUnknownTransfersAreAnsweredAndWriteNothing() throws Exception {
        startAll("agent-a:mallory publish plans\n");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            AtomicLong settled = new AtomicLong();
            await("the log's spare segment").during(Duration.ofSeconds(3)).until(() -> {
                long now = dataBytes(Part.BROKER);
                return settled.getAndSet(now) == now;
            });
            long before = settled.get();
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
