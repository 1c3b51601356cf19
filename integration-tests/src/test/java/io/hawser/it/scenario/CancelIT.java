package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.CommandRun;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Transfers are cancelled at each node, whoever is away or dies meanwhile, and all nodes have one truth about them. */
@Invariant({InvariantName.HONEST_ANSWERS, InvariantName.DURABLE_ACK})
class CancelIT extends Scenario {
    private static final long SIZE = 3 * MIB;

    private String key(Part node, String name) {
        return chain.status(node, name).orElseThrow().key();
    }

    private CommandRun cancel(Part node, String name) throws Exception {
        return CommandRun.of(
                "cancel",
                key(node, name),
                "--admin",
                chain.admin(node).orElseThrow().toString());
    }

    private void awaitState(Part node, String name, String state) {
        await(name + " is " + state + " at " + node).until(() -> chain.status(node, name)
                .filter(status -> status.state().equals(state))
                .isPresent());
    }

    /** The subscription is there, and its consumer is not. */
    private void startWithoutFarEnd() throws Exception {
        chain.startAll();
        Path first = sample("first", 100_000, 1);
        upload(first, "first");
        awaitDelivered(first, "first");
        assertThat(chain.stop(Part.AGENT_B)).isZero();
    }

    private void assertOnlyMarkerCame() throws Exception {
        Path marker = sample("marker", 100_000, 9);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("first", "marker");
    }

    @Test
    void whatTheFarEndHasNeverHeardOfIsCancelledAtOnceAndItsSpaceIsFree() throws Exception {
        startWithoutFarEnd();
        upload(sample("file", SIZE, 2), "file");
        awaitState(Part.BROKER, "file", "committed");

        assertThat(cancel(Part.AGENT_A, "file").succeeded().out()).contains("cancelled: file");
        awaitState(Part.BROKER, "file", "cancelled");
        assertThat(receipts("file", "cancelled")).isEqualTo(1);
        assertThat(page(Part.BROKER, "/metrics")).contains("hawser_store_used_bytes 0.0");

        chain.start(Part.AGENT_B);
        assertOnlyMarkerCame();
    }

    @Test
    void aCancelOutlivesTheDeathOfAllNodesAndEndsWhenTheyAreBack() throws Exception {
        startWithoutFarEnd();
        upload(sample("file", SIZE, 2), "file");
        awaitState(Part.AGENT_A, "file", "committed");
        chain.kill(Part.BROKER);

        assertThat(cancel(Part.AGENT_A, "file").code()).isEqualTo(ExitCode.NOT_YET.code());
        chain.kill(Part.AGENT_A);
        chain.start(Part.AGENT_A);
        awaitState(Part.AGENT_A, "file", "cancelling");
        chain.start(Part.BROKER);
        awaitState(Part.BROKER, "file", "cancelling"); // an earlier run of the broker may have sent it
        chain.kill(Part.BROKER);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);

        awaitState(Part.AGENT_A, "file", "cancelled");
        awaitState(Part.BROKER, "file", "cancelled");
        assertOnlyMarkerCame();
    }

    @Test
    void theBrokerCancelsManyAndWhatIsDeliveredIsTooLate() throws Exception {
        startWithoutFarEnd();
        upload(sample("a1", 1000, 2), "a1");
        upload(sample("a2", 2000, 3), "a2");
        upload(sample("b", SIZE, 4), "b");
        awaitState(Part.BROKER, "b", "committed");
        String admin = chain.admin(Part.BROKER).orElseThrow().toString();

        CommandRun wouldBe = CommandRun.of("cancel", "--name", "a*", "--dry-run", "--admin", admin)
                .succeeded();
        assertThat(wouldBe.out())
                .contains("would be cancelled: a1", "would be cancelled: a2")
                .doesNotContain(": b on");
        CommandRun.of("cancel", "--name", "a*", "--admin", admin).succeeded();
        chain.start(Part.AGENT_B);
        awaitState(Part.BROKER, "b", "delivered");

        assertThat(visible(chain.target())).containsExactly("b", "first");
        CommandRun late = cancel(Part.BROKER, "b");
        assertThat(late.code()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(late.out()).contains("it has ended: delivered");
    }

    @Test
    void whatIsHeldStaysOverADeathUntilItIsReleased() throws Exception {
        startWithoutFarEnd();
        upload(sample("one", SIZE, 2), "one");
        awaitState(Part.BROKER, "one", "committed");
        String broker = chain.admin(Part.BROKER).orElseThrow().toString();
        CommandRun.of("hold", key(Part.BROKER, "one"), "--admin", broker).succeeded();
        chain.kill(Part.BROKER);
        Path two = sample("two", SIZE, 3);
        upload(two, "two");
        String agentA = chain.admin(Part.AGENT_A).orElseThrow().toString();
        CommandRun.of("hold", key(Part.AGENT_A, "two"), "--admin", agentA).succeeded();
        chain.kill(Part.AGENT_A);
        chain.start(Part.AGENT_A);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);

        Path marker = sample("marker", 100_000, 9);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("first", "marker");
        awaitState(Part.BROKER, "one", "held");
        awaitState(Part.AGENT_A, "two", "held");

        agentA = chain.admin(Part.AGENT_A).orElseThrow().toString();
        CommandRun.of("release", "--state", "held", "--admin", agentA).succeeded();
        awaitDelivered(two, "two");
        broker = chain.admin(Part.BROKER).orElseThrow().toString();
        CommandRun.of("priority", "9", key(Part.BROKER, "one"), "--admin", broker)
                .succeeded();
        CommandRun.of("release", "--state", "held", "--admin", broker).succeeded();
        awaitState(Part.BROKER, "one", "delivered");
    }
}
