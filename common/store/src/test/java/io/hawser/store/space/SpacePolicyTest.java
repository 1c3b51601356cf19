package io.hawser.store.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.space.WaitingTransfers.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which transfer goes first. What holds for both roles is tested with the relay's terms; the last tests are of what the end does otherwise. */
@Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
class SpacePolicyTest {
    private static final SpaceAnswer FULL = SpaceAnswer.waitForRoom("the quota is used up");
    private static final long PATIENCE = 5_000;
    private static final long PASSED_BY = 60_000;
    private static final long LATER = 1 + PATIENCE;
    private static final long UNKNOWN = Manifest.UNKNOWN_SIZE;

    private final Here here = new Here();
    private long nowMillis;
    private SpacePolicy policy = policy(SpaceRole.RELAY, PASSED_BY, false);

    private final Manifest oldest = unknownSize(2);
    private final Manifest middle = unknownSize(3);
    private final Manifest youngest = unknownSize(6);

    /** What is here, as the test says. Ids are numbers: the lower is the older. */
    private static final class Here implements SpacePolicy.Contents {
        final Map<TransferKey, Set<String>> quotas = new HashMap<>();
        final Set<TransferKey> cannotFit = new HashSet<>();
        final Set<TransferKey> comeIn = new HashSet<>();
        final Set<TransferKey> mayFollow = new HashSet<>();
        final List<TransferKey> growing = new ArrayList<>();
        final List<SpacePolicy.Open> open = new ArrayList<>();
        final List<TransferKey> discarded = new ArrayList<>();
        boolean full;
        long asked;

        @Override
        public Set<String> quotas(Manifest manifest) {
            return quotas.getOrDefault(manifest.key(), Set.of());
        }

        @Override
        public SpaceAnswer admit(Manifest manifest, long bytes) {
            asked = bytes;
            return full ? FULL : SpaceAnswer.yes();
        }

        @Override
        public boolean canFit(Waiting each) {
            return !cannotFit.contains(each.key());
        }

        @Override
        public List<SpacePolicy.Open> open() {
            return open;
        }

        @Override
        public SpacePolicy.@Nullable Open open(TransferKey key) {
            return new SpacePolicy.Open(unknownSize(1), 80, comeIn.contains(key) ? 0 : 60_000);
        }

        @Override
        public boolean mayFollow(SpacePolicy.Open other, Manifest first) {
            return mayFollow.contains(other.key());
        }

        @Override
        public void growing(String space, Consumer<Collection<TransferKey>> then) {
            then.accept(growing.stream()
                    .filter(key -> space.equals(SpaceAnswer.NODE)
                            || quotas.getOrDefault(key, Set.of()).contains(space))
                    .toList());
        }

        @Override
        public void discard(TransferKey key, Refusal why) {
            discarded.add(key);
        }
    }

    private SpacePolicy policy(SpaceRole role, long passedBy, boolean freesAtOnce) {
        Comparator<TransferKey> byAge = Comparator.comparingLong(SpacePolicyTest::age);
        return new SpacePolicy(
                new SpacePolicy.Terms(role, byAge, PATIENCE, passedBy, freesAtOnce), here, () -> nowMillis);
    }

    private static long age(TransferKey key) {
        return key.id().low();
    }

    private static Manifest of(long age, long number, String name, long bytes) {
        Manifest other = SampleTransfer.file(new NodeId(1, 1), number, "t", name, 100, 64, number)
                .manifest();
        return new Manifest(
                new TransferKey(new NodeId(1, 1), new TransferId(0, age)),
                number,
                other.topic(),
                other.kind(),
                name,
                List.of(name),
                bytes,
                other.fragmentSizeBytes(),
                other.attributes());
    }

    private static Manifest unknownSize(long number) {
        return of(number, number, "a" + number, UNKNOWN);
    }

    private static Manifest knownSize(long number) {
        return of(number, number, "a" + number, 100);
    }

    private static Manifest onOnePath(long age, long number, long bytes) {
        return of(age, number, "b", bytes);
    }

    private void refused(Manifest manifest) {
        refused(manifest, 0, FULL);
    }

