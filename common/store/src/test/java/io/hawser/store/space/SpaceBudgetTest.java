package io.hawser.store.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import org.junit.jupiter.api.Test;

@Invariant(InvariantName.REFUSE_DONT_CORRUPT)
class SpaceBudgetTest {
    private final SpaceBudget budget = new SpaceBudget(SpaceRole.RELAY, 1_000, 50);

    private static String why(SpaceAnswer answer) {
        return answer instanceof SpaceAnswer.Wait wait
                ? wait.why()
                : answer instanceof SpaceAnswer.No no ? no.why() : "";
    }

    @Test
    void anAnswerNamesEveryFigureOfTheQuota() {
        budget.counted(300, 200);

        assertThat(budget.admit("f", 500)).isEqualTo(SpaceAnswer.yes());
        assertThat(why(budget.admit("f", 501)))
                .isEqualTo(
                        "No room for 501 bytes of f, only for 500: of the broker's quota of 1,000 bytes, 300 are used and"
                                + " 200 promised. It resumes by itself when space returns.");
    }

    @Test
    void anAnswerNamesEveryFigureOfTheDisk() {
        budget.measured(400, 900);
        assertThat(budget.reserve("f", 100)).isEqualTo(SpaceAnswer.yes());

        assertThat(why(budget.reserve("g", 251)))
                .isEqualTo(
                        "No room for 251 bytes of g, only for 250: the broker's disk has 400 bytes free, of which 100 are"
                                + " promised to others and 50 are kept back as head-room (--head-room of the broker). It resumes by"
                                + " itself when space returns.");
        assertThat(budget.reserve("g", 250)).isEqualTo(SpaceAnswer.yes());
    }

    @Test
    void belowTheHeadRoomOnlyWhatHasNoBytesFits() {
        budget.measured(49);

        assertThat(why(budget.admit("f", 1)))
                .contains("has 49 bytes free, and 50 are kept back as head-room", "so nothing is accepted");
        assertThat(budget.admit("a deletion", 0)).isEqualTo(SpaceAnswer.yes());
        assertThat(budget.problem("/d")).contains("/d has 49 bytes free", "lower --head-room");
    }

    @Test
    void aDiskThatWasAskedAfterADeletionHasRoom() {
        budget.written(100);
        budget.measured(Long.MAX_VALUE);

        budget.dropped(100);

        assertThat(budget.availableBytes()).isEqualTo(1_000);
    }

    @Test
    void whatCanNeverFitIsToldApartFromWhatMustWait() {
        budget.measured(10, 900);

        assertThat(budget.admitEver("f has", 1_001)).isInstanceOf(SpaceAnswer.No.class);
        assertThat(why(budget.admitEver("f has", 851)))
                .isEqualTo(
                        "f has 851 bytes; the broker's disk can hold 850 bytes in all. Give it a larger one, or send less.");
        assertThat(budget.admitEver("f has", 850)).isEqualTo(SpaceAnswer.yes());
    }

    @Test
    void whatIsWrittenIsKeptAndNoLongerFreeUntilItIsDropped() {
        budget.measured(500);
        budget.hold(100);
        budget.release(100);
        budget.written(100);
        assertThat(budget.availableBytes()).isEqualTo(350);
        assertThat(budget.keptBytes()).isEqualTo(100);

        budget.dropped(100);
        assertThat(budget.availableBytes()).isEqualTo(450);
    }

    @Test
    void figuresNearTheLargestNumberLeaveNoRoom() {
        budget.counted(Long.MAX_VALUE, Long.MAX_VALUE);

        assertThat(budget.availableBytes()).isZero();
        assertThat(new SpaceBudget(SpaceRole.END, Long.MAX_VALUE, 0).availableBytes())
                .isEqualTo(Long.MAX_VALUE);
    }
}
