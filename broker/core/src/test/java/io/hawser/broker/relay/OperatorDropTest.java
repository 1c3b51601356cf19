package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What an operator is told of a drop is true. */
class OperatorDropTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec("s", new Topic("t"), new NodeId(2, 2), StartAt.EARLIEST, AckLevel.CONSUMED);
    private static final SampleTransfer SAMPLE =
            SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);
    private static final FragmentRanges ALL = FragmentRanges.of(0, SAMPLE.fragmentCount());

    private final List<Outcome<DropResult>> answers = new ArrayList<>();

    private void keep(String... deliverySet) {
        KeptTransfer kept = FakeRelayStore.committed(SAMPLE, 1, deliverySet);
        store.know(kept);
        store.owed.clear();
        store.owed.add(kept);
    }

    /** The consumer has been sent it. */
    private HopSender sent(SentOn consumer) {
        keep("s");
        store.readsWait = true;
        HopSender sender = connect(SPEC, consumer);
        assertThat(sender.has(SAMPLE.key())).isTrue();
        return sender;
    }

    private void drop() {
        new OperatorDrop(relay, store, () -> 1_000_000).drop(SAMPLE.key(), answers::add);
        store.answer();
        runLoop();
    }

    private DropResult last() {
        return answers.get(answers.size() - 1).get();
    }

    private Refusal refusal() {
        return Objects.requireNonNull(answers.get(answers.size() - 1).refusal());
    }

    private List<ReceiptStatus> receipts() {
        return store.receiptsKept().stream().map(Receipt::status).toList();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void isAnsweredWhenItsReceiptsAreDurable() {
        keep("s");
        SentOn consumer = new SentOn();
        store.owed.clear();
        connect(SPEC, consumer);
        relay.subscriptions().unlink("s", consumer);

        drop();
        assertThat(receipts()).containsExactly(ReceiptStatus.EXPIRED);
        assertThat(answers).isEmpty();

        store.force();
        assertThat(answers).containsExactly(Outcome.of(new DropResult(List.of("s"), List.of(), Map.of())));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aConsumerThatIsAskedHasDroppedNothingUntilItSaysSo() {
        HopSender sender = sent(new SentOn());

        drop();
        assertThat(last()).isEqualTo(new DropResult(List.of(), List.of("s"), Map.of()));
        assertThat(receipts()).isEmpty();

        sender.on(new HopMessage.Cancelled(SAMPLE.key()));
        assertThat(answers).hasSize(1);
        store.force();
        assertThat(last()).isEqualTo(new DropResult(List.of("s"), List.of(), Map.of()));
        assertThat(receipts()).containsExactly(ReceiptStatus.EXPIRED);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aConsumerThatTurnsOutToHaveItKeepsIt() {
        HopSender sender = sent(new SentOn());
        drop();

        sender.on(new HopMessage.Refuse(SAMPLE.key(), new Refusal(ErrorCode.ID_USED, "it is committed here")));
        drop();
        assertThat(last().asked()).containsExactly("s");
        sender.on(new HopMessage.Resume(SAMPLE.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
        sender.on(new HopMessage.Committed(SAMPLE.key(), List.of("s"), 0));

        assertThat(refusal().detail()).contains("subscription s: its consumer has all of it");
        assertThat(answers).hasSize(4); // each of the two drops is told twice
        assertThat(receipts()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void aConsumerThatGoesBeforeItAnswersDropsItWhenItComesBack() {
        SentOn consumer = new SentOn();
        sent(consumer);
        drop();
        relay.subscriptions().unlink("s", consumer);
        assertThat(receipts()).isEmpty();

        HopSender sender = connect(SPEC, new SentOn());
        sender.on(new HopMessage.Cancelled(SAMPLE.key()));
        store.force();

        assertThat(last().dropped()).containsExactly("s");
        assertThat(receipts()).containsExactly(ReceiptStatus.EXPIRED);
    }

    @Test
    void whatIsDroppedAgainWhileItsConsumerIsAwayExpiresOnce() {
        SentOn consumer = new SentOn();
        sent(consumer);
        drop();
        relay.subscriptions().unlink("s", consumer);

        drop();
        store.force();

        assertThat(receipts()).containsExactly(ReceiptStatus.EXPIRED);
        assertThat(answers).hasSize(3);
        assertThat(last().dropped()).containsExactly("s");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatItsConsumerHasJustFinishedIsNotDropped() {
        HopSender sender = sent(new SentOn());
        sender.on(new HopMessage.Resume(SAMPLE.key(), ALL));
        sender.on(new HopMessage.Committed(SAMPLE.key(), List.of("s"), 0)); // it is being settled

        drop();

        assertThat(refusal().detail()).contains("being made durable");
        assertThat(receipts()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aSubscriptionThatComesForItMeanwhileIsOwedItAndIsAskedForItself() {
        keep();
        drop();
        keep("s");
        store.owed.clear();
        SentOn consumer = new SentOn();
        connect(SPEC, consumer); // forces the record too, which comes after the subscription's
        relay.subscriptions().unlink("s", consumer);
        store.answer();
        store.force();

        assertThat(last().dropped()).containsExactly("s");
        assertThat(receipts()).containsExactly(ReceiptStatus.EXPIRED);
    }
}
