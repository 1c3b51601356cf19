package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.space.WaitingTransfers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelayTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec("s", new Topic("t"), new NodeId(2, 2), StartAt.EARLIEST, AckLevel.DURABLE);

    private final List<String> answers = new ArrayList<>();

    private static SampleTransfer sample(long number, int sizeBytes) {
        return SampleTransfer.file(PUBLISHER, number, "t", "a", sizeBytes, FRAGMENT, number);
    }

    private <T> Outcome.Callback<T> answer(String name) {
        return outcome -> answers.add(name + (outcome.isRefused() ? " refused" : " " + outcome.get()));
    }

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void subscriptionIsConfirmedOnlyWhenItIsDurableAlsoToASecondSession() {
        relay.subscriptions().subscribe(SPEC, new SentOn(), answer("first"));

        relay.subscriptions().subscribe(SPEC, new SentOn(), answer("second"));
        runLoop();
        assertThat(answers).isEmpty();

        store.force();
        assertThat(answers).hasSize(2);
        relay.subscriptions().subscribe(SPEC, new SentOn(), answer("third"));
        runLoop();
        assertThat(answers).hasSize(3);
        assertThat(store.appended).hasSize(2);
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void liveTransferIsNotCommittedBeforeAnEarlierOneThatIsInTheStore() {
        SentOn link = new SentOn();
        SampleTransfer earlier = sample(1, 2 * FRAGMENT);
        SampleTransfer later = sample(2, 2 * FRAGMENT);
        HopSender sender = connect(SPEC, link); // nothing is owed: the subscription keeps up
        relay.open(later.manifest(), answer("open"));
        relay.commit(later.key(), later.commit(), answer("commit"));
        relay.subscriptions().unlink("s", link);
        SentOn next = new SentOn();
        relay.subscriptions().subscribe(SPEC, next, answer("subscribed"));
        store.owed.add(FakeRelayStore.committed(earlier, 1, "s"));

        store.force();
        sender.on(new HopMessage.Resume(later.key(), FragmentRanges.of(0, 2)));

        assertThat(next.has(HopMessage.CommitTransfer.class)).isFalse();
    }

    /** Their shares shrink as more come; what the first ones hold already must not add up. */
    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void silentConsumersThatComeOneByOneFillNoHeap() {
        String text = "x".repeat(4000);
        Map<String, String> attributes = Map.of("a", text, "b", text, "c", text, "d", text, "e", text, "f", text);
        for (long number = 1; number <= 1500; number++) {
            SampleTransfer plain = sample(number, FRAGMENT);
            Manifest manifest = new Manifest(
                    plain.key(),
                    number,
                    plain.manifest().topic(),
                    plain.manifest().kind(),
                    "n" + number,
                    List.of(),
                    FRAGMENT,
                    FRAGMENT,
                    attributes);
            store.owed.add(new KeptTransfer(
                    manifest,
                    FragmentRanges.of(0, 1),
                    plain.commit(),
                    number,
                    Set.of("s"),
                    Set.of("s"),
                    Map.of(),
                    Steering.NONE));
        }
        store.readsWait = true;
        List<HopSender> senders = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            SubscriptionSpec spec =
                    new SubscriptionSpec("s" + i, SPEC.topic(), new NodeId(2, i), StartAt.EARLIEST, AckLevel.DURABLE);
            senders.add(
                    Objects.requireNonNull(relay.subscriptions().subscribe(spec, new SentOn(), answer("subscribed"))));
            store.force();
            for (int round = 0; round < 30; round++) {
                store.answer();
                runLoop();
                relay.tick(steadyNanos);
            }
        }

        assertThat(senders)
                .allSatisfy(sender -> assertThat(sender.memoryBytes()).isPositive());
        assertThat(senders.stream().mapToLong(HopSender::memoryBytes).sum()).isLessThan(100L << 20);
    }

    @Test
    void whatAlreadyWaitedForASilentConsumerHasWaitedSinceThenWhenItIsGivenUp() {
        SentOn link = new SentOn();
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        connect(SPEC, link);
        relay.tick(Duration.ofSeconds(1).toNanos());
        relay.open(sample.manifest(), answer("open"));
        steadyNanos = Duration.ofSeconds(4).toNanos();
        relay.tick(steadyNanos);

        relay.subscriptions().unlink("s", link);

        assertThat(relay.subscriptions().longestIdleMillis("s")).isEqualTo(3_000);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void smallTransferThatIsSentAgainWhileItIsBeingWrittenIsStoredOnce() {
        SampleTransfer sample = sample(1, 10);
        Fragment fragment = Objects.requireNonNull(sample.fragment(0, pool));
        relay.small(sample.manifest(), fragment, sample.commit(), answer("first"));

        relay.lookup(sample.key(), answer("lookup"));
        relay.small(sample.manifest(), fragment, sample.commit(), answer("second"));
        store.answer();
        assertThat(answers).isEmpty();
        store.force();

        assertThat(store.appended).containsExactly("small 1");
        assertThat(answers).containsExactlyInAnyOrder("first []", "second []");
        store.answer();
        assertThat(answers).hasSize(3);
        fragment.buffer().release();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    @Test
    void cancelStandsAlthoughAnOpenOfTheSameTransferIsLookedUpMeanwhile() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        store.know(FakeRelayStore.open(sample.manifest()));
        relay.cancel(sample.key(), "enough", answer("cancel"));
        relay.lookup(sample.key(), answer("lookup"));

        store.answer();
        store.force();

        assertThat(answers).contains("cancel " + sample.key());
        assertThat(relay.liveTransfers(new Topic("t"))).isEmpty();
    }

    @Test
    void cancelIsNotTooLateForATransferThatIsOnlyOpen() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        store.know(FakeRelayStore.open(sample.manifest()));
        relay.lookup(sample.key(), answer("lookup"));
        relay.cancel(sample.key(), "enough", answer("cancel"));

        store.answer();
        store.force();

        assertThat(answers).contains("cancel " + sample.key());
    }

    /** Earlier versions had no limit for subscriptions of a topic. */
    @Test
    void storedDeliverySetThatNoMessageCanNameIsToldByTheSubscriptionsThatThereAre() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        Set<String> tooMany = IntStream.rangeClosed(0, HopMessage.Committed.MAX_DELIVERY_SET)
                .mapToObj(i -> "gone " + i)
                .collect(Collectors.toSet());
        tooMany.add(SPEC.name());
        store.know(FakeRelayStore.committed(sample, 1, tooMany.toArray(String[]::new)));
        relay.subscriptions().subscribe(SPEC, new SentOn(), answer("subscribed"));
        SentOn publisher = new SentOn();
        HopReceiver receiver = relay.publisherConnected(PUBLISHER, publisher).receiver();
        receiver.on(new HopMessage.Open(sample.manifest(), true));
        receiver.on(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        settle();

        assertThat(publisher.messages)
                .filteredOn(HopMessage.Committed.class::isInstance)
                .singleElement()
                .satisfies(message -> assertThat(((HopMessage.Committed) message).deliverySet())
                        .containsExactly(SPEC.name()));
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void repairThatIsMadeTwiceIsNotRefused() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        store.know(FakeRelayStore.committed(sample, 1));
        relay.damaged(sample.key(), 1, new Refusal(ErrorCode.STORAGE_FAILED, "flipped"));
        Fragment fragment = Objects.requireNonNull(sample.fragment(1, pool));

        relay.fragment(fragment, outcome -> answers.add("one " + outcome.isRefused()));
        store.force();
        relay.fragment(fragment, outcome -> answers.add("two " + outcome.isRefused()));
        store.answer();

        assertThat(answers).containsExactly("one false", "two false");
        assertThat(store.appended).containsExactly("fragment 1");
        fragment.buffer().release();
    }

    @Test
    void subscriptionThatIsInUseIsNotRemovedAndAfterwardsItIsAndThePublishersAreTold() {
        SentOn consumer = new SentOn();
        SentOn publisher = new SentOn();
        relay.subscriptions().subscribe(SPEC, consumer, answer("subscribed"));
        relay.publisherConnected(PUBLISHER, publisher);
        store.force();
        store.answer();

        relay.subscriptions().unsubscribe("s", outcome -> answers.add(String.valueOf(outcome.refusal())));
        runLoop();
        assertThat(answers.get(1)).contains("SUBSCRIPTION_BUSY").contains("stop that consumer first");

        relay.subscriptions().unlink("s", consumer);
        Receipt told = new RelayRecord.Unsubscribed("s", SPEC.topic(), 0)
                .receipt(sample(1, 10).key());
        store.receipts.add(new RelayStore.KeptReceipt(told, 1));
        relay.subscriptions().unsubscribe("s", answer("removed"));
        assertThat(relay.subscriptions().names(SPEC.topic())).isEmpty();
        assertThat(answers).hasSize(2);
        store.force();
        store.answer();
        store.answer();

        assertThat(answers.get(2)).startsWith("removed");
        assertThat(store.appended).last().isEqualTo(new RelayRecord.Unsubscribed("s", SPEC.topic(), 0));
        assertThat(publisher.messages).contains(new HopMessage.ReceiptNotice(told));
        relay.subscriptions().unsubscribe("s", outcome -> answers.add(String.valueOf(outcome.refusal())));
        runLoop();
        assertThat(answers.get(3)).contains("NOT_FOUND");
    }

    /** A start brings it back: that there is none would be no true answer to whoever asks again. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aRemovalThatCouldNotBeWrittenIsNotCalledDone() {
        SentOn consumer = new SentOn();
        connect(SPEC, consumer);
        relay.subscriptions().unlink("s", consumer);
        relay.subscriptions().unsubscribe("s", outcome -> answers.add(String.valueOf(outcome.refusal())));
        store.failForces();

        relay.subscriptions().unsubscribe("s", outcome -> answers.add(String.valueOf(outcome.refusal())));
        runLoop();

        assertThat(answers).hasSize(2).allMatch(answer -> answer.contains("STORAGE_FAILED"));
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void whatNobodyCameForExpiresOnlyByARuleOfTheOperators() {
        SentOn publisher = new SentOn();
        SampleTransfer sample = sample(1, 10);
        store.unclaimed.add(sample.key());
        relay.publisherConnected(PUBLISHER, publisher);
        relay.tick(0);
        store.answer();
        assertThat(store.appended).isEmpty();

        wallMillis = 5_000_000_000L;
        Relay strict = relay(RelayLimits.DEFAULT.withRetainUnclaimed(Duration.ofHours(12)));
        strict.publisherConnected(PUBLISHER, publisher);
        store.answer();
        strict.tick(0);
        store.answer();

        RelayRecord.Expired expired = (RelayRecord.Expired) store.appended.get(0);
        assertThat(expired.key()).isEqualTo(sample.key());
        assertThat(expired.reason()).contains("within 12h").contains("--retain-unclaimed");
        store.receipts.add(new RelayStore.KeptReceipt(expired.receipt(), 1));
        store.force();
        store.answer();
        store.answer();
        assertThat(publisher.messages).contains(new HopMessage.ReceiptNotice(expired.receipt()));
    }

    /** Without a rule of the operator's; else a program that dies while it asks would leave replies here for ever. */
    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void replyThatNobodyCameForExpiresAfterAnHour() {
        SampleTransfer reply = sample(1, 10);
        store.unclaimedReplies.add(reply.key());
        wallMillis = Duration.ofHours(10).toMillis();

        relay.tick(0);
        store.answer();

        assertThat(store.unclaimedRepliesBefore).isEqualTo(Duration.ofHours(9).toMillis());
        RelayRecord.Expired expired = (RelayRecord.Expired) store.appended.get(0);
        assertThat(expired.key()).isEqualTo(reply.key());
        assertThat(expired.reason()).contains("it is a reply", "did not come for it within 1h");
    }

    private static final SubscriptionSpec HURRIED = new SubscriptionSpec(
            "s",
            new Topic("t"),
            new NodeId(2, 2),
            StartAt.EARLIEST,
            AckLevel.DURABLE,
            new SubscriptionTerms(60_000, 0, ReplayFilter.ALL));

    private static Receipt expired(SampleTransfer sample, long millis) {
        String reason = "it had not reached subscription s within 1m of its commit (the subscription's --deadline)";
        return new Receipt(sample.key(), "s", ReceiptStatus.EXPIRED, reason, millis);
    }

    /** An older copy of its data was put back: it has forgotten what it had committed, and nobody has the bytes any more. */
    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void whatItsConsumerHadAndLostHasFailed() {
        SentOn consumer = new SentOn();
        SampleTransfer lost = sample(1, 10);
        SampleTransfer kept = sample(2, 10);
        SampleTransfer ended = sample(3, 10);
        store.awaitingWord.addAll(List.of(lost.key(), kept.key(), ended.key()));
        HopSender sender =
                Objects.requireNonNull(relay.subscriptions().subscribe(SPEC, consumer, answer("subscribed")));
        store.force();
        relay.tick(1);
        store.answer();
        assertThat(consumer.messages).contains(new HopMessage.Check(store.awaitingWord));

        sender.on(new HopMessage.Checked(List.of(lost.key()), List.of(ended.key())));

        assertThat(store.receiptsKept()).singleElement().satisfies(receipt -> {
            assertThat(receipt.key()).isEqualTo(lost.key());
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(receipt.reason()).contains("no longer has it", "Send it again");
        });
        SentOn next = new SentOn(); // the question is asked once in a minute, however often it comes
        relay.subscriptions().subscribe(SPEC, next, answer("subscribed again"));
        store.force();
        relay.tick(TimeUnit.SECONDS.toNanos(59));
        store.answer();
        assertThat(next.has(HopMessage.Check.class)).isFalse();
        relay.tick(TimeUnit.SECONDS.toNanos(61));
        store.answer();
        assertThat(next.has(HopMessage.Check.class)).isTrue();
    }

    /** A consumer that comes back tells how it ended while the page of what it is owed is being read. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatItsConsumerHasEndedIsNotSentToItAgainWhileThatIsLookedUp() {
        SampleTransfer ended = sample(1, 10);
        SampleTransfer begun = sample(2, 10);
        for (SampleTransfer each : List.of(ended, begun)) {
            KeptTransfer kept = FakeRelayStore.committed(each, each.manifest().number(), "s");
            store.owed.add(kept);
            store.know(kept);
        }
        store.readsWait = true;
        SentOn consumer = new SentOn();
        HopSender sender =
                Objects.requireNonNull(relay.subscriptions().subscribe(SPEC, consumer, answer("subscribed")));
        store.force();
        Receipt delivered = new Receipt(ended.key(), "s", ReceiptStatus.DELIVERED, "", 1);
        sender.on(new HopMessage.ReceiptNotice(delivered));
        sender.on(new HopMessage.ReceiptNotice(new Receipt(begun.key(), "s", ReceiptStatus.LANDED, "", 1)));
        store.answer();

        assertThat(sender.has(ended.key())).isFalse();
        assertThat(sender.has(begun.key())).isTrue();
        assertThat(store.receiptsKept()).contains(delivered);
        assertThat(consumer.has(HopMessage.ReceiptAck.class)).isFalse();
        store.force();
        assertThat(consumer.messages).contains(new HopMessage.ReceiptAck(ended.key(), "s", ReceiptStatus.DELIVERED));
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void whatHasNotReachedAnAbsentSubscriptionIsGivenUpOnlyByItsDeadlineAndThePublisherIsTold() {
        SentOn consumer = new SentOn();
        SentOn publisher = new SentOn();
        SampleTransfer sample = sample(1, 10);
        relay.publisherConnected(PUBLISHER, publisher);
        connect(SPEC, consumer);
        wallMillis = 5_000_000;
        store.overdue.add(sample.key());
        relay.tick(1);
        store.answer();
        assertThat(store.receiptsKept()).isEmpty(); // it has none

        relay.subscriptions().subscribe(HURRIED, consumer, answer("with"));
        store.force(); // the same owner with other terms: recorded again
        assertThat(store.appended).last().isEqualTo(new RelayRecord.Subscribed(HURRIED, false));
        relay.subscriptions().unlink("s", consumer);
        relay.tick(2);
        store.answer();

        assertThat(store.overdueBefore).isEqualTo(wallMillis - 60_000);
        assertThat(store.receiptsKept()).containsExactly(expired(sample, wallMillis));
        assertThat(publisher.has(HopMessage.ReceiptNotice.class)).isFalse();
        wallMillis += 10_000;
        relay.tick(3);
        store.answer();
        assertThat(store.receiptsKept()).hasSize(1); // it is being made durable
        store.force();
        assertThat(publisher.messages).contains(new HopMessage.ReceiptNotice(expired(sample, 5_000_000)));
    }

    /** A transfer that the consumer has been sent, and its deadline is over. */
    private HopSender overdueWhileItIsSent(SampleTransfer sample, SentOn consumer) {
        store.owed.add(FakeRelayStore.committed(sample, 1, "s"));
        HopSender sender = connect(HURRIED, consumer);
        assertThat(sender.has(sample.key())).isTrue();
        wallMillis = 5_000_000;
        store.overdue.add(sample.key());
        relay.tick(1);
        store.answer();
        return sender;
    }

    @Test
    void aConsumerThatIsThereIsAskedBeforeATransferIsGivenUp() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        SentOn consumer = new SentOn();
        HopSender sender = overdueWhileItIsSent(sample, consumer);
        wallMillis += 10_000;
        relay.tick(2);
        store.answer();
        assertThat(consumer.messages.stream().filter(HopMessage.Cancel.class::isInstance))
                .hasSize(1);
        assertThat(store.receiptsKept()).isEmpty();

        sender.on(new HopMessage.Cancelled(sample.key()));

        assertThat(store.receiptsKept()).containsExactly(expired(sample, 5_000_000));
        assertThat(sender.has(sample.key())).isFalse();
    }

    @Test
    void aConsumerThatHasDroppedItAndWhoseAnswerGotLostIsNoReasonToLeaveThePublisherWithoutAReceipt() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        SentOn consumer = new SentOn();
        overdueWhileItIsSent(sample, consumer);
        store.overdue.clear();
        relay.subscriptions().unlink("s", consumer);
        HopSender sender =
                Objects.requireNonNull(relay.subscriptions().subscribe(HURRIED, new SentOn(), answer("again")));
        store.answer();

        sender.on(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.CANCELLED, "it was cancelled before")));

        assertThat(store.receiptsKept()).singleElement().satisfies(receipt -> {
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.EXPIRED);
            assertThat(receipt.key()).isEqualTo(sample.key());
        });
        assertThat(sender.has(sample.key())).isFalse();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aConsumerThatDropsItAsToldInASessionBeforeEndsItThoughItHasNoDeadlineAnyMore() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        overdueWhileItIsSent(sample, new SentOn());
        store.overdue.clear();
        SentOn next = new SentOn();
        HopSender sender = Objects.requireNonNull(relay.subscriptions().subscribe(SPEC, next, answer("again")));
        store.force();
        store.answer();
        assertThat(next.has(HopMessage.Cancel.class)).isTrue();

        sender.on(new HopMessage.Cancelled(sample.key()));

        assertThat(store.receiptsKept()).singleElement().satisfies(receipt -> {
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.EXPIRED);
            assertThat(receipt.key()).isEqualTo(sample.key());
        });
        assertThat(sender.has(sample.key())).isFalse();
    }

    @Test
    void whatAConsumerTurnsOutToHaveIsNotGivenUp() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        HopSender sender = overdueWhileItIsSent(sample, new SentOn());

        sender.on(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.ID_USED, "it is committed here")));
        sender.on(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
        sender.on(new HopMessage.Committed(sample.key(), List.of("s"), 0));

        assertThat(store.appended).last().isEqualTo(new RelayRecord.Settled(sample.key(), "s"));
        assertThat(store.receiptsKept()).isEmpty();
    }

    @Test
    void aConsumerThatGoesBeforeItAnswersIsToldWhenItComesBack() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        SentOn consumer = new SentOn();
        overdueWhileItIsSent(sample, consumer);
        relay.subscriptions().unlink("s", consumer);
        assertThat(store.receiptsKept()).isEmpty();
        wallMillis += 10_000;
        relay.tick(2);
        store.answer();
        assertThat(store.receiptsKept()).hasSize(1);

        SentOn next = new SentOn();
        relay.subscriptions().subscribe(HURRIED, next, answer("again"));

        assertThat(next.has(HopMessage.Cancel.class)).isTrue();
    }

    @Test
    void whatIsRefusedForNowIsKnownWithItsReasonUntilItIsAdmitted() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        relay.open(sample.manifest(), answer("open"));
        runLoop();

        assertThat(answers).containsExactly("open refused");
        assertThat(relay.waitingForSpace().lately())
                .extracting(WaitingTransfers.Waiting::manifest)
                .containsExactly(sample.manifest());
        assertThat(relay.waitingForSpace().of(sample.key()).map(Refusal::detail))
                .contains("the quota is used up");
        steadyNanos = TimeUnit.SECONDS.toNanos(60);
        assertThat(relay.waitingForSpace().of(sample.key())).isEmpty();

        relay.open(sample.manifest(), answer("open"));
        assertThat(relay.waitingForSpace().lately()).hasSize(1);
        store.full = SpaceAnswer.yes();
        relay.open(sample.manifest(), answer("open"));
        assertThat(relay.waitingForSpace().lately()).isEmpty();
    }

    /** A bound of numbers cannot keep two transfers waiting for each other for ever. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatSomethingOpenWaitsForIsLetInHoweverManyThereAre() {
        relay.open(sample(2, 3 * FRAGMENT).manifest(), answer("later"));
        store.force();
        runLoop();
        store.full = SpaceAnswer.waitForRoom("too many");
        store.waitedForComesIn = true;

        relay.open(sample(3, 3 * FRAGMENT).manifest(), answer("nobody's"));
        relay.open(sample(1, 3 * FRAGMENT).manifest(), answer("earlier"));
        store.force();
        runLoop();

        assertThat(answers).contains("nobody's refused").doesNotContain("earlier refused");
        assertThat(store.appended)
                .contains(new RelayRecord.Opened(sample(1, 3 * FRAGMENT).manifest()));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatLackedRoomForAFragmentIsNotOpenedAgainUntilThereIsSomeOrForTooLong() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        relay.open(sample.manifest(), answer("open"));
        store.force();
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        fragment(sample, answer("fragment"));

        relay.open(sample.manifest(), answer("without room"));
        store.full = SpaceAnswer.yes();
        relay.open(sample.manifest(), answer("with room"));
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        steadyNanos = TimeUnit.SECONDS.toNanos(60);
        relay.open(sample.manifest(), answer("for its commit"));
        runLoop();

        assertThat(answers).contains("fragment refused", "without room refused");
        assertThat(answers).doesNotContain("with room refused", "for its commit refused");
    }

    @Test
    void whatTurnsOutToBeTooLargeWhileItAsksForRoomIsDropped() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        relay.open(sample.manifest(), answer("open"));
        store.force();
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        fragment(sample, answer("fragment"));

        store.full = new SpaceAnswer.No("it never fits");
        relay.open(sample.manifest(), answer("open again"));
        runLoop();

        assertThat(answers).contains("open again refused");
        assertThat(store.appended).contains(new RelayRecord.Cancelled(sample.key(), "it never fits"));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatIsCommittedAfterOneThatLacksRoomIsForgottenForIt() {
        SampleTransfer later = sample(2, 3 * FRAGMENT);
        takeTheRoomThatTheEarlierNeeds(sample(1, 3 * FRAGMENT), later);

        assertThat(store.appended)
                .filteredOn(record -> record instanceof RelayRecord.Forgotten)
                .singleElement()
                .extracting(record -> ((RelayRecord.Forgotten) record).key())
                .isEqualTo(later.key());
    }

    /** Both of known size and of one path: the later is open, and has its room; the earlier asks for some in vain. */
    private void takeTheRoomThatTheEarlierNeeds(SampleTransfer earlier, SampleTransfer later) {
        relay.open(later.manifest(), answer("later"));
        store.force();
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        for (int second = 0; second <= 6; second++) {
            steadyNanos = TimeUnit.SECONDS.toNanos(second);
            relay.open(earlier.manifest(), answer("earlier"));
            relay.tick(steadyNanos);
        }
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatWasForgottenForAnEarlierOneOfItsPathComesAgainWhenThatIsThrough() {
        SampleTransfer earlier = sample(1, 3 * FRAGMENT);
        SampleTransfer later = sample(2, 3 * FRAGMENT);
        takeTheRoomThatTheEarlierNeeds(earlier, later);
        store.force();
        store.full = SpaceAnswer.yes(); // there is the room that it had
        runLoop();
        answers.clear();

        relay.open(later.manifest(), answer("later"));
        relay.open(earlier.manifest(), answer("earlier"));
        runLoop();
        store.force();
        assertThat(answers).contains("later refused").contains("earlier " + earlier.manifest());

        relay.commit(earlier.key(), earlier.commit(), answer("commit"));
        store.force();
        relay.open(later.manifest(), answer("later"));
        store.force();
        assertThat(answers).endsWith("later " + later.manifest());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatHasStoodStillBehindOneThatLacksRoomIsForgottenForItAfterAWhile() {
        SampleTransfer earlier = SampleTransfer.file(PUBLISHER, 1, "t", "d/x", 3 * FRAGMENT, FRAGMENT, 1);
        SampleTransfer later = SampleTransfer.file(PUBLISHER, 3, "t", "elsewhere", 3 * FRAGMENT, FRAGMENT, 3);
        takeTheRoomThatTheEarlierNeeds(earlier, later); // for a few seconds
        assertThat(store.appended).noneMatch(RelayRecord.Forgotten.class::isInstance);

        for (int second = 7; second <= 32; second++) {
            steadyNanos = TimeUnit.SECONDS.toNanos(second);
            relay.open(earlier.manifest(), answer("earlier"));
            relay.tick(steadyNanos);
        }

        assertThat(store.appended)
                .filteredOn(RelayRecord.Forgotten.class::isInstance)
                .singleElement()
                .extracting(record -> ((RelayRecord.Forgotten) record).key())
                .isEqualTo(later.key());
    }

    @Test
    void aWallClockThatIsSetChangesNothingAboutHowLongSomethingHasWaited() {
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        relay.open(sample(1, 3 * FRAGMENT).manifest(), answer("open"));
        wallMillis = -TimeUnit.DAYS.toMillis(3);
        steadyNanos = TimeUnit.SECONDS.toNanos(7);

        assertThat(relay.waitingForSpace().longestMillis()).isEqualTo(7_000);
        wallMillis = TimeUnit.DAYS.toMillis(3);
        assertThat(relay.waitingForSpace().longestMillis()).isEqualTo(7_000);
    }

    @Test
    void aWallClockThatIsWrongForAMomentExpiresNothing() {
        wallMillis = 5_000_000;
        connect(HURRIED, new SentOn());
        relay.tick(1);
        store.answer();

        wallMillis += TimeUnit.DAYS.toMillis(300);
        steadyNanos = TimeUnit.SECONDS.toNanos(60);
        relay.tick(2);

        assertThat(store.overdueBefore).isEqualTo(5_000_000);
        assertThat(store.unclaimedRepliesBefore).isEqualTo(5_060_000 - TimeUnit.HOURS.toMillis(1));
    }

    @Test
    void ofVeryManyRefusedTransfersTheEldestAreKnown() {
        store.full = SpaceAnswer.waitForRoom("the quota is used up");
        for (int i = 1; i <= 300; i++) {
            relay.open(sample(i, 10).manifest(), answer("open"));
        }

        assertThat(relay.waitingForSpace().lately())
                .hasSize(256)
                .extracting(each -> each.manifest().number())
                .startsWith(1L, 2L);
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void whatIsCommittedWhileItIsFoundIncompleteIsNotForgotten() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        relay.open(sample.manifest(), answer("open"));
        store.force();
        store.open.add(sample.key());
        relay.tick(1); // asks what is incomplete for too long

        relay.commit(sample.key(), sample.commit(), answer("commit"));
        store.force();
        store.know(FakeRelayStore.committed(sample, 2));
        store.answer();
        store.answer();

        assertThat(answers).contains("commit []");
        assertThat(store.appended).last().isInstanceOf(RelayRecord.Committed.class);
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void whatComesBackAndIsCommittedWhileItIsLookedUpIsNotForgotten() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        store.open.add(sample.key());
        store.know(FakeRelayStore.open(sample.manifest()));
        relay.tick(1);
        store.answer(); // it is found, and looked up

        relay.open(sample.manifest(), answer("open"));
        relay.commit(sample.key(), sample.commit(), answer("commit"));
        store.force();
        store.answer();

        assertThat(answers).contains("commit []");
        assertThat(store.appended).last().isInstanceOf(RelayRecord.Committed.class);
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatWasIncompleteForTooLongIsForgottenAndMayComeAgain() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        SentOn link = new SentOn();
        HopReceiver receiver = relay.publisherConnected(PUBLISHER, link).receiver();
        receiver.on(new HopMessage.Open(sample.manifest(), false));
        store.force();
        store.open.add(sample.key());
        relay.tick(1);
        store.answer();
        runLoop();

        assertThat(store.appended).last().isInstanceOf(RelayRecord.Forgotten.class);
        assertThat(link.has(HopMessage.Refuse.class)).isFalse();
        relay.lookup(sample.key(), answer("asked meanwhile"));
        store.answer();
        runLoop();
        assertThat(answers).isEmpty();

        store.know(FakeRelayStore.open(sample.manifest())); // what an index that lags behind would say
        store.force();
        store.answer();
        runLoop();
        assertThat(link.messages).last().satisfies(message -> {
            Refusal refusal = ((HopMessage.Refuse) message).refusal();
            assertThat(refusal.code().retriable()).isTrue();
        });
        assertThat(answers).singleElement().asString().contains("ABSENT");

        receiver.on(new HopMessage.Open(sample.manifest(), true));
        store.answer();
        runLoop();
        assertThat(store.appended).last().isEqualTo(new RelayRecord.Opened(sample.manifest()));
    }
}
