package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What subscriptions that come and go fast cost the others. */
class SubscriptionFloodTest extends RelayFixture {
    private static final NodeId ONE = new NodeId(1, 1);
    private static final NodeId TWO = new NodeId(1, 2);
    private static final NodeId PROGRAM = new NodeId(2, 1);
    private static final Topic REPLIES = Topic.repliesTo(PROGRAM);
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec(REPLIES.name(), REPLIES, PROGRAM, StartAt.EARLIEST, AckLevel.CONSUMED);

    private HopSender subscribeAndUnsubscribe() {
        SentOn link = new SentOn();
        HopSender sender = Objects.requireNonNull(relay.subscriptions().subscribe(SPEC, link, unused -> {}));
        unsubscribe(link);
        return sender;
    }

    private void unsubscribe(SentOn link) {
        relay.subscriptions().unlink(SPEC.name(), link);
        relay.subscriptions().unsubscribe(SPEC.name(), unused -> {});
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void onlyPublishersOfReceiptsThatWereMadeAreLookedUp() {
        relay.publisherConnected(ONE, new SentOn());
        relay.publisherConnected(TWO, new SentOn());
        settle();
        int before = store.receiptQuestions;

        subscribeAndUnsubscribe();
        settle();

        assertThat(store.receiptQuestions).isEqualTo(before);
    }

    @Test
    @Invariant({InvariantName.BOUNDED_MEMORY, InvariantName.NO_FORGET})
    void aPublisherHasOneQuestionForReceiptsAndGetsEachOnce() {
        SentOn publisher = new SentOn();
        relay.publisherConnected(ONE, publisher);
        settle();
        Receipt told = new RelayRecord.Unsubscribed(SPEC.name(), REPLIES, 0)
                .receipt(SampleTransfer.file(ONE, 1, REPLIES.name(), "a", 10, 64, 1)
                        .key());
        store.receipts.add(new RelayStore.KeptReceipt(told, 1));
        int before = store.receiptQuestions;
        for (int i = 0; i < 50; i++) {
            subscribeAndUnsubscribe();
        }

        store.force();
        store.answer();
        assertThat(store.receiptQuestions).as("one at a time").isLessThanOrEqualTo(before + 1);
        settle();

        assertThat(store.receiptQuestions).as("and once more for the others").isLessThanOrEqualTo(before + 2);
        assertThat(publisher.messages).containsOnlyOnce(new HopMessage.ReceiptNotice(told));
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void whatIsReadForARemovedSubscriptionIsDropped() {
        SampleTransfer reply = SampleTransfer.file(ONE, 1, REPLIES.name(), "a", 10, 64, 1);
        store.owed.add(FakeRelayStore.committed(reply, 1, SPEC.name()));
        SentOn link = new SentOn();
        HopSender sender = Objects.requireNonNull(relay.subscriptions().subscribe(SPEC, link, unused -> {}));
        store.force();
        unsubscribe(link);

        settle();

        assertThat(sender.size()).isZero();
        assertThat(store.owedQuestions).isEqualTo(1);
    }
}
