package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.space.SpacePolicy;
import io.hawser.store.space.SpaceRole;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers that fill the landing area together, fed as a broker does it: what is refused is announced again. */
@Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
final class LandingSpaceTest {
    private static final int FRAGMENTS_OF_ROOM = 12;
    private static final long UNKNOWN = Manifest.UNKNOWN_SIZE;

    @TempDir
    Path root;

    private LandingOptions options = LandingOptions.below(Path.of("set by open()"), "sub");
    private LandingRig rig;
    private volatile int roomFragments = FRAGMENTS_OF_ROOM;

    @BeforeEach
    void open() throws IOException {
        options = LandingOptions.below(root, "sub").withLimits(100, 100, 0).withSpacePatience(Duration.ofMillis(300));
        open(options);
    }

    private void open(LandingOptions options) throws IOException {
        Storage disk = smallDisk(options.directory());
        rig = new LandingRig(disk, options, new DirectoryTarget(disk, root), CrashPoints.NONE);
    }

    @AfterEach
    void close() {
        rig.closeInOrder();
    }

    /** A disk on which landing files have {@link #roomFragments}; what was published takes no room. */
    private Storage smallDisk(Path landing) {
        DiskStorage disk = new DiskStorage();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("usableSpaceBytes")) {
                        return Math.max(0, (long) roomFragments * FRAGMENT_BYTES - partBytes(landing));
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static long partBytes(Path landing) throws IOException {
        try (Stream<Path> files = Files.list(landing.resolve("files"))) {
            return files.filter(file -> file.toString().endsWith(".part"))
                    .mapToLong(file -> file.toFile().length()) // 0 for one that is published just now
                    .sum();
        }
    }

    /** What a broker does for one transfer. */
    private final class Sender {
        final Manifest manifest;
        final byte[] content;
        final List<Refusal> refusals = new ArrayList<>();
        boolean done;
        int sentAgain;
        private final FragmentRanges acked = new FragmentRanges();

        Sender(int number, int fragments, boolean sizeKnown) {
            this(number, "file" + number, fragments, sizeKnown);
        }

        Sender(int number, String name, int fragments, boolean sizeKnown) {
            content = bytes(number, fragments * FRAGMENT_BYTES);
            manifest = file(number, name, sizeKnown ? content.length : UNKNOWN);
        }

        /** Announces it and sends up to {@code most} fragments that are not there. Returns whether nothing was refused. */
        boolean step(int most) {
            if (refused(LandingRig.get(rig.open(manifest)))) {
                return false;
            }
            StoredTransfer stored = ok(rig.lookup(manifest.key()));
            int fragments = content.length / FRAGMENT_BYTES;
            int sent = 0;
            for (int i = 0; i < fragments && sent < most; i++) {
                if (!stored.durable().contains(i)) {
                    if (refused(LandingRig.get(rig.offer(manifest.key(), content, i)))) {
                        return false;
                    }
                    sentAgain += acked.contains(i) ? 1 : 0;
                    acked.add(i);
                    sent++;
                }
            }
            return true;
        }

        private boolean refused(Outcome<?> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal != null) {
                assertThat(refusal.code().retriable()).as(refusal::toString).isTrue();
                refusals.add(refusal);
            }
            return refusal != null;
        }

        private boolean isWhole() {
            return ok(rig.lookup(manifest.key())).durable().containsAll(0, content.length / FRAGMENT_BYTES);
        }

        void stepAndCommit(int most) {
            if (!done && step(most) && isWhole()) {
                done = !refused(LandingRig.get(rig.commit(manifest.key(), content)));
            }
        }

        void wholeIfThereIsRoom() {
            done = done || !refused(LandingRig.get(rig.small(manifest, content)));
        }

        void isPublished() {
            Path there = root.resolve(manifest.name());
            await().until(() -> Files.exists(there));
            assertThat(there).hasBinaryContent(content);
        }
    }

