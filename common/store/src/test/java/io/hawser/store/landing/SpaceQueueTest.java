package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose turn it is, without disks; {@code LandingSpaceTest} has the landing area around it. */
class SpaceQueueTest {
    private static final Manifest ELDER = manifest(1, TransferKind.PATCH, "elder", Manifest.UNKNOWN_SIZE, Map.of());
    private static final Manifest YOUNGER = manifest(2, TransferKind.FILE, "younger", Manifest.UNKNOWN_SIZE, Map.of());
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long QUIET_MILLIS = 60_000;
    private static final int MAX_WAITING = 1024;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path root;

    @SuppressWarnings("NullAway.Init") // see room
    private LandingContext context;

    private final SpaceLedger ledger = new SpaceLedger(0);
    private long nowMillis;
    private final SpaceQueue queue = new SpaceQueue(ledger, Duration.ofMillis(PATIENCE_MILLIS), () -> nowMillis);
    private final LandingTransfer elder = new LandingTransfer(ELDER, 0);
    private final LandingTransfer younger = new LandingTransfer(YOUNGER, 0);
    private final List<LandingTransfer> givenUp = new ArrayList<>();

    @BeforeEach
    void room() throws StorageException {
        context = LandingContext.open(
                new DiskStorage(),
                LandingOptions.below(root, "sub"),
                StoreRuntime.of(new ThreadedDisk("landing", 2)),
                Runnable::run);
        ledger.look(100);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void tick() {
        queue.tick(List.of(elder, younger), (landing, refusal) -> {
            landing.become(LandingState.ABANDONED, refusal.detail());
            landing.assembly = null;
            givenUp.add(landing);
        });
    }

    /** So much of it is here, and something came just now. */
    private void comesIn(LandingTransfer landing, long bytes) {
        if (landing.state() == LandingState.ABANDONED) {
            landing.become(LandingState.OPEN, "opened again");
        }
        queue.heardOf(landing);
        queue.goesOn(landing.key());
        landing.assembly = new VerifiedWriter(landing, context, new FragmentRanges(), bytes, cause -> {}, grew -> {});
    }

    private Refusal refusalOf(LandingTransfer landing) {
        return Objects.requireNonNull(queue.mustWait(landing));
    }

    @Test
    void nothingMoreIsTakenOfAYoungerOneWhileAnElderOneWaits() {
        queue.refused(ELDER, 100);
        tick();

        Refusal refusal = refusalOf(younger);
        assertThat(refusal.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refusal.detail()).contains("elder came earlier");

        queue.goesOn(ELDER.key());
        assertThat(queue.mustWait(younger)).isNull();
    }

    @Test
    void oneThatNoGivingUpWouldHelpHoldsUpNobody() {
        queue.refused(ELDER, 101);
        tick();

        assertThat(queue.mustWait(younger)).isNull();
        assertThat(queue.mustLetPass(YOUNGER, 40)).isNull();
    }

    @Test
    void oneThatNeedsAllItsRoomAtOnceIsNotPassedByForEver() {
        queue.refused(ELDER, 100);
        tick();

        assertThat(queue.mustLetPass(YOUNGER, 40)).extracting(Refusal::code).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(queue.mustLetPass(YOUNGER, 0)).as("it needs no room").isNull();
        assertThat(queue.mustLetPass(ELDER, 100)).as("itself").isNull();

        queue.goesOn(ELDER.key());
        assertThat(queue.mustLetPass(YOUNGER, 40)).isNull();
    }

    @Test
    void oneThatDoesNotAskAgainWaitsNoMore() {
        queue.refused(ELDER, 100);
        nowMillis = 10_001;
        tick();

        assertThat(queue.mustWait(younger)).isNull();
    }

    @Test
    void oneThatFilledTheAreaGivesWayToThoseThatWereGivenUpForItHoweverLongItTookToFill() {
        comesIn(elder, 50);
        comesIn(younger, 50);
        ledger.look(0);
        refuseFor(PATIENCE_MILLIS, elder, younger);
        assertThat(givenUp).containsExactly(younger);

        for (int second = 0; second < 30; second++) {
            comesIn(elder, 50 + second);
            nowMillis += 1_000;
            assertThat(refusalOf(younger).detail()).contains("elder came earlier");
            tick();
        }
        comesIn(elder, 100);
        for (int second = 0; second < 8 && elder.state() == LandingState.OPEN; second++) {
            queue.refusedPart(ELDER);
            nowMillis += 1_000;
            tick();
        }

        assertThat(givenUp).containsExactly(younger, elder);
        ledger.look(105);
        tick();
        assertThat(queue.mustWait(younger)).isNull();
        assertThat(refusalOf(elder).detail()).contains("it filled 100 bytes");
    }

    @Test
    void oneThatWasGivenUpComesBackWhenThereIsMoreThanItHadAlthoughTheOtherIsNotThrough() {
        comesIn(elder, 50);
        comesIn(younger, 48);
        ledger.look(0);
        refuseFor(PATIENCE_MILLIS, elder, younger);
        assertThat(givenUp).containsExactly(younger);
        comesIn(elder, 60);
        tick();

        ledger.look(48 + 6);
        assertThat(refusalOf(younger).detail()).contains("elder came earlier");
        ledger.look(48 + 6 + 1);
        assertThat(queue.mustWait(younger)).isNull();
    }

    @Test
    void oneThatLackedRoomForAFragmentIsNotOpenedAgainUntilThereIsSomeOrForTooLong() {
        comesIn(elder, 50);
        assertThat(queue.lackedRoomLately(elder)).isFalse();
        queue.fragmentRefused(elder);
        assertThat(queue.lackedRoomLately(elder)).isTrue();

        assertThat(queue.stillNone(elder, 0)).isNotNull();
        assertThat(queue.stillNone(elder, ELDER.fragmentSizeBytes())).isNull();
        nowMillis = QUIET_MILLIS;
        assertThat(queue.lackedRoomLately(elder)).as("its commit needs no room").isFalse();
    }

    private void refuseFor(long millis, LandingTransfer... landings) {
        for (long until = nowMillis + millis; nowMillis <= until; nowMillis += 1_000) {
            for (LandingTransfer landing : landings) {
                queue.refusedPart(landing.manifest);
            }
            tick();
        }
    }

    @Test
    void theEldestKeepsItsPlaceHoweverManyAreRefused() {
        comesIn(younger, 100);
        for (int second = 0; second < 6; second++) {
            queue.refused(ELDER, 100);
            for (int i = 0; i < MAX_WAITING + 10; i++) {
                queue.refused(manifest(100 + i, TransferKind.FILE, "other", 1_000_000, Map.of()), 1_000_000);
            }
            nowMillis += 1_000;
            tick();
        }

        assertThat(givenUp).containsExactly(younger);
    }

    @Test
    void whatIsQuietIsGivenUpWhateverHappenedToTheWallClock() {
        comesIn(elder, 100);
        elder.touchedMillis = Long.MAX_VALUE / 2; // the wall clock was set back since
        nowMillis = QUIET_MILLIS;
        ledger.look(0);
        refuseFor(PATIENCE_MILLIS, younger);

        assertThat(givenUp).containsExactly(elder);
    }

    @Test
    void whileOthersWaitOneThatFilledTheAreaComesBackWhenThereIsAnEighthMore() {
        younger.hadBytes = 96;
        queue.refused(ELDER, 1_000);
        ledger.look(96 + 12);
        assertThat(refusalOf(younger).detail()).contains("it filled 96 bytes");

        ledger.look(96 + 12 + 1);
        assertThat(queue.mustWait(younger)).isNull();
    }

    @Test
    void whileAnotherComesInOneThatFilledTheAreaComesBackWhenThereIsAnEighthMore() {
        younger.hadBytes = 96;
        comesIn(elder, 1);
        tick();
        ledger.look(96 + 12);

        assertThat(refusalOf(younger).detail()).contains("it filled 96 bytes");
    }

    @Test
    void whenNobodyElseWantsItOneThatFilledTheAreaComesBackWhenThereIsMore() {
        younger.hadBytes = 96;
        ledger.look(96);
        assertThat(refusalOf(younger).detail()).contains("it filled 96 bytes");

        ledger.look(97);
        assertThat(queue.mustWait(younger)).isNull();
    }
}
