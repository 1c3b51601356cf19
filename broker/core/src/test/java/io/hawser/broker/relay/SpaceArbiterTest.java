package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpaceArbiterTest {
    private static final AdmissionRefusal FULL = AdmissionRefusal.ofNode(ErrorCode.NO_SPACE, "the quota is used up");
    private static final long LATER = 1 + SpaceArbiter.PATIENCE_MILLIS;

    private final FakeRelayStore store = new FakeRelayStore();
    private long nowMillis;
    private final ArrivalOrder arrivals = new ArrivalOrder();
    private final RefusedTransfers refused = new RefusedTransfers(arrivals, () -> nowMillis);
    private final List<TransferKey> forgotten = new ArrayList<>();
    private final Open open = new Open();
    private final SpaceArbiter scheduler =
            new SpaceArbiter(store, refused, arrivals, open, () -> nowMillis, (key, why) -> forgotten.add(key));

    private final Manifest eldest = unknownSize(2);
    private final Manifest middle = unknownSize(3);
    private final Manifest youngest = unknownSize(6);

    /** The broker sees transfers in the order of their numbers, unless a test says otherwise. */
    @BeforeEach
    void seeInOrder() {
        for (int number = 1; number < 10; number++) {
            arrivals.see(unknownSize(number).key());
        }
    }

    /** What is open, as the test says. */
    private static final class Open implements SpaceArbiter.OpenTransfers {
        final Set<TransferKey> comeIn = new HashSet<>();
        final List<Manifest> here = new ArrayList<>();
        final List<Manifest> standing = new ArrayList<>();

        @Override
        public boolean comesIn(TransferKey key) {
            return comeIn.contains(key);
        }

        @Override
        public long heldBytes(TransferKey key) {
            return 80;
        }

        @Override
        public Optional<Manifest> lastToFollow(Manifest earlier, Predicate<Manifest> isWanted) {
            return here.stream()
                    .filter(earlier::comesBefore)
                    .filter(isWanted)
                    .max(Comparator.comparingLong(Manifest::number));
        }

        @Override
        public Optional<Manifest> lastToStandBehind(Manifest earlier, Predicate<Manifest> isWanted) {
            return standing.stream().filter(isWanted).findFirst();
        }
    }

    private static Manifest unknownSize(long number) {
        return SampleTransfer.file(new NodeId(1, 1), number, "t", "a" + number, 100, 64, number)
                .manifest();
    }

    private static Manifest knownSize(long number) {
        return ofSize(number, 100);
    }

    private static Manifest deletion(long number) {
        return ofSize(number, 0);
    }

    private static Manifest ofSize(long number, long bytes) {
        Manifest other = unknownSize(number);
        return new Manifest(
                other.key(),
                other.number(),
                other.topic(),
                other.kind(),
                other.name(),
                other.paths(),
                bytes,
                other.fragmentSizeBytes(),
                other.attributes());
    }

    @Test
    void nobodyWaitsWhereThereIsRoom() {
        assertThat(scheduler.mustWait(youngest, 10)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void roomThatReturnsIsTheEldests() {
        refused.refused(youngest, FULL, 0);
        refused.refused(middle, FULL, 0);

        assertThat(scheduler.mustWait(eldest, 10)).isNull();
        assertThat(scheduler.mustWait(middle, 10)).isNull();
        assertThat(scheduler.mustWait(youngest, 10))
                .isNotNull()
                .extracting(refusal -> refusal.refusal().code())
                .isEqualTo(ErrorCode.NO_SPACE);

        refused.admitted(middle.key());
        assertThat(scheduler.mustWait(youngest, 10)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void oneOfUnknownSizeIsNotPassedByForEverByYoungerOnesOfKnownSize() {
        refused.refused(eldest, FULL, 0);

        assertThat(scheduler.mustWait(knownSize(6), 0)).isNotNull();
        assertThat(scheduler.mustWait(knownSize(1), 0)).as("an elder one").isNull();
        assertThat(scheduler.mustWait(deletion(7), 0)).as("it needs no room").isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void oneOfKnownSizeIsNotPassedByForEverByYoungerOnesThatNeedLess() {
        Manifest large = knownSize(1);
        long passed = 0;
        long longestWithoutNewOnes = 0;
        long withoutNewOnes = 0;
        long all = TimeUnit.HOURS.toMillis(3);
        for (nowMillis = 0; nowMillis < all; nowMillis += 1_000) {
            refused.refused(large, FULL, 0);
            boolean held = scheduler.mustWait(knownSize(6), 0) != null;
            assertThat(scheduler.mustWait(unknownSize(8), 0) != null).isEqualTo(held);
            assertThat(scheduler.mustWait(youngest, 10))
                    .as("partly here, it comes to its end")
                    .isNull();
            passed += held ? 0 : 1_000;
            withoutNewOnes = held ? withoutNewOnes + 1_000 : 0;
            longestWithoutNewOnes = Math.max(longestWithoutNewOnes, withoutNewOnes);
            assertThat(held && nowMillis < SpaceArbiter.PASSED_BY_MILLIS).isFalse();
        }

        assertThat(longestWithoutNewOnes).as("so that much can come to its end").isEqualTo(640_000);
        assertThat(passed).as("the others have most of the time").isGreaterThan(all / 3 * 2 - 640_000);
    }

    /** The session, or the broker, has ended since: its publisher offers it again only after the earlier one. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatTheStoreAloneKnowsOfGivesWayToAnEarlierOneToo() {
        Manifest first = knownSize(2);
        Manifest later = knownSize(6);
        for (Manifest each : List.of(knownSize(1), later)) {
            store.open.add(each.key());
            store.known.put(
                    each.key(),
                    new RelayStore.Lookup(
                            StoredTransfer.State.OPEN,
                            new KeptTransfer(each, new FragmentRanges(), null, 0, Set.of(), Set.of(), Map.of())));
        }
        for (nowMillis = 0; nowMillis <= SpaceArbiter.PASSED_BY_MILLIS + 2_000; nowMillis += 1_000) {
            refused.refused(first, FULL, 0);
            scheduler.tick();
            store.answer();
            store.answer();
        }

        assertThat(forgotten).containsExactly(later.key());
    }

    /** The publisher chooses the id. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void theOlderOneIsTheOneThatTheBrokerSawFirstWhateverTheId() {
        TransferId from1970 = new TransferId(1, 1);
        Manifest other = unknownSize(6);
        Manifest late = new Manifest(
                new TransferKey(new NodeId(1, 1), from1970),
                77,
                other.topic(),
                other.kind(),
                "late",
                List.of("late"),
                Manifest.UNKNOWN_SIZE,
                other.fragmentSizeBytes(),
                other.attributes());
        refused.refused(middle, FULL, 0);
        refused.refused(late, FULL, 0);

        assertThat(scheduler.mustWait(middle, 10)).isNull();
        assertThat(scheduler.mustWait(late, 0)).isNotNull();
    }

    @Test
    void whatWouldNotFitAloneHoldsBackNobodyAndNothingIsDiscardedForIt() {
        Manifest large = knownSize(1);
        store.open.addAll(List.of(middle.key(), youngest.key()));
        for (nowMillis = 0; nowMillis <= 2 * SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 1_000) {
            scheduler.cannotFit(large);
            refused.refused(large, FULL, 0);
            refused.refused(middle, FULL, 0);
            look(nowMillis);
            assertThat(scheduler.mustWait(knownSize(7), 0))
                    .as("it waits for one of unknown size alone")
                    .isNotNull()
                    .satisfies(lack -> assertThat(lack.refusal().detail()).startsWith("a3 came earlier"));
        }
        assertThat(forgotten).as("for that one").contains(youngest.key()).doesNotContain(middle.key());

        refused.admitted(middle.key());
        assertThat(scheduler.mustWait(knownSize(7), 0)).isNull();
        assertThat(scheduler.mustWait(large, 0)).as("it could fit now").isNull();
        assertThat(scheduler.mustWait(knownSize(7), 0))
                .as("and waits in its turn")
                .isNotNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void theYoungestGivesItsPlaceToTheEldestThatWaitsForLong() {
        store.open.addAll(List.of(middle.key(), youngest.key(), eldest.key()));
        refused.refused(eldest, FULL, 0);
        refused.refused(youngest, FULL, 0);
        look(1);
        assertThat(forgotten).as("not at once").isEmpty();

        nowMillis = LATER;
        refused.refused(eldest, FULL, 0);
        look(LATER);
        assertThat(forgotten).containsExactly(youngest.key());
        look(LATER + 1);
        assertThat(forgotten).as("time for the room to be used").hasSize(1);
    }

    /** The youngest is forgotten for the eldest, which finds room then. */
    private void theYoungestGivesWay() {
        store.open.addAll(List.of(youngest.key(), eldest.key()));
        refused.refused(eldest, FULL, 0);
        nowMillis += LATER;
        refused.refused(eldest, FULL, 0);
        look(nowMillis);
        assertThat(forgotten).containsExactly(youngest.key());
        refused.admitted(eldest.key());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatGaveWayDoesNotComeBackToTakeTheSameRoomAgain() {
        theYoungestGivesWay();
        open.comeIn.add(eldest.key());
        store.full = FULL;

        assertThat(scheduler.mustWait(youngest, 0)).isNotNull();
        assertThat(store.asked).as("an eighth more than it had").isEqualTo(90);
        store.full = null;
        assertThat(scheduler.mustWait(youngest, 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatGaveWayComesBackWhenTheOtherIsThroughOrStandsStill() {
        theYoungestGivesWay();
        store.full = FULL;

        assertThat(scheduler.mustWait(youngest, 0)).isNull();
    }

    @Test
    void whatWaitsForOneCertainOtherHoldsBackNobody() {
        theYoungestGivesWay();
        open.comeIn.add(eldest.key());
        store.full = FULL;
        refused.refused(youngest, Objects.requireNonNull(scheduler.mustWait(youngest, 0)), 0);

        assertThat(scheduler.mustWait(unknownSize(9), 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatCannotBeCommittedBeforeOneThatWaitsGivesItsRoomToIt() {
        Manifest large = onOnePath(2, 2, 100);
        Manifest follower = onOnePath(5, 5, 100);
        open.here.add(follower);
        open.here.add(knownSize(7));
        refused.refused(large, FULL, 0);
        assertThat(scheduler.mustWait(follower, 0)).as("it is not let in").isNotNull();
        look(1);
        assertThat(forgotten).as("not at once").isEmpty();

        nowMillis = LATER;
        refused.refused(large, FULL, 0);
        look(LATER);

        assertThat(forgotten).containsExactly(follower.key());
        refused.admitted(large.key());
        open.comeIn.add(large.key());
        assertThat(scheduler.mustWait(follower, 0)).isNotNull();
        open.comeIn.clear();
        assertThat(scheduler.mustWait(follower, 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aFollowerThatNeedsNoRoomDoesNotHideTheOneThatHasIt() {
        Manifest first = onOnePath(2, 2, 100);
        Manifest follower = onOnePath(5, 5, 100);
        open.here.add(follower);
        open.here.add(onOnePath(7, 7, 0));
        refused.refused(first, FULL, 0);
        nowMillis = LATER;
        refused.refused(first, FULL, 0);

        look(LATER);

        assertThat(forgotten).containsExactly(follower.key());
    }

    /** By way of a rename that its publisher holds back: the broker has never heard of that. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatStandsStillBehindOneThatWaitsGivesItsRoomToIt() {
        Manifest first = onOnePath(2, 2, 100);
        open.standing.add(deletion(6));
        open.standing.add(knownSize(7));
        refused.refused(first, FULL, 0);
        nowMillis = LATER;
        refused.refused(first, FULL, 0);

        look(LATER);

        assertThat(forgotten).containsExactly(knownSize(7).key());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void twoDoNotWaitForEachOtherWhereAClockWasSetBackBetweenThem() {
        Manifest first = onOnePath(9, 1, Manifest.UNKNOWN_SIZE); // by its number; younger by its name
        Manifest second = onOnePath(2, 8, Manifest.UNKNOWN_SIZE);
        refused.refused(first, FULL, 0);
        refused.refused(second, Objects.requireNonNull(scheduler.mustWait(second, 0)), 0);

        assertThat(scheduler.mustWait(first, 0)).isNull();
        assertThat(scheduler.mustWait(second, 0)).isNotNull();
    }

    private static Manifest onOnePath(long age, long number, long bytes) {
        Manifest other = unknownSize(age);
        return new Manifest(
                other.key(),
                number,
                other.topic(),
                other.kind(),
                "b",
                List.of("b"),
                bytes,
                other.fragmentSizeBytes(),
                other.attributes());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aYoungerOneThatStandsStillGivesItsPlaceAlsoToOneOfKnownSize() {
        Manifest large = knownSize(1);
        store.open.addAll(List.of(middle.key(), youngest.key()));
        for (nowMillis = 0; nowMillis <= SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 1_000) {
            refused.refused(large, FULL, 0);
            refused.refused(middle, FULL, 0);
            look(nowMillis);
            assertThat(forgotten.isEmpty()).isEqualTo(nowMillis < SpaceArbiter.PASSED_BY_MILLIS);
        }

        assertThat(forgotten).as("the youngest goes on").containsExactly(middle.key());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void theEldestKeepsItsPlaceHoweverManyAreRefused() {
        store.open.addAll(List.of(eldest.key(), youngest.key()));
        for (nowMillis = 0; nowMillis <= LATER; nowMillis += 1_000) {
            refused.refused(eldest, FULL, 0);
            for (int i = 0; i < 1_000; i++) {
                refused.refused(unknownSize(10 + i), FULL, 0);
            }
            look(nowMillis);
        }

        assertThat(forgotten).containsExactly(youngest.key());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void oneThatFillsTheSpaceAloneGivesWayToThoseThatWouldFitAndComesBackWhenThereIsMore() {
        store.open.add(eldest.key());
        for (nowMillis = 0; nowMillis <= SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 1_000) {
            refused.refused(eldest, FULL, 800);
            refused.refused(knownSize(6), FULL, 0);
            look(nowMillis);
            assertThat(forgotten.isEmpty()).isEqualTo(nowMillis < SpaceArbiter.PASSED_BY_MILLIS);
        }
        assertThat(forgotten).containsExactly(eldest.key());
        assertThat(scheduler.mustWait(knownSize(6), 0)).as("it goes on").isNull();

        store.full = FULL;
        assertThat(scheduler.mustWait(eldest, 0))
                .isNotNull()
                .satisfies(why -> assertThat(why.refusal().detail()).contains("800 bytes"));
        assertThat(store.asked).as("while others wait").isEqualTo(900);
        refused.admitted(knownSize(6).key());
        assertThat(scheduler.mustWait(eldest, 0)).isNotNull();
        assertThat(store.asked).isEqualTo(800);
        store.full = null;
        assertThat(scheduler.mustWait(eldest, 0)).isNull();
    }

    @Test
    void oneThatFillsTheSpaceAloneDoesNotGiveWayToThoseThatWouldNotFit() {
        store.open.add(eldest.key());
        for (nowMillis = 0; nowMillis <= 2 * SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 1_000) {
            refused.refused(eldest, FULL, 99);
            refused.refused(knownSize(6), FULL, 0);
            look(nowMillis);
        }

        assertThat(forgotten).isEmpty();
    }

    @Test
    void theEldestDoesNotGiveWayToTheYounger() {
        store.open.add(eldest.key());
        refused.refused(middle, FULL, 0);
        nowMillis = LATER;
        refused.refused(middle, FULL, 0);
        look(LATER);

        assertThat(forgotten).isEmpty();
    }

    @Test
    void whoIsRefusedForAnotherReasonTakesNoTurn() {
        refused.refused(eldest, AdmissionRefusal.ofNode(ErrorCode.STORAGE_FAILED, "for now"), 0);

        assertThat(scheduler.mustWait(youngest, 10)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whoWaitsForRoomInAQuotaHoldsUpOnlyThoseWhoAreChargedToIt() {
        store.quotas.put(eldest.key(), Set.of("berlin"));
        store.quotas.put(youngest.key(), Set.of("berlin", "all"));
        refused.refused(eldest, new AdmissionRefusal("berlin", FULL.refusal()), 0);

        assertThat(scheduler.mustWait(middle, 0)).as("of another tenant").isNull();
        assertThat(scheduler.mustWait(youngest, 10)).isNotNull().satisfies(refusal -> {
            assertThat(refusal.space()).isEqualTo("berlin");
            assertThat(refusal.refusal().detail()).contains("a2 came earlier", "the quota of berlin");
        });
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void forRoomInAQuotaSomebodyGivesUpHisPlaceWhoIsChargedToIt() {
        Manifest other = unknownSize(7);
        store.open.addAll(List.of(youngest.key(), other.key()));
        store.quotas.put(eldest.key(), Set.of("berlin"));
        store.quotas.put(youngest.key(), Set.of("berlin"));
        store.quotas.put(middle.key(), Set.of("paris"));
        for (nowMillis = 0; nowMillis <= LATER; nowMillis += 1_000) {
            refused.refused(eldest, new AdmissionRefusal("berlin", FULL.refusal()), 0);
            refused.refused(middle, new AdmissionRefusal("paris", FULL.refusal()), 0);
            look(nowMillis);
        }

        assertThat(forgotten).containsExactly(youngest.key());
    }

    @Test
    void oneTenantsManyDoNotHideTheOthers() {
        refused.refused(unknownSize(1_000), FULL, 0);
        for (int i = 0; i < 300; i++) {
            refused.refused(unknownSize(10 + i), new AdmissionRefusal("berlin", FULL.refusal()), 0);
        }

        assertThat(refused.of(unknownSize(1_000).key())).isPresent();
        assertThat(refused.of(unknownSize(10).key())).isPresent();
        assertThat(refused.lately()).hasSize(256);
    }

    private void look(long atMillis) {
        nowMillis = atMillis;
        scheduler.tick();
        store.answer();
    }
}
