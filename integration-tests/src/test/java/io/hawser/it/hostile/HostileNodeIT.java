package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.HopMessage;
import io.hawser.common.testkit.SampleTransfer;
import io.hawser.common.tls.Role;
import io.hawser.it.harness.Chain;
import org.junit.jupiter.api.Test;

/** A node with a valid certificate says what it has no right to say. */
class HostileNodeIT extends HostileScenario {
    private static final String PLANS = "plans";

    @Test
    void publishesOnlyWithTheRight() throws Exception {
        startAll("agent-a:mallory publish " + PLANS + "\n");
        try (RawNode mallory = raw(Role.AGENT_A, "mallory")) {
            SampleTransfer allowed = file(mallory.id(), PLANS, "allowed", 200_000);
            SampleTransfer denied = file(mallory.id(), Chain.TOPIC, "denied", 200_000);
            SampleTransfer small = file(mallory.id(), Chain.TOPIC, "small", 100);
            mallory.publish(allowed).publish(denied).send(RawNode.small(RawNode.PUBLISHING_HOP, small, false));
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
                line -> line.contains("\"who\":\"agent-a:mallory\",\"what\":\"publish\",\"object\":\"" + Chain.TOPIC)
                        && line.contains("\"result\":\"no right\""));
        assertHonestIsServed("honest");
    }
}