    private void refused(Manifest manifest, long heldBytes, SpaceAnswer answer) {
        policy.noted(manifest, heldBytes, manifest.sizeBytes(), answer);
    }

    private void admitted(Manifest manifest) {
        policy.noted(manifest, 0, manifest.sizeBytes(), SpaceAnswer.yes());
    }

    private boolean waits(Manifest manifest, long heldBytes) {
        return !policy.mustWait(manifest, heldBytes).isYes();
    }

    /** The transfer asks for room: it waits for others, or there is none. */
    private void asksInVain(Manifest manifest) {
        policy.noted(
                manifest, 0, manifest.sizeBytes(), policy.mustWait(manifest, 0).and(() -> FULL));
    }

    private void look(long atMillis) {
        nowMillis = atMillis;
        policy.tick();
    }

    private void refusedUntil(long millis, Manifest... manifests) {
        for (; nowMillis < millis; nowMillis += 1_000) {
            List.of(manifests).forEach(this::refused);
            policy.tick();
        }
    }

    @Test
    void noneWaitsWhereThereIsRoom() {
        assertThat(waits(youngest, 10)).isFalse();
    }

    @Test
    void roomThatReturnsIsTheOldests() {
        here.full = true;
        refused(youngest);
        refused(middle);

        assertThat(waits(oldest, 10)).isFalse();
        assertThat(waits(middle, 10)).isFalse();
        assertThat(policy.mustWait(youngest, 10)).isInstanceOfSatisfying(SpaceAnswer.Wait.class, wait -> {
            assertThat(wait.roomHelps()).isTrue();
            assertThat(wait.why()).startsWith("a3 came earlier").contains("the broker");
        });

        admitted(middle);
        assertThat(waits(youngest, 10)).isFalse();
    }

    @Test
    void crowdThatWaitedIsAdmittedInAnyOrderOnceThereIsPlentyOfRoom() {
        refused(oldest);
        refused(middle);

        assertThat(waits(youngest, 10)).isFalse();
        assertThat(here.asked).as("twice a fragment of each").isEqualTo(2L * 3 * oldest.fragmentSizeBytes());
        here.full = true;
        assertThat(waits(youngest, 10)).isTrue();
    }

