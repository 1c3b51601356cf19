package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several share one subscription. */
class GroupTest extends GroupFixture {
    /** It is owed, committed at that place, and permitted to that node. */
    private static KeptTransfer permitted(SampleTransfer sample, long sequence, NodeId node) {
        KeptTransfer kept = FakeRelayStore.committed(sample, sequence, GROUP);
        return new KeptTransfer(
                kept.manifest(),
                kept.durable(),
                kept.commit(),
                sequence,
                kept.deliverySet(),
                kept.owed(),
                Map.of(GROUP, node),
                Steering.NONE);
    }

    private void wait(Duration time) {
        steadyNanos += time.toNanos();
        relay.tick(steadyNanos);
        store.answer();
    }

    private List<RelayRecord.Permitted> permits() {
        return store.appended.stream()
                .filter(RelayRecord.Permitted.class::isInstance)
                .map(RelayRecord.Permitted.class::cast)
                .toList();
    }

    /** One upload after the other: nobody has anything when the next one comes. */
    private Session publishAndDeliver(List<Session> all, SampleTransfer sample) {
        publish(sample);
        Session member =
                all.stream().filter(each -> each.wasOffered(sample)).findFirst().orElseThrow();
        member.has(sample);
        store.force();
        member.delivers(sample);
        store.force();
        return member;
    }

    @Test
    void oneSequentialUploaderIsSharedEquallyByEqualMembers() {
        List<Session> all =
                List.of(new Session("w1", ONE), new Session("w2", TWO), new Session("w3", new NodeId(2, 3)));

        for (int i = 1; i <= 300; i++) {
            publishAndDeliver(all, sample(i, "f" + i));
        }

        assertThat(relay.subscriptions().members(GROUP))
                .extracting(GroupMemberStatus::deliveredTransfers)
                .containsExactly(100L, 100L, 100L);
    }

    @Test
    void membersShareBytesAlsoWhereLargeAndSmallFilesAlternate() {
        List<Session> all = List.of(new Session("w1", ONE), new Session("w2", TWO));

        for (int i = 1; i <= 40; i += 2) {
            publishAndDeliver(all, large(i, "f" + i));
            publishAndDeliver(all, sample(i + 1, "f" + i + ".sum"));
        }

        long oneLarge = large(1, "f").commit().sizeBytes();
        assertThat(relay.subscriptions().members(GROUP))
                .extracting(GroupMemberStatus::deliveredBytes)
                .allSatisfy(bytes -> assertThat(bytes).isBetween(9 * oneLarge, 11 * oneLarge));
    }

    private static SampleTransfer large(long number, String name) {
        return SampleTransfer.file(new NodeId(1, 1), number, "t", name, 1 << 20, 1 << 19, number);
    }

    @Test
    void oneThatJoinsLateGetsNotAllUntilItHasCaughtUp() {
        Session one = new Session("w1", ONE);
        for (int i = 1; i <= 50; i++) {
            publishAndDeliver(List.of(one), sample(i, "f" + i));
        }
        List<Session> both = List.of(one, new Session("w2", TWO));

        for (int i = 51; i <= 70; i++) {
            publishAndDeliver(both, sample(i, "f" + i));
        }

        assertThat(relay.subscriptions().members(GROUP))
                .extracting(GroupMemberStatus::deliveredTransfers)
                .containsExactly(60L, 10L);
    }

    private static Session ofBoth(Session one, Session two, SampleTransfer sample) {
        assertThat(one.wasOffered(sample)).isNotEqualTo(two.wasOffered(sample));
        return one.wasOffered(sample) ? one : two;
    }

    /** Who of two members was given a transfer, and who was not. */
    private record Given(Session to, Session other) {
        static Given of(Session one, Session two, SampleTransfer sample) {
            Session to = ofBoth(one, two, sample);
            return new Given(to, to == one ? two : one);
        }
    }

    private Given publishToTwo(SampleTransfer sample) {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        publish(sample);
        return Given.of(one, two, sample);
    }

