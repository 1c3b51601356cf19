package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a cancel is answered: by a spool with the sender of a hop, whose receiver is the test. */
@Invariant(InvariantName.HONEST_ANSWERS)
class SpoolCancelTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private SpoolFixture it;

    @SuppressWarnings("NullAway.Init")
    private SpoolSender hop;

    private final Receiver receiver = new Receiver();
    private final List<SpoolPhase> seen = new CopyOnWriteArrayList<>();

    /** What the sender says to the next hop. */
    private static final class Receiver implements HopLink {
        final List<HopMessage> messages = new CopyOnWriteArrayList<>();

        @Override
        public void send(HopMessage message) {
            messages.add(message);
        }

        @Override
        public void wake() {}

        @Override
        public void probe(Runnable then) {}

        @Override
        public void end(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public int streams() {
            return 1;
        }

        boolean hasGot(Class<? extends HopMessage> kind, TransferKey key) {
            return messages.stream()
                    .anyMatch(message ->
                            kind.isInstance(message) && message.toString().contains(key.toString()));
        }
    }

    @BeforeEach
    void open() throws Exception {
        it = new SpoolFixture(directory, SpoolFixture.config());
        hop = new SpoolSender(it.spool, HopSenderLimits.DEFAULT, cause -> {
            throw new AssertionError(cause);
        });
        it.run(() -> it.spool.start(hop));
    }

    @AfterEach
    void close() {
        linkDown();
        it.close();
    }

    private void linkUp() {
        it.run(() -> hop.sender().linkUp(receiver));
    }

    private void linkDown() {
        it.run(() -> hop.sender().linkDown());
    }

    private void answer(HopMessage message) {
        it.run(() -> hop.sender().on(message));
    }

    /** Accepts a small file; if there is a session, it leaves with its COMMIT. */
    private TransferKey accept(String name) {
        it.sendSmall(name, bytes(10, 1)).value();
        it.run(() -> {
            if (hop.sender().next(0) instanceof OutboundPacket.OfSmall small) {
                small.payload().release();
            }
        });
        return it.keyOf(name);
    }

    private Answer<TransferKey> cancel(TransferKey key) {
        Answer<TransferKey> told = new Answer<>();
        it.run(() -> {
            Runnable unused = it.spool.observe(key, state -> seen.add(state.phase()));
            it.spool.cancel(key, "changed my mind", told).get();
        });
        return told;
    }

    private void awaitCancelAtNextHop(TransferKey key) {
        await().until(() -> receiver.hasGot(HopMessage.Cancel.class, key));
    }

    /** Whether the cancel has been answered, after all that the loop has to do now. */
    private boolean isAnswered(Answer<TransferKey> told) {
        it.run(() -> {});
        it.run(() -> {});
        return told.isThere();
    }

    private void commitHadBeenFaster(TransferKey key) {
        answer(new HopMessage.Refuse(key, new Refusal(ErrorCode.ID_USED, "committed")));
        assertThat(receiver.hasGot(HopMessage.Open.class, key)).isTrue();
        answer(new HopMessage.Resume(key, FragmentRanges.of(0, 1)));
        assertThat(receiver.hasGot(HopMessage.CommitTransfer.class, key)).isTrue();
        answer(new HopMessage.Committed(key, List.of("site-b")));
    }

    @Test
    void aCancelAfterTheCommitIsAnsweredByTheNextHop() {
        linkUp();
        TransferKey key = accept("f");

        Answer<TransferKey> told = cancel(key);
        awaitCancelAtNextHop(key);
        assertThat(isAnswered(told)).isFalse();
        assertThat(it.state(key).phase().isFinal()).isFalse();

        answer(new HopMessage.Cancelled(key));
        assertThat(told.value()).isEqualTo(key);
        it.awaitPhase(key, SpoolPhase.CANCELLED);
        await().until(() -> seen.contains(SpoolPhase.CANCELLED));
    }

    @Test
    void aCommitThatWasFasterMakesTheCancelTooLate() {
        linkUp();
        TransferKey key = accept("f");
        Answer<TransferKey> told = cancel(key);
        awaitCancelAtNextHop(key);

        commitHadBeenFaster(key);

        assertThat(told.code()).isEqualTo(ErrorCode.NOT_FOUND);
        it.awaitPhase(key, SpoolPhase.BROKERED);
        await().until(() -> seen.contains(SpoolPhase.BROKERED));
        assertThat(seen).doesNotContain(SpoolPhase.CANCELLED);
    }

    @Test
    void aCommitThatIsConfirmedDuringTheCancelMakesItTooLate() {
        linkUp();
        TransferKey key = accept("f");
        Answer<TransferKey> told = new Answer<>();

        it.run(() -> {
            Runnable unused = it.spool.observe(key, state -> seen.add(state.phase()));
            it.spool.cancel(key, "changed my mind", told).get();
            hop.sender().on(new HopMessage.Committed(key, List.of("site-b")));
        });

        assertThat(told.code()).isEqualTo(ErrorCode.NOT_FOUND);
        await().until(() -> seen.contains(SpoolPhase.BROKERED));
        assertThat(seen).doesNotContain(SpoolPhase.CANCELLED);
    }

    @Test
    void aCancelAfterALostCommitWaitsForTheNextSession() {
        linkUp();
        TransferKey key = accept("f");
        linkDown();

        Answer<TransferKey> told = cancel(key);
        await().until(() ->
                it.onLoop(() -> !it.spool.find(SpoolFixture.TOPIC, "f").isPresent()));
        it.sendSmall("journaled after it", bytes(10, 1)).value();
        assertThat(isAnswered(told)).isFalse();

        linkUp();
        awaitCancelAtNextHop(key);
        answer(new HopMessage.Cancelled(key));
        assertThat(told.value()).isEqualTo(key);
    }

    @Test
    void aLargeTransferWhoseCommitWasLostWaitsToo() {
        linkUp();
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        await().until(() -> receiver.hasGot(HopMessage.CommitTransfer.class, key));
        linkDown();

        Answer<TransferKey> told = cancel(key);
        it.sendSmall("journaled after it", bytes(10, 1)).value();
        assertThat(isAnswered(told)).isFalse();

        linkUp();
        awaitCancelAtNextHop(key);
        answer(new HopMessage.Cancelled(key));
        assertThat(told.value()).isEqualTo(key);
    }

    @Test
    void anEarlierRunMayHaveSentTheCommit() throws Exception {
        TransferKey key = accept("f");
        close();
        open();

        Answer<TransferKey> told = cancel(key);
        it.sendSmall("journaled after it", bytes(10, 1)).value();
        assertThat(isAnswered(told)).isFalse();

        linkUp();
        awaitCancelAtNextHop(key);
        commitHadBeenFaster(key);
        assertThat(told.code()).isEqualTo(ErrorCode.NOT_FOUND);
        it.awaitPhase(key, SpoolPhase.BROKERED);
    }

    @Test
    void aSecondCancelIsAnsweredWithTheFirst() {
        linkUp();
        TransferKey key = accept("f");
        Answer<TransferKey> first = cancel(key);
        awaitCancelAtNextHop(key);

        Answer<TransferKey> second = cancel(key);
        assertThat(isAnswered(second)).isFalse();
        answer(new HopMessage.Cancelled(key));

        assertThat(first.value()).isEqualTo(key);
        assertThat(second.value()).isEqualTo(key);
    }

    @Test
    void aCancelThatTheNextHopRefusesFails() {
        linkUp();
        TransferKey key = accept("f");
        Answer<TransferKey> told = cancel(key);
        awaitCancelAtNextHop(key);

        answer(new HopMessage.Refuse(key, new Refusal(ErrorCode.NOT_ALLOWED, "no right to publish")));

        assertThat(told.code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        it.awaitPhase(key, SpoolPhase.CANCELLED);
    }

    @Test
    void withoutACommitAtTheNextHopItIsAnsweredAtOnce() {
        TransferKey neverSent = accept("f");
        assertThat(cancel(neverSent).value()).isEqualTo(neverSent);

        TransferKey earlier = accept("g");
        it.upload("g", bytes(2 * FRAGMENT, 2));
        TransferKey waitsForEarlier = it.keyOf("g");
        linkUp();
        await().until(() -> receiver.hasGot(HopMessage.Open.class, waitsForEarlier));
        linkDown();
        assertThat(earlier).isNotEqualTo(waitsForEarlier);
        assertThat(cancel(waitsForEarlier).value()).isEqualTo(waitsForEarlier);
    }

    @Test
    void whatTheNextHopRefusedIsCancelledWithoutIt() {
        linkUp();
        TransferKey key = accept("f");
        answer(new HopMessage.Refuse(key, new Refusal(ErrorCode.TOO_LARGE, "more than the quota")));
        linkDown();

        assertThat(cancel(key).value()).isEqualTo(key);
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.CANCELLED);
    }

    @Test
    void aCommitIsFollowedThoughItsCancelIsFromAnEarlierRun() throws Exception {
        linkUp();
        TransferKey key = accept("f");
        Answer<TransferKey> unused = cancel(key);
        awaitCancelAtNextHop(key);
        close();
        open();
        receiver.messages.clear();
        assertThat(it.state(key).phase().isFinal()).isFalse();
        assertThat(it.onLoop(() -> it.spool.touching(SpoolFixture.TOPIC, "f"))).isEmpty();
        Answer<TransferKey> again = cancel(key);
        assertThat(isAnswered(again)).isFalse();

        linkUp();
        awaitCancelAtNextHop(key);
        commitHadBeenFaster(key);

        assertThat(again.code()).isEqualTo(ErrorCode.NOT_FOUND);
        it.awaitPhase(key, SpoolPhase.BROKERED);
    }

    @Test
    void aCancelOfAnEarlierRunThatIsCertainStaysSo() throws Exception {
        TransferKey earlier = accept("f");
        it.upload("f", bytes(2 * FRAGMENT, 2));
        TransferKey key = it.keyOf("f");
        linkUp();
        await().until(() -> receiver.hasGot(HopMessage.Open.class, key));
        linkDown();
        assertThat(cancel(key).value()).isEqualTo(key).isNotEqualTo(earlier);
        close();
        open();

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.CANCELLED);
        assertThat(cancel(key).value()).isEqualTo(key);
    }

    private Answer<TransferKey> recall(TransferKey key) {
        Answer<TransferKey> told = new Answer<>();
        it.run(() -> it.spool.recall(key, "not needed", told));
        return told;
    }

    private TransferKey brokered(String name) {
        linkUp();
        TransferKey key = accept(name);
        answer(new HopMessage.Committed(key, List.of("site-b")));
        it.awaitPhase(key, SpoolPhase.BROKERED);
        return key;
    }

    private boolean isRecalledInANewSession(TransferKey key) {
        linkDown();
        receiver.messages.clear();
        linkUp();
        return receiver.hasGot(HopMessage.Recall.class, key);
    }

    @Test
    void whatTheNextHopHasIsRecalledInEachSessionUntilItsReceiptsAreThere() {
        TransferKey key = brokered("f");

        assertThat(recall(key).value()).isEqualTo(key);
        assertThat(receiver.hasGot(HopMessage.Recall.class, key)).isTrue();
        assertThat(it.state(key).isBeingCancelled()).isTrue();
        assertThat(isRecalledInANewSession(key)).isTrue();

        answer(new HopMessage.ReceiptNotice(new Receipt(key, "site-b", ReceiptStatus.CANCELLED, "not needed", 5)));
        it.awaitPhase(key, SpoolPhase.FINISHED);
        assertThat(isRecalledInANewSession(key)).isFalse();
        assertThat(recall(key).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aRecallOutlivesTheProcess() throws Exception {
        TransferKey key = brokered("f");
        recall(key).value();
        close();
        open();

        assertThat(it.state(key).isBeingCancelled()).isTrue();
        assertThat(isRecalledInANewSession(key)).isTrue();
    }

    @Test
    void aCancelThatIsTooLateGoesOnAsARecallAlsoAfterARestart() throws Exception {
        linkUp();
        TransferKey key = accept("f");
        assertThat(recall(key).value()).isEqualTo(key);
        assertThat(it.state(key).isBeingCancelled()).isTrue();
        close();
        open();
        receiver.messages.clear();

        linkUp();
        assertThat(receiver.hasGot(HopMessage.Cancel.class, key)).isTrue();
        commitHadBeenFaster(key);

        it.awaitPhase(key, SpoolPhase.BROKERED);
        await().until(() -> receiver.hasGot(HopMessage.Recall.class, key));
        assertThat(it.state(key).isBeingCancelled()).isTrue();
    }

    private Answer<TransferKey> hold(TransferKey key, boolean holds) {
        Answer<TransferKey> told = new Answer<>();
        it.run(() -> it.spool.hold(key, holds, told));
        return told;
    }

    @Test
    void whatIsHeldStaysOverARestartAndGoesOnWhenItIsReleased() throws Exception {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        assertThat(hold(key, true).value()).isEqualTo(key);
        close();
        open();
        assertThat(it.state(key).held()).isTrue();
        linkUp();
        assertThat(receiver.hasGot(HopMessage.Open.class, key)).isFalse();

        assertThat(hold(key, false).value()).isEqualTo(key);
        assertThat(receiver.hasGot(HopMessage.Open.class, key)).isTrue();
        assertThat(it.state(key).held()).isFalse();
    }

    @Test
    void whatTheNextHopHasOrMayHaveIsNotHeldHere() {
        TransferKey key = brokered("f");
        assertThat(hold(key, true).code()).isEqualTo(ErrorCode.NOT_ALLOWED);

        TransferKey sent = accept("g");
        assertThat(hold(sent, true).code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(it.state(sent).held()).isFalse();
    }

    @Test
    void whatTheNextHopHasRefusedForGoodIsOfferedAgain() {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        linkUp();
        answer(new HopMessage.Refuse(key, new Refusal(ErrorCode.TOO_LARGE, "more than the quota")));
        it.awaitPhase(key, SpoolPhase.REFUSED);
        receiver.messages.clear();
        Answer<TransferKey> told = new Answer<>();

        it.run(() -> it.spool.retry(key, told));

        assertThat(told.value()).isEqualTo(key);
        assertThat(receiver.hasGot(HopMessage.Open.class, key)).isTrue();
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.SPOOLED);
    }
}