    @Test
    void sizeThatCannotBeIsNotTakenForASmallOne() {
        refused(oldest);

        waits(of(6, 6, "a6", Long.MAX_VALUE - 1), 0);

        assertThat(here.asked).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oneOfUnknownSizeIsNotPassedByForEverByYoungerOnesOfKnownSize() {
        here.full = true;
        refused(oldest);

        assertThat(waits(knownSize(6), 0)).isTrue();
        assertThat(waits(knownSize(1), 0)).as("an older one").isFalse();
        assertThat(waits(of(7, 7, "a7", 0), 0)).as("it needs no room").isFalse();
    }

    @Test
    void oneOfKnownSizeIsNotPassedByForEverByYoungerOnesThatNeedLess() {
        here.full = true;
        Manifest large = knownSize(1);
        long passed = 0;
        long longestWithoutNewOnes = 0;
        long withoutNewOnes = 0;
        long all = TimeUnit.HOURS.toMillis(3);
        for (nowMillis = 0; nowMillis < all; nowMillis += 1_000) {
            refused(large);
            boolean held = waits(knownSize(6), 0);
            assertThat(waits(unknownSize(8), 0)).isEqualTo(held);
            assertThat(waits(youngest, 10))
                    .as("partly here, it comes to its end")
                    .isFalse();
            passed += held ? 0 : 1_000;
            withoutNewOnes = held ? withoutNewOnes + 1_000 : 0;
            longestWithoutNewOnes = Math.max(longestWithoutNewOnes, withoutNewOnes);
            assertThat(held && nowMillis < PASSED_BY).isFalse();
        }

        assertThat(longestWithoutNewOnes).as("so that much can come to its end").isEqualTo(640_000);
        assertThat(passed).as("the others have most of the time").isGreaterThan(all / 3 * 2 - 640_000);
    }

    @Test
    void whatCannotFitHoldsBackNoOtherAndNothingIsDiscardedForIt() {
        here.full = true;
        Manifest large = knownSize(1);
        here.cannotFit.add(large.key());
        here.growing.addAll(List.of(middle.key(), youngest.key()));
        refusedUntil(2 * PASSED_BY, large, middle);
        assertThat(policy.mustWait(knownSize(7), 0).refusal())
                .as("it waits for one of unknown size alone")
                .isNotNull()
                .satisfies(why -> assertThat(why.detail()).startsWith("a3 came earlier"));
        assertThat(here.discarded).as("for that one").contains(youngest.key()).doesNotContain(middle.key());

        admitted(middle);
        assertThat(waits(knownSize(7), 0)).isFalse();
        here.cannotFit.clear();
        look(nowMillis);
        assertThat(waits(knownSize(7), 0)).as("it could fit now").isTrue();
    }

    @Test
    void theYoungestGivesItsPlaceToTheOldestThatWaitsForLong() {
        here.growing.addAll(List.of(middle.key(), youngest.key(), oldest.key()));
        refused(oldest);
        refused(youngest);
        look(1);
        assertThat(here.discarded).as("not at once").isEmpty();

        nowMillis = LATER;
        refused(oldest);
        look(LATER);
        assertThat(here.discarded).containsExactly(youngest.key());
        look(2 * LATER - 2);
        assertThat(here.discarded).as("time for the room to be used").hasSize(1);
    }

    /** The youngest is discarded for the oldest, which finds room then. */
    private void theYoungestGivesWay() {
        here.growing.addAll(List.of(youngest.key(), oldest.key()));
        refused(oldest);
        nowMillis += LATER;
        refused(oldest);
        look(nowMillis);
        assertThat(here.discarded).containsExactly(youngest.key());
        admitted(oldest);
    }

    @Test
    void whatGaveWayDoesNotComeBackToTakeTheSameRoomAgain() {
        theYoungestGivesWay();
        here.comeIn.add(oldest.key());
        here.full = true;

        assertThat(waits(youngest, 0)).isTrue();
        assertThat(here.asked).as("more than an eighth more than it had").isEqualTo(91);
        here.full = false;
        assertThat(waits(youngest, 0)).isFalse();
    }

    @Test
    void whatGaveWayComesBackWhenTheOtherHasEndedOrIsSilent() {
        theYoungestGivesWay();
        here.full = true;

        assertThat(waits(youngest, 0)).isFalse();
    }

    @Test
    void whatWaitsForOneCertainOtherHoldsBackNone() {
        theYoungestGivesWay();
        here.comeIn.add(oldest.key());
        here.full = true;
        asksInVain(youngest);

        assertThat(waits(unknownSize(9), 0)).isFalse();
    }

    @Test
    void whatCannotBeCommittedBeforeOneThatWaitsGivesItsRoomToIt() {
        Manifest large = onOnePath(2, 2, 100);
        Manifest follower = onOnePath(5, 5, 100);
        List.of(follower, knownSize(7), onOnePath(8, 8, 0)).forEach(this::isOpen);
        refused(large);
        assertThat(waits(follower, 0)).as("it is not let in").isTrue();
        look(1);
        assertThat(here.discarded).as("not at once").isEmpty();

        nowMillis = LATER;
        refused(large);
        look(LATER);

        assertThat(here.discarded).as("the last one that has room").containsExactly(follower.key());
        admitted(large);
        here.comeIn.add(large.key());
        assertThat(waits(follower, 0)).isTrue();
        here.comeIn.clear();
        assertThat(waits(follower, 0)).isFalse();
    }

    @Test
    void whatMayFollowOneThatWaitsGivesItsRoomToIt() {
        List.of(of(6, 6, "no room", 0), knownSize(7), knownSize(8)).forEach(this::isOpen);
        here.mayFollow.addAll(List.of(of(6, 6, "no room", 0).key(), knownSize(7).key()));
        refusedUntil(LATER + 1_000, knownSize(2));

        assertThat(here.discarded).containsOnly(knownSize(7).key());
    }

    @Test
    void whatNeedsNoRoomHoldsBackNoOtherAndNothingIsDiscardedForIt() {
        Manifest follower = onOnePath(5, 5, 100);
        isOpen(follower);
        refusedUntil(LATER + 1_000, onOnePath(1, 1, 0));

        assertThat(here.discarded).isEmpty();
        assertThat(waits(follower, 0)).isFalse();
    }

    private void isOpen(Manifest manifest) {
        here.open.add(new SpacePolicy.Open(manifest, 0, 0));
    }

    @Test
    void twoDoNotWaitForEachOtherWhereAClockWasSetBackBetweenThem() {
        Manifest first = onOnePath(9, 1, UNKNOWN); // by its number; younger by its id
        Manifest second = onOnePath(2, 8, UNKNOWN);
        refused(first);
        asksInVain(second);

        assertThat(waits(first, 0)).isFalse();
        assertThat(waits(second, 0)).isTrue();
    }

    @Test
    void aYoungerOneThatDoesNotMoveGivesItsPlaceAlsoToOneOfKnownSize() {
        Manifest large = knownSize(1);
        here.growing.addAll(List.of(middle.key(), youngest.key()));
        refusedUntil(PASSED_BY, large, middle);
        assertThat(here.discarded).isEmpty();
        refusedUntil(PASSED_BY + 1_000, large, middle);

        assertThat(here.discarded).as("the youngest moves").containsExactly(middle.key());
    }

    @Test
    void theOldestKeepsItsPlaceHoweverManyAreRefused() {
        here.growing.addAll(List.of(oldest.key(), youngest.key()));
        for (nowMillis = 0; nowMillis <= LATER; nowMillis += 1_000) {
            refused(oldest);
            for (int i = 0; i < 1_000; i++) {
                refused(unknownSize(10 + i));
            }
            policy.tick();
        }

        assertThat(here.discarded).containsExactly(youngest.key());
    }

    @Test
    void oneThatFillsTheSpaceAloneGivesWayAndComesBackWhenThereIsMore() {
        here.growing.add(oldest.key());
        for (nowMillis = 0; nowMillis <= PASSED_BY; nowMillis += 1_000) {
            assertThat(here.discarded).isEmpty();
            refused(oldest, 800, FULL);
            refused(knownSize(6));
            policy.tick();
        }
        assertThat(here.discarded).containsExactly(oldest.key());
        assertThat(waits(knownSize(6), 0)).as("it begins").isFalse();

        here.full = true;
        assertThat(policy.mustWait(oldest, 0).refusal()).isNotNull().satisfies(why -> assertThat(why.detail())
                .contains("800 bytes"));
        assertThat(here.asked).as("while others wait").isEqualTo(901);
        admitted(knownSize(6));
        here.open.add(new SpacePolicy.Open(unknownSize(9), 1, 0));
        assertThat(waits(oldest, 0)).isTrue();
        assertThat(here.asked).as("while others come in").isEqualTo(901);
        here.open.clear();
        assertThat(waits(oldest, 0)).isTrue();
        assertThat(here.asked).isEqualTo(801);
        here.full = false;
        assertThat(waits(oldest, 0)).isFalse();
    }

    @Test
    void oneThatFillsTheSpaceAloneDoesNotGiveWayToThoseThatWouldNotFit() {
        here.growing.add(oldest.key());
        for (nowMillis = 0; nowMillis <= 2 * PASSED_BY; nowMillis += 1_000) {
            refused(oldest, 99, FULL);
            refused(knownSize(6));
            policy.tick();
        }

        assertThat(here.discarded).isEmpty();
    }

    /** Else it would wait for the one that waits for more room than there is. */
    @Test
    void whatWasDiscardedForOneThatGivesWayLaterIsFreeToBegin() {
        theYoungestGivesWay();
        here.growing.remove(youngest.key());
        here.comeIn.add(oldest.key());
        here.full = true;
        for (long until = nowMillis + PASSED_BY; nowMillis <= until; nowMillis += 1_000) {
            refused(oldest, 800, FULL);
            asksInVain(youngest);
            policy.tick();
        }
        assertThat(here.discarded).containsExactly(youngest.key(), oldest.key());
        refused(oldest, 0, policy.mustWait(oldest, 0));

        assertThat(waits(youngest, 0)).isFalse();
    }

    @Test
    void theOldestDoesNotGiveWayToTheYounger() {
        here.growing.add(oldest.key());
        refusedUntil(LATER + 1_000, middle);

        assertThat(here.discarded).isEmpty();
    }

    @Test
    void oneThatDoesNotAskAgainWaitsNoMore() {
        refused(oldest);
        nowMillis = 10_001;

        assertThat(waits(youngest, 0)).isFalse();
    }

    @Test
    void oneThatWaitsForAQuotaHoldsBackOnlyThoseThatAreChargedToIt() {
        here.full = true;
        here.quotas.put(youngest.key(), Set.of("berlin", "all"));
        refused(oldest, 0, new SpaceAnswer.Wait("berlin", true, "no room"));

        assertThat(waits(middle, 0)).as("of another principal").isFalse();
        assertThat(policy.mustWait(youngest, 10)).isInstanceOfSatisfying(SpaceAnswer.Wait.class, wait -> {
            assertThat(wait.space()).isEqualTo("berlin");
            assertThat(wait.why()).contains("a2 came earlier", "the quota of berlin");
        });
    }

    @Test
    void forRoomInAQuotaOneThatIsChargedToItIsDiscarded() {
        here.growing.addAll(List.of(youngest.key(), unknownSize(7).key()));
        here.quotas.put(youngest.key(), Set.of("berlin"));
        for (nowMillis = 0; nowMillis <= LATER; nowMillis += 1_000) {
            refused(oldest, 0, new SpaceAnswer.Wait("berlin", true, "no room"));
            refused(middle, 0, new SpaceAnswer.Wait("paris", true, "no room"));
            policy.tick();
        }

        assertThat(here.discarded).containsExactly(youngest.key());
    }

    @Test
    void theManyOfOneQuotaDoNotHideTheOthers() {
        refused(unknownSize(1_000));
        for (int i = 0; i < 300; i++) {
            refused(unknownSize(10 + i), 0, new SpaceAnswer.Wait("berlin", true, "no room"));
        }

        assertThat(policy.waiting().of(unknownSize(1_000).key())).isPresent();
        assertThat(policy.waiting().of(unknownSize(10).key())).isPresent();
        assertThat(policy.waiting().lately()).hasSize(256);
    }

    private void beTheEnd() {
        policy = policy(SpaceRole.END, PATIENCE, true);
    }

    @Test
    void atTheEndOneThatNeedsAllAtOnceIsNeverPassedBy() {
        here.full = true;
        beTheEnd();
        refused(knownSize(1));

        assertThat(waits(youngest, 10)).isTrue();
        assertThat(waits(knownSize(6), 0)).isTrue();
        here.cannotFit.add(knownSize(1).key());
        look(1);
        assertThat(waits(youngest, 10)).as("no discarding would help that one").isFalse();
    }

    @Test
    void atTheEndOneThatMovesIsDiscardedForOneThatNeedsAllAtOnce() {
        beTheEnd();
        here.growing.add(youngest.key());
        here.comeIn.add(youngest.key());
        refusedUntil(LATER + 1_000, knownSize(1));

        assertThat(here.discarded).containsExactly(youngest.key());
    }

    @Test
    void atTheEndASilentOneIsDiscardedAlsoForAYoungerOne() {
        beTheEnd();
        here.growing.add(oldest.key());
        refusedUntil(LATER + 1_000, youngest);

        assertThat(here.discarded).containsExactly(oldest.key());
    }

    @Test
    void atTheEndNoneWaitsForOneThatFilledTheSpaceAlone() {
        beTheEnd();
        here.growing.add(oldest.key());
        here.comeIn.add(oldest.key());
        for (; here.discarded.isEmpty(); nowMillis += 1_000) {
            refused(oldest, 800, FULL);
            refused(youngest);
            policy.tick();
        }
        here.full = true;
        asksInVain(oldest);

        assertThat(waits(youngest, 0)).isFalse();
    }
}
