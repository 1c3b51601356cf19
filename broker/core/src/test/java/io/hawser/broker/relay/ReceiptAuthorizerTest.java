package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receipts of consumers whose subscription was never owed the transfer. */
class ReceiptAuthorizerTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final NodeId CONSUMER = new NodeId(2, 2);
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec("s", new Topic("t"), CONSUMER, StartAt.NOW, AckLevel.DURABLE);

    private final SampleTransfer transfer =
            SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);
    private final SentOn link = new SentOn();
    private final HopSender sender = connect(SPEC, link);
    private final List<TransferKey> notOwed = new ArrayList<>();

    @BeforeEach
    void listen() {
        relay.receipts().onNotOwed((node, receipt) -> {
            assertThat(node).isEqualTo(CONSUMER);
            notOwed.add(receipt.key());
        });
        settle();
        store.appended.clear();
    }

    private void receive(ReceiptStatus status) {
        sender.on(new HopMessage.ReceiptNotice(new Receipt(transfer.key(), "any", status, "", 1)));
        settle();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void receiptOfOneThatWasNeverOwedIsNotKept() {
        store.know(FakeRelayStore.committed(transfer, 1, "other"));

        receive(ReceiptStatus.DELIVERED);

        assertThat(store.appended).isEmpty();
        assertThat(notOwed).containsExactly(transfer.key());
        assertThat(link.has(HopMessage.ReceiptAck.class)).isFalse();
    }

    @Test
    void receiptOfAnUnknownTransferIsForgottenAndAcknowledged() {
        receive(ReceiptStatus.DELIVERED);

        assertThat(store.appended).isEmpty();
        assertThat(notOwed).isEmpty();
        assertThat(link.has(HopMessage.ReceiptAck.class)).isTrue();
    }

    @Test
    void receiptFromBeforeThisRunIsKeptUnderTheSubscriptionsName() {
        store.know(FakeRelayStore.committed(transfer, 1, "s"));

        receive(ReceiptStatus.LANDED);
        receive(ReceiptStatus.DELIVERED);

        assertThat(store.appended)
                .containsExactly(
                        new RelayRecord.ReceiptKept(new Receipt(transfer.key(), "s", ReceiptStatus.LANDED, "", 1)),
                        new RelayRecord.ReceiptKept(new Receipt(transfer.key(), "s", ReceiptStatus.DELIVERED, "", 1)));
        assertThat(link.has(HopMessage.ReceiptAck.class)).isTrue();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void receiptsThatWaitForTheStoreAreBounded() {
        for (int i = 0; i < 100_000; i++) {
            TransferKey key = SampleTransfer.file(new NodeId(1, 1), i + 1, "t", "a", 1, FRAGMENT, i)
                    .key();
            sender.on(new HopMessage.ReceiptNotice(new Receipt(key, "s", ReceiptStatus.DELIVERED, "", 1)));
        }
        settle();

        assertThat(store.appended).isEmpty();
        assertThat(link.messages.stream().filter(HopMessage.ReceiptAck.class::isInstance))
                .hasSizeLessThanOrEqualTo(ReceiptAuthorizer.MOST_WAITING_BYTES / 256);
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void committedThatNobodyAskedForSettlesNothing() {
        store.know(FakeRelayStore.committed(transfer, 1, "s"));

        sender.on(new HopMessage.Committed(transfer.key(), List.of("s")));
        sender.on(new HopMessage.Cancelled(transfer.key()));
        settle();

        assertThat(store.appended).isEmpty();
    }
}
