package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** READY of agent-b means that the broker keeps for it what is sent from now on. */
class ReadyIT extends Scenario {
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void agentBIsReadyOnlyWhenItsSubscriptionIsThere() throws Exception {
        chain.start(Part.BROKER);
        chain.stop(Part.BROKER);
        NodeProcess agentB = chain.start(Part.AGENT_B);

        await("the reason").until(() -> page(Part.AGENT_B, "/health").contains("not subscribed yet: "));
        assertThat(agentB.isReady()).isFalse();

        chain.start(Part.BROKER);
        agentB.awaitReady(NodeProcess.START_LIMIT);
        assertThat(page(Part.BROKER, "/subscriptions")).contains("\"name\" : \"b\"");
        assertThat(page(Part.AGENT_B, "/health")).doesNotContain("not subscribed yet");
    }

    @Test
    void oneWhoseSubscriptionIsRefusedIsNeverReady() throws Exception {
        chain.startAll();
        NodeProcess other = NodeProcess.begin(
                directory.resolve("other.log"),
                List.of(),
                NodeProcess.NODE_OPTIONS,
                Map.of(),
                List.of(
                        "agent-b",
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--admin",
                        "off",
                        "--subscribe",
                        "another",
                        "--name",
                        "b",
                        "--data",
                        directory.resolve("other").toString(),
                        "--into",
                        directory.resolve("other-into").toString()));
        assertThat(other.awaitExit(NodeProcess.START_LIMIT)).isEqualTo(ExitCode.REFUSED.code());
        assertThat(other.isReady()).isFalse();
        assertThat(other.log()).contains("bound to topic");
    }
}
