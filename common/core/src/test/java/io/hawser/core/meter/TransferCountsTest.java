package io.hawser.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.meter.TransferCounts.Count;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import org.junit.jupiter.api.Test;

class TransferCountsTest {
    private static final Topic TOPIC = new Topic("site-b");

    private final TransferCounts counts = new TransferCounts();

    @Test
    void acceptedTransfersCountWithTheirBytes() {
        counts.completed(TOPIC, 10);
        counts.completed(TOPIC, 5);

        assertThat(counts.completed()).containsExactly(new Count("site-b", "", 2));
        assertThat(counts.completedBytes()).containsExactly(new Count("site-b", "", 15));
    }

    @Test
    void aBadReceiptIsAlsoAFailure() {
        counts.receipt(TOPIC, ReceiptStatus.DELIVERED);
        counts.receipt(TOPIC, ReceiptStatus.EXPIRED);
        counts.failed(TOPIC, "bad_name");

        assertThat(counts.receipts())
                .contains(new Count("site-b", "delivered", 1), new Count("site-b", "expired", 1))
                .contains(new Count("site-b", "failed", 0));
        assertThat(counts.failures())
                .contains(new Count("site-b", "expired", 1), new Count("site-b", "bad_name", 1))
                .contains(new Count("site-b", "failed", 0));
    }

    @Test
    void topicsBeyondTheLimitCountTogether() {
        for (int i = 0; i < TransferCounts.MAX_TOPICS + 7; i++) {
            counts.completed(new Topic("topic-" + i), 1);
        }

        assertThat(counts.completed()).hasSize(TransferCounts.MAX_TOPICS + 1);
        assertThat(counts.completed()).contains(new Count(TransferCounts.OTHER, "", 7));
    }
}
