package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Shell;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node that is stopped (SIGSTOP) keeps its connections and says nothing: its peers give it up after {@code --session-silence}, show
 * what waits for it and for how long, and go on when it does.
 */
@Tag("full")
class StallIT extends Scenario {
    private static final String DOWNLINK = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);

    /** What {@code hawser status} and the metrics of a node show of a transfer that waits there. */
    private void isShownAsWaiting(Part node, String name, String reason) throws Exception {
        String admin = chain.admin(node).orElseThrow().toString();
        String text =
                CommandRun.of("status", name, "--admin", admin).succeeded().out();
        assertThat(text).containsPattern("held back: " + reason + ".*\\(no progress for [0-9.]+ (s|min)\\)");
        isMeasuredAsWaiting(node);
    }

    private void isMeasuredAsWaiting(Part node) throws Exception {
        double longest = page(node, "/metrics")
                .lines()
                .filter(line -> line.matches("hawser_longest_idle_seconds\\{hop=\"(in|out)\"} .*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .max()
                .orElseThrow();
        assertThat(longest).isGreaterThanOrEqualTo(HopStatus.SHOWN_MILLIS / 1000.0);
    }

    @Test
    void aBrokerThatIsSilentIsGivenUpAndTheHopsGoOn() throws Exception {
        for (Part agent : List.of(Part.AGENT_A, Part.AGENT_B)) {
            chain.with(agent, "--session-silence", "2s");
        }
        chain.startAll();
        Path first = sample("first", 5 * MIB, 1);
        upload(first, "first");
        awaitDelivered(first, "first");

        Shell.signal("STOP", chain.node(Part.BROKER).pid());
        Path second = sample("second", 5 * MIB, 2);
        upload(second, "second");
        awaitHop(
                Part.AGENT_A,
                "second",
                HopStatus.PUBLISHER_TO_BROKER,
                hop -> hop.reason().startsWith("no session with the broker: ")
                        && hop.idleMillis() >= HopStatus.SHOWN_MILLIS);
        isShownAsWaiting(Part.AGENT_A, "second", "no session with the broker");
        assertThat(chain.node(Part.AGENT_B).log()).contains("nothing was heard from", "for 2000 ms");

        Shell.signal("CONT", chain.node(Part.BROKER).pid());
        awaitDelivered(second, "second");
        assertThat(visible(chain.target())).containsExactly("first", "second");
    }

    @Test
    void aConsumerThatIsSilentIsGivenUpAndIsOwedWhatItMissed() throws Exception {
        chain.with(Part.BROKER, "--session-silence", "2s").startAll();
        Path first = sample("first", 5 * MIB, 1);
        upload(first, "first");
        awaitDelivered(first, "first");

        Shell.signal("STOP", chain.node(Part.AGENT_B).pid());
        Path second = sample("second", 5 * MIB, 2);
        upload(second, "second");
        awaitHop(
                Part.BROKER,
                "second",
                DOWNLINK,
                hop -> hop.reason().equals("its consumer is not connected")
                        && hop.idleMillis() >= HopStatus.SHOWN_MILLIS);
        isShownAsWaiting(Part.BROKER, "second", "its consumer is not connected");
        awaitHop(Part.AGENT_A, "second", HopStatus.PUBLISHER_TO_BROKER, hop -> hop.reason()
                .endsWith("the final receipt has yet to come from " + ProcessChain.SUBSCRIPTION));
        isMeasuredAsWaiting(Part.AGENT_A);

        Shell.signal("CONT", chain.node(Part.AGENT_B).pid());
        awaitDelivered(second, "second");
        await("the receipt").until(() -> receipts("second", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("first", "second");
    }
}
