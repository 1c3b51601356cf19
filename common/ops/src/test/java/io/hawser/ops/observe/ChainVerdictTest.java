package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.why.WaitStage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainVerdictTest {
    private static final String IN = HopStatus.CLIENT_TO_AGENT;
    private static final String UP = HopStatus.PUBLISHER_TO_BROKER;
    private static final String DOWN = HopStatus.toSubscription("b");

    private static WhyPage.HopWhy hop(String hop, WaitStage stage) {
        return new WhyPage.HopWhy(
                hop,
                List.of(new WhyPage.Window(
                        5, stage.code(), stage.code() + ".", List.of(new WhyPage.Share(stage.code(), 1)))));
    }

    private static WhyPage page(String node, WhyPage.HopWhy... hops) {
        return WhyPage.of(node, "k", "t", "n", Arrays.asList(hops));
    }

    private static String verdict(WhyPage... pages) {
        return ChainVerdict.of(List.of(pages))
                .map(found -> found.hop() + " " + found.stage() + " " + found.node())
                .orElse("");
    }

    private static WhyPage agentA(WaitStage in, WaitStage up) {
        return page("agent-a", hop(IN, in), hop(UP, up));
    }

    private static WhyPage broker(WaitStage up, WaitStage down) {
        return page("broker", hop(UP, up), hop(DOWN, down));
    }

    private static WhyPage agentB(WaitStage down) {
        return page("agent-b", hop(DOWN, down));
    }

    @Test
    void aSlowClientStarvesAllHopsAfterIt() {
        assertThat(verdict(
                        agentA(WaitStage.CLIENT, WaitStage.NO_INPUT),
                        broker(WaitStage.NO_INPUT, WaitStage.NO_INPUT),
                        agentB(WaitStage.NO_INPUT)))
                .isEqualTo(IN + " client agent-a");
    }

    @Test
    void theLastHopWithSomethingToSendIsTheSlowest() {
        assertThat(verdict(
                        agentB(WaitStage.NO_INPUT),
                        broker(WaitStage.NO_INPUT, WaitStage.LOSS),
                        agentA(WaitStage.CLIENT, WaitStage.LINK)))
                .isEqualTo(DOWN + " loss broker");
    }

    @Test
    void aReceivingEndThatIsBusyIsTheCauseOfItsSendersWait() {
        assertThat(verdict(
                        agentA(WaitStage.NONE, WaitStage.CREDIT),
                        broker(WaitStage.LOG, WaitStage.NO_INPUT),
                        agentB(WaitStage.NO_INPUT)))
                .isEqualTo(UP + " log broker");
        assertThat(verdict(broker(WaitStage.NONE, WaitStage.STREAM_WINDOW), agentB(WaitStage.VERIFICATION)))
                .isEqualTo(DOWN + " verification agent-b");
        assertThat(verdict(broker(WaitStage.NONE, WaitStage.FAR_END), agentB(WaitStage.FAR_SERVER)))
                .isEqualTo(DOWN + " far-server agent-b");
    }

    @Test
    void aReceivingEndThatWaitsForMoreIsNotTheCause() {
        assertThat(verdict(broker(WaitStage.NONE, WaitStage.STREAM_WINDOW), agentB(WaitStage.NO_INPUT)))
                .isEqualTo(DOWN + " stream-window broker");
        assertThat(verdict(broker(WaitStage.NONE, WaitStage.LINK), agentB(WaitStage.FAR_DISK)))
                .as("the link is full, whatever the disk does besides")
                .isEqualTo(DOWN + " link broker");
    }

    @Test
    void aStopAtTheSenderStandsWithoutTheReceiver() {
        assertThat(verdict(agentA(WaitStage.NONE, WaitStage.NONE), broker(WaitStage.NONE, WaitStage.PEER_AWAY)))
                .isEqualTo(DOWN + " peer-away broker");
    }

    @Test
    void aTransferThatIsOverHasNoStageThatHoldsIt() {
        assertThat(verdict(agentA(WaitStage.NONE, WaitStage.NONE))).isEqualTo(IN + " none agent-a");
        assertThat(verdict()).isEmpty();
    }

    @Test
    void aStageOfANewerNodeIsNoError() {
        WhyPage newer = page(
                "broker", new WhyPage.HopWhy(DOWN, List.of(new WhyPage.Window(5, "new-stage", "New.", List.of()))));
        assertThat(verdict(newer)).isEqualTo(DOWN + " new-stage broker");
    }
}
