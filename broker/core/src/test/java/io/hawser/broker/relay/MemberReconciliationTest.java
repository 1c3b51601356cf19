package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A member of a group may come back on an older copy of its data. */
class MemberReconciliationTest extends GroupFixture {
    private SampleTransfer publish(long number, String name) {
        SampleTransfer sample = sample(number, name);
        publish(sample);
        return sample;
    }

    /** It has all of it, and is permitted to deliver it. */
    private void permit(Session member, SampleTransfer sample) {
        member.has(sample);
        store.force();
        assertThat(member.mayDeliver(sample)).isTrue();
    }

    private void commit(Session member, SampleTransfer sample) {
        permit(member, sample);
        member.commits(sample);
    }

    private void deliver(Session member, SampleTransfer sample) {
        member.reports(sample);
        store.force();
    }

    private static void lose(Session member, SampleTransfer sample) {
        member.sender.on(new HopMessage.Checked(List.of(sample.key()), List.of()));
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void whatAMemberHadAndLostHasFailed() {
        Session one = new Session("w1", ONE);
        SampleTransfer lost = publish(1, "a");
        SampleTransfer kept = publish(2, "b");
        commit(one, lost);
        commit(one, kept);
        SampleTransfer next = publish(3, "a");
        one.ends();

        Session back = new Session("w1", ONE);
        relay.tick(1);
        assertThat(back.asked()).containsExactly(lost.key(), kept.key());
        lose(back, lost);

        assertThat(store.receiptsKept()).singleElement().satisfies(receipt -> {
            assertThat(receipt.key()).isEqualTo(lost.key());
            assertThat(receipt.subscription()).isEqualTo(GROUP);
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(receipt.reason()).startsWith("member w1 had all of it").contains("Send it again");
        });
        permit(back, next); // it waited for the lost one's final word by its path
        deliver(back, kept);
        assertThat(relay.subscriptions().members(GROUP)).singleElement().satisfies(share -> {
            assertThat(share.transfers()).isEqualTo(1);
            assertThat(share.pinned()).isEqualTo(1);
        });
    }

    /** Another member, or nobody, had the rest; a member that only may have it is sent it again, and what has ended has its receipt. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aMemberIsAskedOnlyAboutWhatItHadAndHasNotGivenItsLastWordOn() {
        Session one = new Session("w1", ONE);
        SampleTransfer had = publish(1, "a");
        SampleTransfer ended = publish(2, "b");
        commit(one, had);
        commit(one, ended);
        deliver(one, ended);
        SampleTransfer permitted = publish(3, "c");
        permit(one, permitted);
        Session two = new Session("w2", TWO);
        SampleTransfer others = publish(4, "d");
        assertThat(two.sender.has(others.key())).isTrue();
        commit(two, others);
        one.ends();

        Session back = new Session("w1", ONE);
        relay.tick(1);

        assertThat(back.asked()).containsExactly(had.key());
        assertThat(two.asked()).containsExactly(others.key());
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatEndsWhileAMemberIsAskedHasNotFailed() {
        Session one = new Session("w1", ONE);
        SampleTransfer sample = publish(1, "a");
        commit(one, sample);
        relay.tick(1);
        assertThat(one.asked()).containsExactly(sample.key());

        deliver(one, sample);
        lose(one, sample);

        assertThat(store.receiptsKept()).extracting(Receipt::status).containsExactly(ReceiptStatus.DELIVERED);
    }

    @Test
    void aMemberIsAskedOnceInAMinuteHoweverOftenItComes() {
        Session one = new Session("w1", ONE);
        SampleTransfer sample = publish(1, "a");
        commit(one, sample);
        relay.tick(1);
        relay.tick(2);
        assertThat(one.asked()).containsExactly(sample.key());
        one.ends();

        Session back = new Session("w1", ONE);
        relay.tick(TimeUnit.SECONDS.toNanos(59));
        assertThat(back.asked()).isEmpty();
        relay.tick(TimeUnit.SECONDS.toNanos(61));
        assertThat(back.asked()).containsExactly(sample.key());
    }
}
