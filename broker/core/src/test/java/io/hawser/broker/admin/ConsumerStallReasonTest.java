package io.hawser.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerStallReasonTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static Receipt receipt(ReceiptStatus status, String reason) {
        return new Receipt(KEY, "b", status, reason, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A directory is there", "A directory is there."})
    void aDeadLettersReasonAndItsCommandAreTwoSentences(String reason) {
        Receipt dead = receipt(ReceiptStatus.DEAD, reason);

        assertThat(ConsumerStallReason.problem(dead))
                .startsWith("a dead letter at the far end: A directory is there. There, 'hawser dead retry " + KEY);
        assertThat(dead.complaint()).isEqualTo("b: on its dead-letter list: A directory is there");
    }

    @Test
    void whatTheFarEndLetsWaitHasItsReason() {
        assertThat(ConsumerStallReason.problem(receipt(ReceiptStatus.LANDED, "no paper")))
                .isEqualTo("the far end has it and cannot deliver it: no paper");
        assertThat(ConsumerStallReason.problem(receipt(ReceiptStatus.LANDED, "")))
                .isEmpty();
        assertThat(ConsumerStallReason.problem(null)).isEmpty();
    }
}
