package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A member of a group may come back on an older copy of its data. */
class MemberReconciliationTest {
    private static final int FRAGMENT = 64;
    private static final String GROUP = "workers";

    /** A member's session. */
    private final class Session extends SentOn {
        final HopSender sender;

        Session(String member, long node) {
            SubscriptionTerms terms = SubscriptionTerms.NONE.withMember(Optional.of(member));
            SubscriptionSpec spec = new SubscriptionSpec(
                    GROUP, new Topic("t"), new NodeId(2, node), StartAt.NOW, AckLevel.DURABLE, terms);
            sender = Objects.requireNonNull(relay.subscriptions().subscribe(spec, this, outcome -> {}));
            store.force();
            store.answer();
        }

        boolean has(SampleTransfer sample) {
            return sender.has(sample.key());
        }

        /** It has all of it, and is permitted to deliver it. */
        void permit(SampleTransfer sample) {
            sender.on(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, sample.fragmentCount())));
            store.force();
            assertThat(mayDeliver(sample)).isTrue();
        }

        boolean mayDeliver(SampleTransfer sample) {
            return messages.contains(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        }

        void commits(SampleTransfer sample) {
            permit(sample);
            sender.on(new HopMessage.Committed(sample.key(), List.of(GROUP)));
        }

        void delivers(SampleTransfer sample) {
            sender.on(new HopMessage.ReceiptNotice(new Receipt(sample.key(), GROUP, ReceiptStatus.DELIVERED, "", 5)));
            store.force();
        }

        void ends() {
            relay.subscriptions().unlink(GROUP, this);
        }

        /** What it was asked whether it still has it. */
        List<TransferKey> asked() {
            return messages.stream()
                    .filter(HopMessage.Check.class::isInstance)
                    .flatMap(each -> ((HopMessage.Check) each).keys().stream())
                    .toList();
        }

        void hasLost(SampleTransfer sample) {
            sender.on(new HopMessage.Checked(List.of(sample.key()), List.of()));
        }
    }

    private final FakeRelayStore store = new FakeRelayStore();
    private final Relay relay = new Relay(
            store, new FragmentBufferPool(4096, 16), RelayLimits.DEFAULT, Runnable::run, () -> 1_000_000, () -> 1);

    MemberReconciliationTest() {
        store.readsWait = true;
    }

    private SampleTransfer publish(long number, String name) {
        SampleTransfer sample =
                SampleTransfer.file(new NodeId(1, 1), number, "t", name, 2 * FRAGMENT, FRAGMENT, number);
        relay.open(sample.manifest(), outcome -> {});
        relay.commit(sample.key(), sample.commit(), outcome -> {});
        store.force();
        return sample;
    }

    private List<Receipt> receipts() {
        List<Receipt> all = new ArrayList<>();
        for (Object each : store.appended) {
            if (each instanceof RelayRecord.ReceiptKept kept) {
                all.add(kept.receipt());
            }
        }
        return all;
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void whatAMemberHadAndLostHasFailed() {
        Session one = new Session("w1", 1);
        SampleTransfer lost = publish(1, "a");
        SampleTransfer kept = publish(2, "b");
        one.commits(lost);
        one.commits(kept);
        SampleTransfer next = publish(3, "a");
        one.ends();

        Session back = new Session("w1", 1);
        relay.tick(1);
        assertThat(back.asked()).containsExactly(lost.key(), kept.key());
        back.hasLost(lost);

        assertThat(receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.key()).isEqualTo(lost.key());
            assertThat(receipt.subscription()).isEqualTo(GROUP);
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(receipt.reason()).startsWith("member w1 had all of it").contains("Send it again");
        });
        back.permit(next); // it waited for the lost one's final word by its path
        back.delivers(kept);
        assertThat(relay.subscriptions().members(GROUP)).singleElement().satisfies(share -> {
            assertThat(share.transfers()).isEqualTo(1);
            assertThat(share.pinned()).isEqualTo(1);
        });
    }

    /** Another member, or nobody, had the rest; a member that only may have it is sent it again, and what has ended has its receipt. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aMemberIsAskedOnlyAboutWhatItHadAndHasNotGivenItsLastWordOn() {
        Session one = new Session("w1", 1);
        SampleTransfer had = publish(1, "a");
        SampleTransfer ended = publish(2, "b");
        one.commits(had);
        one.commits(ended);
        one.delivers(ended);
        SampleTransfer permitted = publish(3, "c");
        one.permit(permitted);
        Session two = new Session("w2", 2);
        SampleTransfer others = publish(4, "d");
        assertThat(two.has(others)).isTrue();
        two.commits(others);
        one.ends();

        Session back = new Session("w1", 1);
        relay.tick(1);

        assertThat(back.asked()).containsExactly(had.key());
        assertThat(two.asked()).containsExactly(others.key());
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatEndsWhileAMemberIsAskedHasNotFailed() {
        Session one = new Session("w1", 1);
        SampleTransfer sample = publish(1, "a");
        one.commits(sample);
        relay.tick(1);
        assertThat(one.asked()).containsExactly(sample.key());

        one.delivers(sample);
        one.hasLost(sample);

        assertThat(receipts()).extracting(Receipt::status).containsExactly(ReceiptStatus.DELIVERED);
    }

    @Test
    void aMemberIsAskedOnceInAMinuteHoweverOftenItComes() {
        Session one = new Session("w1", 1);
        SampleTransfer sample = publish(1, "a");
        one.commits(sample);
        relay.tick(1);
        relay.tick(2);
        assertThat(one.asked()).containsExactly(sample.key());
        one.ends();

        Session back = new Session("w1", 1);
        relay.tick(TimeUnit.SECONDS.toNanos(59));
        assertThat(back.asked()).isEmpty();
        relay.tick(TimeUnit.SECONDS.toNanos(61));
        assertThat(back.asked()).containsExactly(sample.key());
    }
}
