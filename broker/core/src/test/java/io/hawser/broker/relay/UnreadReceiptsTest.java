package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Receipts for a publisher that does not read. */
class UnreadReceiptsTest extends RelayFixture {
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final int KEPT = 5_000;
    private static final int FIT = 700;

    /** A link that takes so many messages until its peer reads. */
    private static final class Narrow extends SentOn {
        private int fit = FIT;

        @Override
        public boolean isBackedUp() {
            return messages.size() >= fit;
        }

        List<Receipt> receipts() {
            return messages.stream()
                    .filter(HopMessage.ReceiptNotice.class::isInstance)
                    .map(message -> ((HopMessage.ReceiptNotice) message).receipt())
                    .toList();
        }
    }

    private final Narrow link = new Narrow();

    private static Receipt receipt(long number) {
        return new Receipt(new TransferKey(PUBLISHER, new TransferId(7, number)), "s", ReceiptStatus.DELIVERED, "", 1);
    }

    private void run() {
        for (int i = 0; i < KEPT / 5; i++) {
            settle();
        }
    }

    @Test
    @Invariant({InvariantName.BOUNDED_MEMORY, InvariantName.HONEST_ANSWERS})
    void receiptsWaitInTheStoreUntilThePublisherReadsAndEachIsSentOnce() {
        LongStream.rangeClosed(1, KEPT).forEach(i -> store.receipts.add(new RelayStore.KeptReceipt(receipt(i), i)));
        PublisherIntake publisher = relay.publisherConnected(PUBLISHER, link);
        run();
        assertThat(link.messages).hasSize(FIT);

        relay.receipts().keep(receipt(KEPT + 1), () -> {});
        run();
        store.receipts.add(new RelayStore.KeptReceipt(receipt(KEPT + 1), KEPT + 1));
        publisher.tick();
        run();
        assertThat(link.messages).as("it has read nothing yet").hasSize(FIT);

        while (link.fit < 2 * KEPT) {
            link.fit += FIT;
            publisher.tick();
            run();
        }
        assertThat(link.receipts())
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, KEPT + 1)
                        .mapToObj(UnreadReceiptsTest::receipt)
                        .toList());
    }
}
