package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import org.junit.jupiter.api.Test;

@Invariant(InvariantName.HONEST_ANSWERS)
class FarEndStatesTest {
    private static final TransferKey KEY = TransferKey.parse("%032x-%032x".formatted(1, 2));
    private static final long SIZE = 100;

    private static List<FarEnd> farEnds(List<String> deliverySet, List<FarEndProgress> told, Receipt... receipts) {
        return FarEndStates.of(deliverySet, List.of(receipts), SIZE, told);
    }

    private static FarEndProgress told(String subscription, long bytes, boolean connected) {
        return new FarEndProgress(KEY, subscription, bytes, connected);
    }

    private static Receipt receipt(String subscription, ReceiptStatus status) {
        return new Receipt(KEY, subscription, status, "", 5);
    }

    @Test
    void withoutAnAnswerOfTheBrokerTheyAreOnlyOwed() {
        assertThat(farEnds(List.of("b", "a"), List.of()))
                .containsExactly(new FarEnd("a", FarEnd.State.OWED, 0), new FarEnd("b", FarEnd.State.OWED, 0));
    }

    @Test
    void theBrokerSaysWhoIsAwayAndHowFarTheOthersAre() {
        assertThat(farEnds(List.of("a", "b"), List.of(told("a", 0, false), told("b", 40, true))))
                .containsExactly(new FarEnd("a", FarEnd.State.AWAY, 0), new FarEnd("b", FarEnd.State.ARRIVING, 40));
    }

    @Test
    void aReceiptGoesBeforeTheBrokersWord() {
        List<FarEndProgress> told = List.of(told("a", 40, true), told("b", 100, true), told("c", 70, false));
        assertThat(farEnds(
                        List.of("a", "b", "c"),
                        told,
                        receipt("a", ReceiptStatus.LANDED),
                        receipt("b", ReceiptStatus.DELIVERED),
                        receipt("c", ReceiptStatus.DEAD)))
                .containsExactly(
                        new FarEnd("a", FarEnd.State.LANDED, SIZE),
                        new FarEnd("b", FarEnd.State.DELIVERED, SIZE),
                        new FarEnd("c", FarEnd.State.NOT_DELIVERED, 70));
    }
}
