package io.hawser.core.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitBoardTest {
    private static final long SAMPLE_NANOS = WaitBoard.SAMPLE_MILLIS * 1_000_000;
    private static final String HOP = "broker->b";

    private final WaitBoard board = new WaitBoard();
    /** Values of a real clock may be negative. */
    private long now = -3 * SAMPLE_NANOS;

    private static TransferKey key(long number) {
        return new TransferKey(new NodeId(1, 1), new TransferId(1, number));
    }

    private void wait(TransferKey key, WaitStage stage, int seconds) {
        for (int i = 0; i < seconds * 5; i++) {
            now += SAMPLE_NANOS;
            board.sample(HOP, key, stage, now);
            board.sweep(now);
        }
    }

    private Verdict verdict(TransferKey key, WaitStage stage, int window) {
        return board.verdicts(new HopWait(HOP, stage, ""), key, now).get(window);
    }

    @Test
    void theStageOfMostOfTheWindowIsTheBottleneck() {
        wait(key(1), WaitStage.CREDIT, 40);
        wait(key(1), WaitStage.NO_INPUT, 2);
        wait(key(1), WaitStage.LINK, 3);

        Verdict last5 = verdict(key(1), WaitStage.LINK, 0);
        assertThat(last5.seconds()).isEqualTo(5);
        assertThat(last5.bottleneck()).isEqualTo(WaitStage.LINK);
        assertThat(last5.shares())
                .containsExactly(new Verdict.Share(WaitStage.LINK, 0.6), new Verdict.Share(WaitStage.NO_INPUT, 0.4));
        Verdict last60 = verdict(key(1), WaitStage.LINK, 1);
        assertThat(last60.bottleneck()).isEqualTo(WaitStage.CREDIT);
        assertThat(last60.shares().stream().mapToDouble(Verdict.Share::share).sum())
                .isEqualTo(1);
    }

    @Test
    void whatStopsItNowIsNamedAtOnceInTheShortWindow() {
        wait(key(1), WaitStage.LINK, 30);

        assertThat(verdict(key(1), WaitStage.PEER_AWAY, 0).bottleneck()).isEqualTo(WaitStage.PEER_AWAY);
        assertThat(verdict(key(1), WaitStage.PEER_AWAY, 1).bottleneck()).isEqualTo(WaitStage.LINK);
        assertThat(verdict(key(1), WaitStage.CREDIT, 0).bottleneck())
                .as("it moves")
                .isEqualTo(WaitStage.LINK);
    }

    @Test
    void whatIsOlderThanAMinuteDoesNotCount() {
        wait(key(1), WaitStage.CREDIT, 600);
        wait(key(1), WaitStage.LINK, 60);

        assertThat(verdict(key(1), WaitStage.LINK, 1).shares()).containsExactly(new Verdict.Share(WaitStage.LINK, 1));
    }

    @Test
    void aGapBetweenSamplesCountsForTheStageBeforeIt() {
        wait(key(1), WaitStage.CREDIT, 1);
        now += 30 * 5 * SAMPLE_NANOS;
        wait(key(1), WaitStage.LINK, 1);

        assertThat(verdict(key(1), WaitStage.LINK, 1).bottleneck()).isEqualTo(WaitStage.CREDIT);
    }

    @Test
    void whatIsOverIsOverSinceItsLastSample() {
        wait(key(1), WaitStage.LINK, 30);
        now += 4 * 5 * SAMPLE_NANOS;

        assertThat(verdict(key(1), WaitStage.NONE, 0).shares().get(0))
                .isEqualTo(new Verdict.Share(WaitStage.NONE, 0.8));
        assertThat(verdict(key(1), WaitStage.NONE, 1).bottleneck()).isEqualTo(WaitStage.LINK);
    }

    @Test
    void aTransferThatWasNeverSampledHasThePresentOnly() {
        assertThat(verdict(key(9), WaitStage.PATH_ORDER, 1).shares())
                .containsExactly(new Verdict.Share(WaitStage.PATH_ORDER, 1));
        assertThat(board.size()).isZero();
    }

    @Test
    void whatIsNotSampledAnyMoreIsForgottenAfterAMinute() {
        wait(key(1), WaitStage.LINK, 1);
        assertThat(board.size()).isEqualTo(1);

        wait(key(2), WaitStage.LINK, 70);
        assertThat(board.size()).isEqualTo(1);
    }

    @Test
    void countsNoMoreThanItsBound() {
        for (int i = 0; i < WaitBoard.MAX_WINDOWS + 10; i++) {
            board.sample(HOP, key(i), WaitStage.LINK, now);
        }
        assertThat(board.size()).isEqualTo(WaitBoard.MAX_WINDOWS);
    }

    @Test
    void manyThatAreOverKeepNoOtherOut() {
        for (int i = 0; i < WaitBoard.MAX_WINDOWS; i++) {
            board.sample(HOP, key(i), WaitStage.LINK, now);
        }
        now += 10 * SAMPLE_NANOS;
        wait(key(-1), WaitStage.CREDIT, 1);
        wait(key(-1), WaitStage.NO_INPUT, 1);

        assertThat(verdict(key(-1), WaitStage.NO_INPUT, 1).shares()).hasSize(2);
        assertThat(board.size()).isEqualTo(1);
    }

    @Test
    void theSentenceSaysWhatForHowLongAndWhatToDo() {
        wait(key(1), WaitStage.RATE_LIMIT, 5);
        List<Verdict> verdicts =
                board.verdicts(new HopWait(HOP, WaitStage.RATE_LIMIT, "2 MiB/s over 4 streams"), key(1), now);

        assertThat(verdicts.get(0).sentence())
                .isEqualTo("A rate limit holds it back: 2 MiB/s over 4 streams (100% of the last 5 s)."
                        + " Raise --rate of the sending node, or --max-rate of the subscription.");
        assertThat(verdict(key(1), WaitStage.NONE, 0).sentence()).isEqualTo("Nothing waits here.");
    }

    @Test
    void eachStageHasACodeOfItsOwn() {
        for (WaitStage stage : WaitStage.values()) {
            assertThat(WaitStage.of(stage.code())).contains(stage);
        }
        assertThat(WaitStage.of("no-such-stage")).isEmpty();
    }
}
