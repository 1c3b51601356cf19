package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
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

/** A held transfer goes on when it is released, and not before. */
@Invariant(InvariantName.HONEST_ANSWERS)
class HoldsTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec("s", new Topic("t"), new NodeId(2, 2), StartAt.NOW, AckLevel.DURABLE);
    private static final SampleTransfer SAMPLE =
            SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);
    private final List<Outcome<TransferKey>> answers = new ArrayList<>();
    private KeptTransfer kept = FakeRelayStore.committed(SAMPLE, 1, "s");

    private void keep() {
        store.know(kept);
        store.owed.clear();
        store.owed.add(kept);
    }

    private HopSender sent(SentOn consumer) {
        keep();
        store.readsWait = true;
        return connect(SPEC, consumer);
    }

    private void answerAll() {
        store.answer();
        store.force();
    }

    @Test
    void whatIsHeldIsSentNoFurtherUntilItIsReleased() {
        SentOn consumer = new SentOn();
        HopSender sender = sent(consumer);

        relay.holds().hold(SAMPLE.key(), answers::add);
        answerAll();
        assertThat(answers).containsExactly(Outcome.of(SAMPLE.key()));
        assertThat(store.appended).contains(new RelayRecord.Steered(SAMPLE.key(), true, 5));
        sender.on(new HopMessage.Resume(SAMPLE.key(), FragmentRanges.of(0, SAMPLE.fragmentCount())));
        assertThat(consumer.has(HopMessage.CommitTransfer.class)).isFalse();
        assertThat(sender.longestStopped()).isEmpty();

        relay.holds().release(SAMPLE.key(), answers::add);
        answerAll();
        sender.on(new HopMessage.Resume(SAMPLE.key(), FragmentRanges.of(0, SAMPLE.fragmentCount())));
        assertThat(consumer.has(HopMessage.CommitTransfer.class)).isTrue();
    }

    @Test
    void itIsTooLateWhenItsCommitHasLeft() {
        HopSender sender = sent(new SentOn());
        sender.on(new HopMessage.Resume(SAMPLE.key(), FragmentRanges.of(0, SAMPLE.fragmentCount())));

        relay.holds().hold(SAMPLE.key(), answers::add);
        store.answer();

        assertThat(answers).singleElement().satisfies(answer -> assertThat(answer.isRefused())
                .isTrue());
    }

    @Test
    void afterARestartTheStoreSaysWhatIsHeld() {
        kept = FakeRelayStore.steered(kept, new Steering(null, true, 9));
        SentOn consumer = new SentOn();
        HopSender sender = sent(consumer);
        sender.on(new HopMessage.Resume(SAMPLE.key(), FragmentRanges.of(0, SAMPLE.fragmentCount())));

        assertThat(sender.heldTransfers()).isEqualTo(1);
        assertThat(consumer.has(HopMessage.CommitTransfer.class)).isFalse();
    }
}
