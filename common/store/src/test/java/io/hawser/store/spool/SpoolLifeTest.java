package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.TOPIC;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.meter.TransferCounts.Count;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.LogCapture;
import io.hawser.ptcp.testkit.TestTimes;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of a transfer behind its commit: acks, receipts, refusals, cancels. */
class SpoolLifeTest extends OnOneSpool {
    private void receipt(TransferKey key, String subscription, ReceiptStatus status) {
        AtomicBoolean durable = new AtomicBoolean();
        it.run(() -> it.spool.receipt(new Receipt(key, subscription, status, "", 5), () -> durable.set(true)));
        await().untilTrue(durable);
    }

    private void committed(TransferKey key, String... deliverySet) {
        it.run(() -> it.spool.committed(key, List.of(deliverySet)));
        it.awaitPhase(key, SpoolPhase.BROKERED);
    }

    private long filesInData() throws Exception {
        try (var all = Files.list(directory.resolve("data"))) {
            return all.count();
        }
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void contentIsKeptUntilEveryMemberOfTheDeliverySetHasItsFinalReceipt() throws Exception {
        byte[] bytes = bytes(2 * FRAGMENT + 5, 1);
        it.upload("f", bytes);
        TransferKey key = it.keyOf("f");

        committed(key, "one", "two");
        receipt(key, "one", ReceiptStatus.DELIVERED);
        receipt(key, "two", ReceiptStatus.LANDED);
        reopen();
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.BROKERED);
        assertThat(it.state(key).receipts()).hasSize(2);
        assertThat(it.load(key, 0).isRefused()).isFalse();
        assertThat(it.listener.events).isEmpty();

        receipt(key, "two", ReceiptStatus.DELIVERED);
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.FINISHED);
        await().until(() -> filesInData() == 0);
        assertThat(Answer.code(it.load(key, 0))).isEqualTo(ErrorCode.NOT_FOUND);
        reopen();
        assertThat(it.onLoop(() -> it.spool.states())).isEmpty();
    }

    @Test
    void whatIsAcceptedAndWhatBecomesOfItIsCountedOnce() {
        it.upload("f", bytes(2 * FRAGMENT + 5, 1));
        TransferKey key = it.keyOf("f");
        committed(key, "one", "two");
        receipt(key, "one", ReceiptStatus.LANDED);
        receipt(key, "one", ReceiptStatus.LANDED);
        receipt(key, "one", ReceiptStatus.DELIVERED);
        receipt(key, "two", ReceiptStatus.FAILED);

        TransferCounts counts = it.spool.counts();
        String topic = it.state(key).manifest().topic().name();
        assertThat(it.onLoop(() -> counts.completed())).containsExactly(new Count(topic, "", 1));
        assertThat(it.onLoop(() -> counts.completedBytes())).containsExactly(new Count(topic, "", 2 * FRAGMENT + 5));
        assertThat(it.onLoop(() -> counts.receipts()))
                .contains(new Count(topic, "landed", 1), new Count(topic, "delivered", 1))
                .contains(new Count(topic, "failed", 1));
        assertThat(it.onLoop(() -> counts.failures())).contains(new Count(topic, "failed", 1));
    }

    @Test
    void whatTheNextHopRefusesForGoodIsCountedByItsCode() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");

        it.run(() -> it.spool.refused(key, new Refusal(ErrorCode.BAD_NAME, "no such name")));
        it.awaitPhase(key, SpoolPhase.REFUSED);

        String topic = it.state(key).manifest().topic().name();
        assertThat(it.onLoop(() -> it.spool.counts().failures())).contains(new Count(topic, "refused_bad_name", 1));
    }

    @Test
    void anEmptyDeliverySetWaitsForTheFirstSubscription() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        committed(key);

        receipt(key, "late", ReceiptStatus.DELIVERED);

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.FINISHED);
    }

    @Test
    void aReceiptThatComesWhileTheCommitIsBeingJournaledEndsItToo() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");

        it.run(() -> {
            it.spool.committed(key, List.of("one"));
            it.spool.receipt(new Receipt(key, "one", ReceiptStatus.DELIVERED, "", 5), () -> {});
        });

        await().until(() -> it.state(key).phase() == SpoolPhase.FINISHED);
    }

    @Test
    void whoWaitsForATransferIsToldOfItsEndThoughTheAckOfTheReceiptFails() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        committed(key, "one");
        List<SpoolPhase> seen = new CopyOnWriteArrayList<>();
        Runnable unused = it.onLoop(() -> it.spool.observe(key, state -> seen.add(state.phase())));

        it.run(() -> it.spool.receipt(new Receipt(key, "one", ReceiptStatus.DELIVERED, "", 5), () -> {
            throw new IllegalStateException("on purpose");
        }));

        await().dontCatchUncaughtExceptions().until(() -> seen.contains(SpoolPhase.FINISHED));
    }

    @Test
    void aReceiptWhoseAckFailsWhileTheCommitIsBeingJournaledEndsItToo() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");

        it.run(() -> {
            it.spool.committed(key, List.of("one"));
            it.spool.receipt(new Receipt(key, "one", ReceiptStatus.DELIVERED, "", 5), () -> {
                throw new IllegalStateException("on purpose");
            });
        });

        await().dontCatchUncaughtExceptions().until(() -> it.state(key).phase() == SpoolPhase.FINISHED);
    }

    @Test
    void contentMayBeDroppedAsSoonAsTheNextHopHasIt() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withKeepUntilDelivered(false)).started();
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");

        committed(key, "one");

        await().until(() -> filesInData() == 0);
        assertThat(it.state(key).contentKept()).isFalse();
        assertThat(it.onLoop(() -> it.spool.usage().contentBytes())).isZero();
    }

    @Test
    void pinnedContentStaysReadableBehindTheEndOfItsTransfer() throws Exception {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        Runnable unpin = it.onLoop(() -> it.spool.pin(key));

        committed(key, "one");
        receipt(key, "one", ReceiptStatus.DELIVERED);

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.FINISHED);
        assertThat(it.load(key, 1).get()).hasSize(FRAGMENT);
        it.run(unpin);
        await().until(() -> filesInData() == 0);
        assertThat(it.load(key, 1).isRefused()).isTrue();
    }

    @Test
    void observersSeeEachStepToTheEnd() {
        Upload upload = it.begin(request("f"));
        List<SpoolPhase> phases = new CopyOnWriteArrayList<>();
        it.run(() -> it.spool.observe(upload.key(), state -> phases.add(state.phase())));
        byte[] bytes = bytes(2 * FRAGMENT, 1);
        it.write(upload, bytes, 0);
        it.finish(upload, bytes.length).get();
        committed(upload.key(), "one");
        receipt(upload.key(), "one", ReceiptStatus.DELIVERED);

        await().until(() -> phases.contains(SpoolPhase.FINISHED));
        assertThat(new ArrayList<>(phases.stream().distinct().toList()))
                .containsExactly(SpoolPhase.RECEIVING, SpoolPhase.SPOOLED, SpoolPhase.BROKERED, SpoolPhase.FINISHED);
    }

    @Test
    void aReceiptForSomethingUnknownIsAcknowledged() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        committed(key, "one");
        receipt(key, "one", ReceiptStatus.DELIVERED);

        receipt(key, "one", ReceiptStatus.DELIVERED);
        receipt(key, "other", ReceiptStatus.FAILED);

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.FINISHED);
    }

    @Test
    void aCancelIsRepeatedUntilTheNextHopConfirmsIt() throws Exception {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        it.onLoop(() -> it.spool.cancel(key, "not wanted")).get();
        await().until(() -> it.listener.events.contains("cancelled f"));

        reopen();

        assertThat(it.listener.events).containsExactly("pending again f", "cancelled f");
        it.run(() -> it.spool.cancelled(key));
        await().until(() -> it.onLoop(() -> it.spool.usage().pending()) == 0);
        reopen();
        assertThat(it.listener.events).isEmpty();
        assertThat(filesInData()).isZero();
    }

    @Test
    void whatTheNextHopHasCommittedCannotBeCancelled() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        committed(key, "one");

        assertThat(Answer.code(it.onLoop(() -> it.spool.cancel(key, "late")))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void whatTheNextHopRefusedIsCancelledWhenItSaysSo() throws Exception {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        it.run(() -> it.spool.refused(key, new Refusal(ErrorCode.TOO_LARGE, "more than the quota")));
        await().until(() -> it.state(key).phase() == SpoolPhase.REFUSED);

        CompletableFuture<SpoolPhase> phaseWhenDone = new CompletableFuture<>();
        it.run(() -> it.spool.cancel(
                key,
                "given up",
                done -> phaseWhenDone.complete(it.spool.state(key).orElseThrow().phase())));

        assertThat(phaseWhenDone.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(SpoolPhase.CANCELLED);
    }

    @Test
    void aCancelThatTheCommitOvertookIsToldSo() throws Exception {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        Answer<TransferKey> told = new Answer<>();
        it.run(() -> {
            it.spool.committed(key, List.of("one"));
            it.spool.cancel(key, "late", told);
        });

        assertThat(told.code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aCommitThatOvertookTheCancelStands() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");
        it.onLoop(() -> it.spool.cancel(key, "late")).get();
        await().until(() -> it.listener.events.contains("cancelled f"));

        committed(key, "one");
        receipt(key, "one", ReceiptStatus.DELIVERED);

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.FINISHED);
    }

    @Test
    void whatIsRefusedForGoodIsKeptAndOfferedAgainAfterARestart() throws Exception {
        byte[] bytes = bytes(10, 1);
        it.upload("f", bytes);
        TransferKey key = it.keyOf("f");
        it.run(() -> it.spool.refused(key, new Refusal(ErrorCode.NOT_ALLOWED, "no right to the topic")));
        it.awaitPhase(key, SpoolPhase.REFUSED);

        reopen();

        assertThat(it.listener.events).containsExactly("pending again f");
        assertThat(it.content(key)).isEqualTo(bytes);
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.SPOOLED);
    }

    private static final Refusal NO_RIGHT = new Refusal(ErrorCode.NOT_ALLOWED, "no right to the topic");

    private void keepUntilAllowed() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withKeepUntilAllowed(true)).started();
    }

    /** As the sender does it. */
    private boolean lacksARight(TransferKey key) {
        boolean waits = it.onLoop(() -> it.spool.waitsForRight(key));
        it.run(() -> it.spool.refused(key, NO_RIGHT));
        return waits;
    }

    @Test
    void whatWasAcceptedWaitsForARightThatItLacks() throws Exception {
        keepUntilAllowed();
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");

        assertThat(lacksARight(key)).isTrue();
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.SPOOLED);
        assertThat(it.state(key).lacksRight()).isTrue();
        it.run(() -> it.spool.acked(key, new FragmentRanges()));
        assertThat(it.state(key).lacksRight()).as("it was let in").isFalse();
        assertThat(it.state(key).refusal()).isNull();

        assertThat(lacksARight(key)).isTrue();
        it.run(() -> it.spool.refused(key, new Refusal(ErrorCode.TOO_LARGE, "never")));
        it.awaitPhase(key, SpoolPhase.REFUSED);
    }

    @Test
    void anUploadLosesItsRightInTheMiddleAndIsTakenToItsEnd() throws Exception {
        keepUntilAllowed();
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        Upload upload = it.begin(request("f"));
        assertThat(it.writeOne(upload, bytes, 0).outcome().isRefused()).isFalse();
        it.run(() -> it.spool.acked(upload.key(), FragmentRanges.of(0, 1)));

        assertThat(lacksARight(upload.key())).isTrue();

        assertThat(it.writeOne(upload, bytes, 1).outcome().isRefused()).isFalse();
        assertThat(it.writeOne(upload, bytes, 2).outcome().isRefused()).isFalse();
        assertThat(it.finish(upload, bytes.length).isRefused()).isFalse();
        assertThat(it.state(upload.key()).lacksRight()).isTrue();
        assertThat(it.content(upload.key())).isEqualTo(bytes);
    }

    @Test
    void anUploadThatHasNeverHadARightIsRefusedWhileItsClientIsThere() throws Exception {
        keepUntilAllowed();
        Upload upload = it.begin(request("f"));
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        assertThat(it.writeOne(upload, bytes, 0).outcome().isRefused()).isFalse();

        assertThat(lacksARight(upload.key())).isFalse();

        assertThat(it.writeOne(upload, bytes, 1).code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        it.awaitPhase(upload.key(), SpoolPhase.CANCELLED);
    }

    @Test
    void whatWaitsForARightWaitsOnInTheNextLife() throws Exception {
        keepUntilAllowed();
        it.upload("f", bytes(10, 1));
        assertThat(lacksARight(it.keyOf("f"))).isTrue();

        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withKeepUntilAllowed(true)).started();

        assertThat(it.listener.events).containsExactly("pending again f");
        assertThat(lacksARight(it.keyOf("f"))).isTrue();
        assertThat(it.content(it.keyOf("f"))).isEqualTo(bytes(10, 1));
    }

    @Test
    void aRefusalForNowIsShownAndChangesNothing() {
        it.upload("f", bytes(10, 1));
        TransferKey key = it.keyOf("f");

        it.run(() -> it.spool.refused(key, new Refusal(ErrorCode.NO_SPACE, "the broker is full")));

        TransferSnapshot state = it.state(key);
        assertThat(state.phase()).isEqualTo(SpoolPhase.SPOOLED);
        assertThat(state.refusal()).isEqualTo(new Refusal(ErrorCode.NO_SPACE, "the broker is full"));
        committed(key, "one");
        assertThat(it.state(key).refusal()).isNull();
    }

    @Test
    void anUploadThatTheNextHopRefusesEnds() {
        Upload upload = it.begin(request("f"));
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        assertThat(it.writeOne(upload, bytes, 0).outcome().isRefused()).isFalse();

        it.run(() -> it.spool.refused(upload.key(), new Refusal(ErrorCode.NOT_ALLOWED, "no right")));

        assertThat(it.writeOne(upload, bytes, 1).code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(Answer.code(it.finish(upload, bytes.length))).isEqualTo(ErrorCode.NOT_ALLOWED);
        it.awaitPhase(upload.key(), SpoolPhase.CANCELLED);
    }

    @Test
    void bytesThatTheNextHopLostAreOfferedAgain() {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        committed(key, "one");
        it.run(() -> it.listener.transfers.clear());

        it.run(() -> it.spool.damagedDownstream(key, 1));

        assertThat(it.listener.events).endsWith("pending again f");
        committed(key, "one");
    }

    @Test
    void onlySoManyTransfersMayBePending() throws Exception {
        it.close();
        SpoolConfig usual = SpoolFixture.config();
        SpoolConfig.Bounds two = new SpoolConfig.Bounds(
                2, usual.bounds().maxAwaitingReceipts(), usual.bounds().maxRemembered());
        it = new SpoolFixture(directory, new SpoolConfig(usual.space(), two, usual.keeping(), usual.journal()))
                .started();
        it.sendSmall("a", bytes(1, 1)).value();
        it.sendSmall("b", bytes(1, 1)).value();

        assertThat(it.sendSmall("c", bytes(1, 1)).code()).isEqualTo(ErrorCode.NO_SPACE);
        committed(it.keyOf("a"), "one");
        it.sendSmall("c", bytes(1, 1)).value();
    }

    @Test
    void theJournalIsCleanedAndWhatIsLiveIsCarriedForward() throws Exception {
        it.upload("big", bytes(2 * FRAGMENT + 1, 7));
        it.sendSmall("keep", bytes(5000, 3)).value();
        it.sendSmall("empty", bytes(0, 3)).value();
        TransferKey big = it.keyOf("big");
        committed(big, "one", "two");
        receipt(big, "one", ReceiptStatus.DELIVERED);
        long number = 0;
        for (int round = 0; round < 12; round++) {
            List<Answer<?>> sent = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                sent.add(it.sendSmall("x", bytes(60_000, i)));
            }
            sent.forEach(Answer::outcome);
            it.run(() -> it.spool.states().stream()
                    .filter(state -> state.manifest().name().equals("x"))
                    .forEach(state -> it.spool.cancelled(state.key())));
            await().until(() -> it.onLoop(() -> it.spool.usage().pending()) == 2);
            number = it.onLoop(() -> it.spool.states().stream()
                    .mapToLong(state -> state.manifest().number())
                    .max()
                    .orElse(0));
            for (int tick = 0; tick < 30; tick++) {
                it.run(() -> it.spool.tick(1L << 40));
            }
        }
        await().until(() -> {
            it.run(() -> it.spool.tick(1L << 40));
            try (var segments = Files.list(directory.resolve("journal"))) {
                return segments.count() < 10;
            }
        });

        reopen();
        assertThat(it.content(it.keyOf("keep"))).isEqualTo(bytes(5000, 3));
        assertThat(it.content(it.keyOf("empty"))).isEmpty();
        assertThat(it.state(big).deliverySet()).containsExactly("one", "two");
        assertThat(it.state(big).receipts()).hasSize(1);
        it.sendSmall("next", bytes(1, 1)).value();
        assertThat(it.state(it.keyOf("next")).manifest().number()).isGreaterThan(number);
        assertThat(it.onLoop(() -> it.spool.find(TOPIC, "keep"))).isPresent();
    }

    /** A consumer that is away for long may have very many of them. */
    @Test
    void whatIsNoLongerFollowedIsWarnedOfOnceInAWhile() throws Exception {
        it.close();
        SpoolConfig usual = SpoolFixture.config();
        SpoolConfig.Bounds few = new SpoolConfig.Bounds(usual.bounds().maxPending(), 1, 100);
        it = new SpoolFixture(directory, new SpoolConfig(usual.space(), few, usual.keeping(), usual.journal()))
                .started();
        try (LogCapture log = LogCapture.of(TransferLifecycle.class, Level.WARN)) {
            for (int i = 0; i < 6; i++) {
                String name = "f" + i;
                it.sendSmall(name, bytes(10, i)).value();
                TransferKey key = it.keyOf(name);
                it.run(() -> it.spool.committed(key, List.of("one")));
            }
            await().until(() -> it.onLoop(() -> it.spool.usage().awaitingReceipts()) == 1);
            assertThat(log.events())
                    .filteredOn(event -> event.getMessage().contains("no longer followed"))
                    .hasSize(1);
        }
        assertThat(it.onLoop(() -> it.spool.hasUnfollowed(TOPIC))).isTrue();
        assertThat(it.state(it.keyOf("f0")).isNoLongerFollowed()).isTrue();
        TransferKey followed = it.keyOf("f5");
        it.run(() -> it.spool.receipt(new Receipt(followed, "one", ReceiptStatus.DELIVERED, "", 1), () -> {}));
        it.awaitPhase(followed, SpoolPhase.FINISHED);
        assertThat(it.state(followed).isNoLongerFollowed()).isFalse();
        for (int i = 0; i < 6; i++) {
            Receipt last = new Receipt(it.keyOf("f" + i), "one", ReceiptStatus.DELIVERED, "", 1);
            it.run(() -> it.spool.receipt(last, () -> {}));
        }
        // Of more than can be remembered nobody hears.
        assertThat(it.onLoop(() -> it.spool.hasUnfollowed(TOPIC))).isTrue();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsNoLongerFollowedIsKnownUntilItsReceiptsHaveCome() throws Exception {
        it.close();
        SpoolConfig usual = SpoolFixture.config();
        SpoolConfig.Bounds few = new SpoolConfig.Bounds(usual.bounds().maxPending(), 2, 100);
        it = new SpoolFixture(directory, new SpoolConfig(usual.space(), few, usual.keeping(), usual.journal()))
                .started();
        for (int i = 0; i < 4; i++) {
            it.sendSmall("f" + i, bytes(10, i)).value();
            TransferKey key = it.keyOf("f" + i);
            it.run(() -> it.spool.committed(key, List.of("one", "two")));
        }
        await().until(() -> it.onLoop(() -> it.spool.usage().awaitingReceipts()) == 2);
        for (String end : List.of("one", "one", "two")) {
            assertThat(it.onLoop(() -> it.spool.hasUnfollowed(TOPIC))).isTrue();
            for (int i = 0; i < 2; i++) {
                Receipt last = new Receipt(it.keyOf("f" + i), end, ReceiptStatus.DELIVERED, "", 1);
                it.run(() -> it.spool.receipt(last, () -> {}));
            }
        }
        assertThat(it.onLoop(() -> it.spool.hasUnfollowed(TOPIC))).isFalse();
    }
}
