package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
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
import org.junit.jupiter.api.Test;

/** A cancelled transfer goes to nobody, and each consumer that may have it says what became of it. */
@Invariant(InvariantName.HONEST_ANSWERS)
class RecallsTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec("s", new Topic("t"), new NodeId(2, 2), StartAt.NOW, AckLevel.DURABLE);
    private static final SampleTransfer SAMPLE =
            SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);
    private static final Steering CANCELLED = new Steering("not needed", false, HopSender.USUAL_PRIORITY);
    private static final HopMessage RECALL = new HopMessage.Recall(SAMPLE.key(), "not needed");

    private final List<Outcome<TransferKey>> answers = new ArrayList<>();
    private KeptTransfer kept = FakeRelayStore.committed(SAMPLE, 1, "s");

    private void keep() {
        store.know(kept);
        store.owed.clear();
        store.owed.add(kept);
    }

    private void recall() {
        relay.recalls().recall(SAMPLE.key(), "not needed", answers::add);
        store.answer();
    }

    /** That it is cancelled is durable, and the store shows it. */
    private void force() {
        kept = FakeRelayStore.steered(kept, CANCELLED);
        keep();
        store.force();
        store.answer();
        runLoop();
    }

    private List<ReceiptStatus> receipts() {
        return store.receiptsKept().stream().map(Receipt::status).toList();
    }

    private SentOn consumer(SentOn link) {
        store.readsWait = true;
        connect(SPEC, link);
        return link;
    }

    @Test
    void itIsStoppedAtOnceAndItsConsumerIsAskedWhenTheCancelIsDurable() {
        keep();
        SentOn consumer = new SentOn();
        store.readsWait = true;
        HopSender sender = connect(SPEC, consumer);
        assertThat(sender.has(SAMPLE.key())).isTrue();

        recall();
        assertThat(sender.has(SAMPLE.key())).isFalse();
        assertThat(consumer.messages).doesNotContain(RECALL);
        assertThat(answers).isEmpty();

        force();
        assertThat(answers).containsExactly(Outcome.of(SAMPLE.key()));
        assertThat(consumer.messages).contains(RECALL);
        assertThat(receipts()).isEmpty();
    }

    @Test
    void theConsumersWordIsTheTruth() {
        keep();
        SentOn consumer = new SentOn();
        store.readsWait = true;
        HopSender sender = connect(SPEC, consumer);
        recall();
        force();

        sender.on(new HopMessage.ReceiptNotice(new Receipt(SAMPLE.key(), "s", ReceiptStatus.DELIVERED, "", 5)));
        settle();
        assertThat(receipts()).containsExactly(ReceiptStatus.DELIVERED);
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void oneThatWentBeforeItAnsweredIsAskedAgainWhenItIsBack() {
        keep();
        SentOn first = consumer(new SentOn());
        recall();
        force();
        relay.subscriptions().unlink("s", first);

        SentOn second = consumer(new SentOn());
        settle();
        assertThat(second.messages).contains(RECALL);
        assertThat(second.has(HopMessage.Open.class)).isFalse();
        assertThat(receipts()).isEmpty();
    }

    @Test
    void afterARestartTheStoreSaysWhoIsToBeAsked() {
        kept = FakeRelayStore.steered(kept, CANCELLED);
        keep();

        SentOn consumer = consumer(new SentOn());

        assertThat(consumer.messages).contains(RECALL);
        assertThat(consumer.has(HopMessage.Open.class)).isFalse();
    }

    @Test
    void whatNoConsumerCanHaveIsCancelledAtOnce() {
        SentOn consumer = consumer(new SentOn());
        relay.subscriptions().unlink("s", consumer);
        relay.open(SAMPLE.manifest(), outcome -> {});
        relay.commit(SAMPLE.key(), SAMPLE.commit(), outcome -> {});
        store.force();
        long sequence = store.appended.size();
        kept = FakeRelayStore.committed(SAMPLE, sequence, "s");
        keep();

        recall();
        force();

        assertThat(receipts()).containsExactly(ReceiptStatus.CANCELLED);
        assertThat(consumer(new SentOn()).messages).doesNotContain(RECALL);
    }

    @Test
    void whatIsNotKeptCannotBeCancelled() {
        recall();

        assertThat(answers).singleElement().satisfies(answer -> assertThat(answer.isRefused())
                .isTrue());
    }
}