    /** Until all are committed, each a few fragments at a time. */
    private static void sendAll(Sender... senders) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            for (Sender sender : senders) {
                sender.stepAndCommit(2);
            }
            return Stream.of(senders).allMatch(sender -> sender.done);
        });
    }

    @Test
    void twoOfUnknownSizeThatFillItTogetherFinishOneAfterTheOther() {
        Sender first = new Sender(1, 10, false);
        Sender second = new Sender(2, 10, false);

        sendAll(first, second);

        first.isPublished();
        second.isPublished();
        assertThat(first.sentAgain).as("the older one keeps its place").isZero();
        assertThat(second.refusals).extracting(Refusal::code).contains(ErrorCode.NO_SPACE);
        assertThat(second.refusals).extracting(Refusal::detail).anyMatch(words -> words.contains("file1"));
    }

    @Test
    void oneThatIsPublishedAfterAnotherDoesNotKeepTheRoomThatThisOneNeeds() {
        Sender earlier = new Sender(1, "one path", 10, false);
        Sender later = new Sender(2, "one path", 8, true);
        assertThat(later.step(8))
                .as("it is whole, and its COMMIT waits for the other's")
                .isTrue();

        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            later.step(2);
            earlier.stepAndCommit(2);
            return earlier.done;
        });
        sendAll(later);

        later.isPublished();
        assertThat(earlier.sentAgain).isZero();
        assertThat(later.refusals).extracting(Refusal::detail).anyMatch(words -> words.contains("came earlier"));
    }

    @Test
    void severalThatFillItTogetherAllFinish() {
        Sender[] senders = new Sender[4];
        for (int i = 0; i < senders.length; i++) {
            senders[i] = new Sender(i + 1, 6 + i, i == 2);
        }

        sendAll(senders);

        for (Sender sender : senders) {
            sender.isPublished();
        }
    }

    @Test
    void oneThatDoesNotFitHoldsBackNoneAndFinishesWhenThereIsRoom() {
        Sender tooLarge = new Sender(1, FRAGMENTS_OF_ROOM + 4, false);
        Sender known = new Sender(2, 8, true);
        Sender small = new Sender(3, 1, false);
        while (tooLarge.step(1)) {
            assertThat(tooLarge.done).isFalse();
        }
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            tooLarge.step(1);
            known.stepAndCommit(2);
            small.wholeIfThereIsRoom();
            return known.done && small.done;
        });
        known.isPublished();
        small.isPublished();
        assertThat(tooLarge.done).isFalse();

        roomFragments = 2 * FRAGMENTS_OF_ROOM;
        sendAll(tooLarge);

        tooLarge.isPublished();
    }

    @Test
    void anElderOneOfKnownSizeGetsTheRoomOfAYoungerOne() {
        Sender known = new Sender(1, 8, true);
        Sender unknown = new Sender(2, 10, false);
        assertThat(unknown.step(9)).isTrue();

        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            known.stepAndCommit(2);
            return known.done;
        });
        sendAll(unknown);

        known.isPublished();
        unknown.isPublished();
    }

    @Test
    void oneThatCouldNeverFitCostsNoneItsPlace() {
        Sender impossible = new Sender(1, 100, true);
        Sender unknown = new Sender(2, 10, false);
        assertThat(unknown.step(5)).isTrue();
        await().pollDelay(Duration.ofSeconds(2))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !impossible.step(1));

        sendAll(unknown);

        unknown.isPublished();
        assertThat(unknown.refusals).isEmpty();
    }

    @Test
    void theOrderIsTheSameAfterARestart() throws IOException {
        Sender first = new Sender(1, 10, false);
        Sender second = new Sender(2, 10, false);
        for (boolean room = true; room; ) {
            room = first.step(1);
            room |= second.step(1);
        }
        rig.close();
        open(options);

        sendAll(second, first);

        first.isPublished();
        second.isPublished();
    }

    @Test
    void whatWasRemovedSinceNothingWasHeardOfItBeginsAgain() {
        Sender sender = new Sender(1, 4, false);

        Refusal fragment = LandingRig.refused(rig.offer(LandingRig.key(9), sender.content, 0));
        Refusal commit = LandingRig.refused(rig.commit(LandingRig.key(9), sender.content));

        assertThat(fragment.code().retriable())
                .as("else its sender would give it up: " + fragment)
                .isTrue();
        assertThat(commit.code().retriable())
                .as("else its sender would give it up: " + commit)
                .isTrue();
    }

    @Test
    void oneThatLackedRoomForAFragmentIsNotOpenedAgainUntilThereIsSomeOrForTooLong() {
        SpaceBudget budget = new SpaceBudget(SpaceRole.END, Long.MAX_VALUE, 0);
        AtomicLong nowMillis = new AtomicLong();
        LandingSpace space = new LandingSpace(budget, Duration.ofSeconds(5), nowMillis::get);
        LandingTransfer landing = new LandingTransfer(file(1, "f", UNKNOWN), 0);
        assertThat(space.lackedRoomLately(landing)).isFalse();
        space.fragmentRefused(landing);
        assertThat(space.lackedRoomLately(landing)).isTrue();

        budget.measured(landing.manifest.fragmentSizeBytes() - 1);
        assertThat(space.stillNone(landing)).isNotNull();
        budget.measured(landing.manifest.fragmentSizeBytes());
        assertThat(space.stillNone(landing)).isNull();
        nowMillis.set(60_000);
        assertThat(space.lackedRoomLately(landing))
                .as("its commit needs no room")
                .isFalse();
    }

    /** A client that pauses keeps the room that is reserved for it; only a commit that may have to come later does not. */
    @Test
    void aSilentOneGivesWayToALaterOneOfItsPathOnly() {
        LandingSpace space = new LandingSpace(
                new SpaceBudget(SpaceRole.END, Long.MAX_VALUE, 0), Duration.ofSeconds(5), System::currentTimeMillis);
        Manifest first = file(5, "f", 100);

        assertThat(space.mayFollow(new SpacePolicy.Open(file(7, "g", 100), 0, 60_000), first))
                .isFalse();
        assertThat(space.mayFollow(new SpacePolicy.Open(file(1, "f", 100), 0, 59_999), first))
                .isFalse();
        assertThat(space.mayFollow(new SpacePolicy.Open(file(1, "f", 100), 0, 60_000), first))
                .isTrue();
    }
}