    @Test
    void eachTransferGoesToOneMemberAndTheReceiptSaysToWhich() {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        SampleTransfer a = sample(1, "a");
        SampleTransfer b = sample(2, "b");
        publish(a);
        publish(b);

        Session hasA = ofBoth(one, two, a);
        Session hasB = ofBoth(one, two, b);
        assertThat(hasA).isNotSameAs(hasB);

        hasA.has(a);
        store.force();
        hasA.delivers(a);
        assertThat(store.appended)
                .contains(new RelayRecord.ReceiptKept(
                        new Receipt(a.key(), GROUP, ReceiptStatus.DELIVERED, "member " + hasA.member, 5)));
        List<GroupMemberStatus> shares = relay.subscriptions().members(GROUP);
        assertThat(shares).extracting(GroupMemberStatus::name).containsExactly("w1", "w2");
        assertThat(shares.stream()
                        .mapToLong(GroupMemberStatus::deliveredTransfers)
                        .sum())
                .isEqualTo(1);
        assertThat(shares.stream().mapToInt(GroupMemberStatus::transfers).sum()).isEqualTo(1);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void commitLeavesOnlyWhenAllIsDurableThereAndThePermitIsDurableHere() {
        Session one = new Session("w1", ONE);
        SampleTransfer a = sample(1, "a");
        publish(a);

        one.sender.on(new HopMessage.Resume(a.key(), FragmentRanges.of(0, 1)));
        assertThat(permits()).isEmpty();
        one.sender.on(new HopMessage.Ack(a.key(), FragmentRanges.of(1, 2)));
        assertThat(permits()).containsExactly(new RelayRecord.Permitted(a.key(), GROUP, ONE));
        assertThat(one.mayDeliver(a)).isFalse();

        store.force();
        assertThat(one.mayDeliver(a)).isTrue();
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void whatALostMemberMayNotDeliverMovesAfterPatienceAndItDropsItsPart() {
        SampleTransfer a = sample(1, "a");
        Given given = publishToTwo(a);
        Session dead = given.to();
        Session other = given.other();
        dead.sender.on(new HopMessage.Resume(a.key(), FragmentRanges.of(0, 1)));
        dead.ends();

        wait(PATIENCE.minusMillis(1));
        assertThat(other.wasOffered(a)).isFalse();
        wait(Duration.ofMillis(1));
        assertThat(other.wasOffered(a)).isTrue();
        other.has(a);
        store.force();
        assertThat(other.mayDeliver(a)).isTrue();

        Session back = new Session(dead.member, dead.node);
        assertThat(back.wasToldToDrop(a)).isTrue();
        assertThat(back.wasOffered(a)).isFalse();
        other.delivers(a);
        wait(Duration.ofMinutes(1));
        assertThat(back.wasOffered(a)).isFalse();
        assertThat(permits()).hasSize(1);
    }

    @Test
    void oneThatComesBackInTimeGoesOnWithItsPart() {
        Session one = new Session("w1", ONE);
        SampleTransfer a = sample(1, "a");
        publish(a);
        one.ends();
        wait(PATIENCE.multipliedBy(2)); // nobody else is there

        Session back = new Session("w1", ONE);

        assertThat(back.wasOffered(a)).isTrue();
        assertThat(back.wasToldToDrop(a)).isFalse();
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void whatADeadMemberMayHaveDeliveredWaitsForItOrForTheOperatorsWord() {
        SampleTransfer a = sample(1, "a");
        Given given = publishToTwo(a);
        Session dead = given.to();
        Session other = given.other();
        String name = dead.member;
        dead.has(a);
        store.force();
        relay.subscriptions().lost(GROUP, name, answers::add);
        runLoop();
        assertThat(refusal().code()).isEqualTo(ErrorCode.SUBSCRIPTION_BUSY);
        dead.ends();

        wait(PATIENCE.multipliedBy(100));
        assertThat(other.wasOffered(a)).isFalse();
        assertThat(relay.subscriptions().members(GROUP))
                .filteredOn(share -> share.name().equals(name))
                .singleElement()
                .satisfies(share -> {
                    assertThat(share.pinned()).isEqualTo(1);
                    assertThat(share.connected()).isFalse();
                });

        relay.subscriptions().lost(GROUP, name, answers::add);
        assertThat(other.wasOffered(a)).isFalse();
        store.force();
        assertThat(other.wasOffered(a)).isTrue();
        other.has(a);
        store.force();
        assertThat(other.mayDeliver(a)).isTrue();

        // The lost one is not let in again, whatever it calls itself.
        assertThat(relay.subscriptions().subscribe(spec("w3", dead.node), dead, answers::add))
                .isNull();
        runLoop();
        assertThat(refusal().code()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(refusal().detail()).contains("declared lost");
        // Its name is free.
        assertThat(new Session(name, new NodeId(2, 3)).sender).isNotNull();
    }

    private Refusal refusal() {
        return Objects.requireNonNull(answers.get(answers.size() - 1).refusal());
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void aBrokerThatComesBackKnowsWhoMayHaveDeliveredWhat() {
        SampleTransfer pinned = sample(1, "a");
        SampleTransfer free = sample(2, "b");
        SampleTransfer ofALostOne = sample(3, "c");
        GroupRoster roster = GroupRoster.NONE
                .with("w0", new GroupRoster.Member(new NodeId(2, 9), ""))
                .withLost("w0")
                .with("w1", new GroupRoster.Member(ONE, ""))
                .with("w2", new GroupRoster.Member(TWO, ""));
        relay.subscriptions()
                .restore(spec("w2", TWO).with(SubscriptionTerms.NONE).with(roster));
        store.owed.add(permitted(pinned, 1, ONE));
        store.owed.add(FakeRelayStore.committed(free, 2, GROUP));
        store.owed.add(permitted(ofALostOne, 3, new NodeId(2, 9)));

        Session two = new Session("w2", TWO);
        wait(PATIENCE.multipliedBy(100));
        assertThat(two.wasOffered(pinned)).isFalse();
        assertThat(two.wasOffered(free)).isTrue();
        assertThat(two.wasOffered(ofALostOne)).isTrue();

        Session one = new Session("w1", ONE);
        assertThat(one.wasOffered(pinned)).isTrue();
        one.has(pinned);
        assertThat(one.mayDeliver(pinned)).as("its permit is durable already").isTrue();
        assertThat(permits()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void ofTwoThatTouchOnePathTheLaterIsPermittedWhenTheEarlierHasItsFinalReceipt() {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        SampleTransfer earlier = sample(1, "a");
        SampleTransfer later = sample(2, "a");
        publish(earlier);
        publish(later);
        Session first = ofBoth(one, two, earlier);
        Session second = ofBoth(one, two, later);
        assertThat(first).isNotSameAs(second);

        second.has(later);
        first.has(earlier);
        store.force();
        first.commits(earlier);
        store.force();
        assertThat(permits()).extracting(RelayRecord.Permitted::key).containsExactly(earlier.key());

        first.reports(earlier);
        store.force();
        assertThat(second.mayDeliver(later)).isTrue();
    }

    @Test
    void oneWithoutRoomLetsOthersHaveIt() {
        SampleTransfer a = sample(1, "a");
        Given given = publishToTwo(a);
        Session full = given.to();
        Session other = given.other();

        full.sender.on(new HopMessage.Refuse(a.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));

        assertThat(other.wasOffered(a)).isTrue();
        assertThat(full.wasToldToDrop(a)).isTrue();
        SampleTransfer b = sample(2, "b");
        publish(b);
        assertThat(other.wasOffered(b))
                .as("the full one comes last for a while")
                .isTrue();
    }

    @Test
    void whoIsFasterGetsMore() {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        List<SampleTransfer> samples = new ArrayList<>();
        for (int i = 1; i <= 4 * GroupMember.MOST_TRANSFERS; i++) {
            SampleTransfer sample = sample(i, "f" + i);
            samples.add(sample);
            publish(sample);
        }
        assertThat(samples.stream().filter(one::wasOffered)).hasSize(GroupMember.MOST_TRANSFERS);
        assertThat(samples.stream().filter(two::wasOffered)).hasSize(GroupMember.MOST_TRANSFERS);

        samples.stream().filter(one::wasOffered).toList().forEach(sample -> {
            one.has(sample);
            store.force();
            one.delivers(sample);
        });

        assertThat(samples.stream().filter(one::wasOffered)).hasSize(2 * GroupMember.MOST_TRANSFERS);
        assertThat(samples.stream().filter(two::wasOffered)).hasSize(GroupMember.MOST_TRANSFERS);
    }

    @Test
    void whatComesInAtOnceIsDivided() {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        List<SampleTransfer> samples = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            SampleTransfer sample = sample(i, "f" + i);
            samples.add(sample);
            relay.open(sample.manifest(), outcome -> {});
        }
        store.force();
        for (SampleTransfer sample : samples) {
            fragment(sample, outcome -> {});
            store.force();
        }

        assertThat(samples.stream().filter(one::wasOffered)).hasSize(10);
        assertThat(samples.stream().filter(two::wasOffered)).hasSize(10);
    }

    @Test
    void whatIsGivenUpBeforeItIsFedStaysWithNoMember() {
        SubscriptionTerms terms = new SubscriptionTerms(1_000, 0, ReplayFilter.ALL).withMember(Optional.of("w1"));
        Session one = new Session("w1", new SubscriptionSpec(GROUP, TOPIC, ONE, StartAt.NOW, AckLevel.DURABLE, terms));
        SampleTransfer a = sample(1, "a");
        relay.open(a.manifest(), outcome -> {});
        fragment(a, outcome -> {});
        store.force();
        assertThat(one.sender.has(a.key())).isTrue();

        store.overdue.add(a.key());
        wait(Duration.ofMillis(1));

        assertThat(one.wasToldToDrop(a)).isTrue();
        assertThat(one.sender.has(a.key())).isFalse();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatIsGivenUpWhileItsMemberIsAwayAndHasIsFinishedWhenItComesBack() {
        SubscriptionTerms terms = new SubscriptionTerms(1_000, 0, ReplayFilter.ALL).withMember(Optional.of("w1"));
        SubscriptionSpec hurried = new SubscriptionSpec(GROUP, TOPIC, ONE, StartAt.NOW, AckLevel.DURABLE, terms);
        Session one = new Session("w1", hurried);
        SampleTransfer a = sample(1, "a");
        publish(a);
        one.has(a);
        store.force();
        assertThat(one.mayDeliver(a)).isTrue(); // and it does; its answer is lost
        one.ends();
        store.overdue.add(a.key());
        wait(Duration.ofMillis(1));
        store.overdue.clear();
        store.force();

        Session again = new Session("w1", hurried);
        again.sender.on(new HopMessage.Refuse(a.key(), new Refusal(ErrorCode.ID_USED, "committed")));
        assertThat(again.wasOffered(a)).isTrue();
        again.has(a);
        assertThat(again.mayDeliver(a)).isTrue();
        again.delivers(a);

        assertThat(again.sender.size()).isZero();
        SampleTransfer b = sample(2, "a");
        publish(b);
        again.has(b);
        store.force();
        assertThat(again.mayDeliver(b)).isTrue();
    }

    private List<Outcome<DropResult>> drop(SampleTransfer sample) {
        List<Outcome<DropResult>> told = new ArrayList<>();
        store.know(FakeRelayStore.committed(sample, 1, GROUP));
        new OperatorDrop(relay, store, () -> 1_000_000).drop(sample.key(), told::add);
        store.answer();
        store.force();
        return told;
    }

    private static String why(List<Outcome<DropResult>> told) {
        return Objects.requireNonNull(told.get(told.size() - 1).refusal()).detail();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatOnlyAMemberMayDeliverIsNotDroppedAndTheOperatorIsToldWhy() {
        Session one = new Session("w1", ONE);
        SampleTransfer a = sample(1, "a");
        publish(a);
        one.has(a);
        assertThat(why(drop(a))).contains("which member may deliver it is being made durable");
        one.commits(a);

        assertThat(why(drop(a))).contains("only member w1 may deliver it, and has all of it");
        one.ends();
        assertThat(why(drop(a)))
                .contains("subscription workers: only member w1", "'hawser subscriptions lost workers w1'");

        assertThat(store.receiptsKept()).isEmpty();
        relay.subscriptions().lost(GROUP, "w1", answers::add);
        store.force();
        assertThat(drop(a)).containsExactly(Outcome.of(new DropResult(List.of(GROUP), List.of(), Map.of())));
        assertThat(store.receiptsKept()).hasSize(1);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aMemberThatIsAskedToDropAndIsLostBeforeItAnswersHasDroppedIt() {
        Session one = new Session("w1", ONE);
        SampleTransfer a = sample(1, "a");
        publish(a);
        one.has(a);
        store.force();
        List<Outcome<DropResult>> told = drop(a);
        assertThat(told).containsExactly(Outcome.of(new DropResult(List.of(), List.of(GROUP), Map.of())));
        one.ends();
        assertThat(store.receiptsKept()).isEmpty();

        relay.subscriptions().lost(GROUP, "w1", answers::add);
        store.force();
        store.force();

        assertThat(told).last().isEqualTo(Outcome.of(new DropResult(List.of(GROUP), List.of(), Map.of())));
        assertThat(store.receiptsKept()).hasSize(1);
    }

    @Test
    void whatStillComesInGoesToOneMemberAndToAnotherWhenThatIsLost() {
        Session one = new Session("w1", ONE);
        Session two = new Session("w2", TWO);
        SampleTransfer a = sample(1, "a");
        relay.open(a.manifest(), outcome -> {});
        fragment(a, outcome -> {});
        store.force();
        Given given = Given.of(one, two, a);
        Session first = given.to();
        Session other = given.other();

        first.ends();
        wait(PATIENCE);

        assertThat(other.wasOffered(a)).isTrue();
        relay.commit(a.key(), a.commit(), outcome -> {});
        store.force();
        other.has(a);
        store.force();
        assertThat(other.mayDeliver(a)).isTrue();
        assertThat(new Session(first.member, first.node).wasToldToDrop(a)).isTrue();
    }

    @Test
    void aGroupIsNoSubscriptionWithOneConsumerAndAnInUseNameIsRefused() {
        Session one = new Session("w1", ONE);
        assertThat(one.sender).isNotNull();

        SubscriptionSpec alone = new SubscriptionSpec(GROUP, TOPIC, TWO, StartAt.NOW, AckLevel.DURABLE);
        assertThat(relay.subscriptions().subscribe(alone, one, answers::add)).isNull();
        runLoop();
        assertThat(refusal().detail()).contains("--member");

        assertThat(relay.subscriptions().subscribe(spec("w1", TWO), one, answers::add))
                .isNull();
        runLoop();
        assertThat(refusal().code()).isEqualTo(ErrorCode.SUBSCRIPTION_BUSY);

        SubscriptionSpec sole = new SubscriptionSpec("sole", TOPIC, TWO, StartAt.NOW, AckLevel.DURABLE);
        relay.subscriptions().subscribe(sole, one, answers::add);
        store.force();
        SubscriptionTerms terms = SubscriptionTerms.NONE.withMember(Optional.of("w1"));
        assertThat(relay.subscriptions().subscribe(sole.with(terms), one, answers::add))
                .isNull();
        runLoop();
        assertThat(refusal().code()).isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    @Test
    void rosterIsWholeInTheLogAndANodeHasOneName() {
        new Session("w1", ONE);
        new Session("w2", TWO);
        new Session("w3", TWO);

        RelayRecord.Subscribed last = (RelayRecord.Subscribed) store.appended.get(store.appended.size() - 1);
        assertThat(last.spec().roster())
                .isEqualTo(GroupRoster.NONE
                        .with("w1", new GroupRoster.Member(ONE, ""))
                        .with("w3", new GroupRoster.Member(TWO, "")));
        assertThat(last.spec().terms().member()).isEmpty();
    }

    @Test
    void memberThatDoesNotSayThatItHasDroppedWhatWasCancelledKeepsNothingHere() {
        Session member = new Session("w1", ONE);
        for (int i = 1; i <= 100; i++) {
            SampleTransfer sample = sample(i, "f" + i);
            relay.open(sample.manifest(), outcome -> {});
            fragment(sample, outcome -> {});
            store.force();
            assertThat(member.wasOffered(sample)).isTrue();
            relay.cancel(sample.key(), "no longer wanted", outcome -> {});
            store.force();
            assertThat(member.messages).contains(new HopMessage.Cancel(sample.key(), "no longer wanted"));
        }

        assertThat(member.sender.size()).isZero();
        assertThat(member.sender.memoryBytes()).isZero();

        member.ends(); // the messages may have been lost with it
        Session again = new Session("w1", ONE);
        assertThat(again.wasToldToDrop(sample(1, "f1"))).isTrue();
        assertThat(again.wasToldToDrop(sample(100, "f100"))).isTrue();
    }

    @Test
    void memberThatHasNotHeardOfWhatIsCancelledHearsNothing() {
        Session member = new Session("w1", ONE);
        SampleTransfer sample = sample(1, "f");
        relay.open(sample.manifest(), outcome -> {});
        store.force();
        relay.cancel(sample.key(), "no longer wanted", outcome -> {});
        store.force();

        assertThat(member.messages).noneMatch(HopMessage.Cancel.class::isInstance);
    }
}
