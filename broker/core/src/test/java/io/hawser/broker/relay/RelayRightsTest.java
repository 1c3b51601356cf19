package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A publisher's session speaks of another publisher's transfers. */
class RelayRightsTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final NodeId HONEST = new NodeId(1, 1);
    private static final NodeId MALLORY = new NodeId(6, 6);

    private final SampleTransfer transfer = SampleTransfer.file(HONEST, 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);
    private final SentOn honestLink = new SentOn();
    private final SentOn malloryLink = new SentOn();
    private final Rights rights = new Rights();
    private final PublisherIntake honest = relay.publisherConnected(HONEST, honestLink);
    private final PublisherIntake mallory =
            relay.publisherConnected(MALLORY, malloryLink, rights, SenderAllowance.UNLIMITED);

    /** May publish, and cancel on one topic. */
    private static final class Rights implements PublishRights {
        final List<String> notes = new ArrayList<>();
        String cancels = "";

        @Override
        public @Nullable Refusal whyNot(Manifest manifest) {
            return null;
        }

        @Override
        public boolean mayCancelSomewhere() {
            return !cancels.isEmpty();
        }

        @Override
        public @Nullable Refusal whyNotCancel(TransferKey key, @Nullable Topic topic) {
            boolean allowed = topic != null && topic.name().equals(cancels);
            return allowed ? null : new Refusal(ErrorCode.NOT_ALLOWED, "no");
        }

        @Override
        public String peer() {
            return "client:ops";
        }

        @Override
        public void notItsOwn(TransferKey key, String message) {
            notes.add(message);
        }
    }

    @BeforeEach
    void openTransfer() {
        honest.receiver().on(new HopMessage.Open(transfer.manifest(), false));
        settle();
        store.appended.clear();
        honestLink.messages.clear();
        malloryLink.messages.clear();
    }

    private void assertUnharmed() {
        assertThat(store.appended).isEmpty();
        assertThat(honestLink.messages).isEmpty();
        assertThat(relay.liveTransfers(new Topic("t"))).hasSize(1);
    }

    private ErrorCode refusedToMallory() {
        assertThat(malloryLink.messages).hasSize(1);
        return ((HopMessage.Refuse) malloryLink.messages.get(0)).refusal().code();
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void cancelOfAnothersTransferIsRefused() {
        mallory.receiver().on(new HopMessage.Cancel(transfer.key(), "gone"));
        settle();

        assertThat(refusedToMallory()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertUnharmed();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void transferThatWasBegunOnAnotherTopicDoesNotGoOnUnderThisOne() {
        SampleTransfer begun = SampleTransfer.file(MALLORY, 1, "t", "a", 10, FRAGMENT, 1);
        store.know(FakeRelayStore.open(begun.manifest()));
        SampleTransfer now = SampleTransfer.file(MALLORY, 1, "mine", "a", 10, FRAGMENT, 1);
        assertThat(now.key()).isEqualTo(begun.key());

        mallory.receiver().on(new HopMessage.Open(now.manifest(), true));
        mallory.receiver().on(new HopMessage.CommitTransfer(now.key(), now.commit()));
        settle();
        assertThat(malloryLink.messages).last().isInstanceOfSatisfying(HopMessage.Refuse.class, refuse -> assertThat(
                        refuse.refusal().code())
                .isEqualTo(ErrorCode.MALFORMED));
        malloryLink.messages.clear();
        small(mallory, now);
        settle();
        assertThat(refusedToMallory()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(store.appended).isEmpty();
    }

    @Test
    void cancelOnAnotherTopicIsRefusedAsIfThereWereNoSuchTransfer() {
        rights.cancels = "other";
        mallory.receiver().on(new HopMessage.Cancel(transfer.key(), "gone"));
        settle();
        ErrorCode known = refusedToMallory();
        malloryLink.messages.clear();
        SampleTransfer unknown = SampleTransfer.file(HONEST, 2, "t", "b", 1, FRAGMENT, 2);
        mallory.receiver().on(new HopMessage.Cancel(unknown.key(), "gone"));
        settle();

        assertThat(refusedToMallory()).isEqualTo(known).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertUnharmed();
    }

    @Test
    void cancelWithTheRightDropsTheTransferAndTellsItsPublisherWhoDidIt() {
        rights.cancels = "t";
        mallory.receiver().on(new HopMessage.Cancel(transfer.key(), "not wanted"));
        settle();

        assertThat(malloryLink.messages).containsExactly(new HopMessage.Cancelled(transfer.key()));
        assertThat(store.appended)
                .containsExactly(new RelayRecord.Cancelled(transfer.key(), "client:ops cancelled it: not wanted"));
        assertThat(honestLink.messages)
                .containsExactly(new HopMessage.Refuse(
                        transfer.key(), new Refusal(ErrorCode.CANCELLED, "client:ops cancelled it: not wanted")));
        assertThat(relay.liveTransfers(new Topic("t"))).isEmpty();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void otherMessagesAboutAnothersTransferAreRefusedAndNoted() {
        mallory.receiver().on(new HopMessage.ReceiptAck(transfer.key(), "s", ReceiptStatus.DELIVERED));
        mallory.receiver().on(new HopMessage.CommitTransfer(transfer.key(), transfer.commit()));
        mallory.receiver().on(new HopMessage.Open(transfer.manifest(), true));
        settle();

        assertThat(malloryLink.messages).hasSize(3).allMatch(HopMessage.Refuse.class::isInstance);
        assertThat(rights.notes).containsExactly("RECEIPT_ACK", "COMMIT", "OPEN");
        assertUnharmed();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void whatIsStillHereIsToldToItsPublisherAlone() {
        SampleTransfer unknown = SampleTransfer.file(HONEST, 2, "t", "b", 1, FRAGMENT, 2);
        SampleTransfer finished = SampleTransfer.file(HONEST, 3, "t", "c", 1, FRAGMENT, 3);
        store.known.put(finished.key(), new RelayStore.Lookup(StoredTransfer.State.GONE, null));
        HopMessage.Check question = new HopMessage.Check(List.of(unknown.key(), finished.key()));

        honest.receiver().on(question);
        honest.receiver().on(question); // before the first is answered
        settle();
        assertThat(honestLink.messages)
                .containsExactly(new HopMessage.Checked(List.of(unknown.key()), List.of(finished.key())));

        mallory.receiver().on(question);
        settle();
        assertThat(refusedToMallory()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(rights.notes).containsExactly("CHECK");
    }
}
