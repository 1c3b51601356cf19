package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.TOPIC;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads that break off, and what becomes of them. */
class SpoolResumeTest extends OnOneSpool {
    private TransferKey abandoned(String name, byte[] bytes) {
        Upload upload = it.begin(request(name, "ann"));
        it.write(upload, bytes, 0);
        it.run(() -> upload.abandon("the client went away"));
        it.awaitPhase(upload.key(), SpoolPhase.INCOMPLETE);
        return upload.key();
    }

    private Upload resume(TransferKey key) {
        return it.onLoop(() -> it.spool.resume(key)).get();
    }

    /** What a front end does: the partial fragment first, then the rest. */
    private void continueWith(Upload upload, byte[] bytes) {
        int from = (int) upload.resumePositionBytes();
        int index = from / FRAGMENT;
        FragmentBuffer buffer = it.acquire();
        Answer<Integer> loaded = new Answer<>();
        it.run(() -> upload.loadPartial(buffer, loaded));
        assertThat(loaded.value()).isEqualTo(from % FRAGMENT);
        int length = Math.min(FRAGMENT, bytes.length - index * FRAGMENT);
        int had = loaded.value();
        buffer.payload(had, length - had).put(bytes, from, length - had);
        Answer<Long> written = new Answer<>();
        it.run(() -> {
            upload.write(index, buffer, length, written);
            buffer.release();
        });
        it.write(upload, bytes, (index + 1) * FRAGMENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, FRAGMENT - 1, FRAGMENT, FRAGMENT + 1, 3 * FRAGMENT + 70_000})
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void anUploadGoesOnWhereItBrokeOff(int brokeAt) throws Exception {
        byte[] bytes = bytes(4 * FRAGMENT + 17, brokeAt);
        TransferKey key = abandoned("f", Arrays.copyOf(bytes, brokeAt));

        reopen();
        TransferSnapshot found =
                it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f")).orElseThrow();
        assertThat(found.key()).isEqualTo(key);
        Upload upload = resume(key);
        assertThat(upload.resumePositionBytes()).isEqualTo(brokeAt);
        continueWith(upload, bytes);

        assertThat(it.finish(upload, bytes.length).get().digest()).isEqualTo(DiskSpoolTest.digest(bytes));
        assertThat(it.content(key)).isEqualTo(bytes);
        assertThat(it.listener.events).containsExactly("pending again f", "suspended f", "resumed f", "committed f");
    }

    @Test
    void uploadThatBrokeOffDoesNotCountAsBelowItsDirectory() throws Exception {
        byte[] bytes = bytes(2 * FRAGMENT, 1);
        TransferKey key = abandoned("d/f", Arrays.copyOf(bytes, FRAGMENT));
        assertThat(it.onLoop(() -> it.spool.isTouchedBelow(TOPIC, "d"))).isFalse();
        assertThat(it.onLoop(() -> it.spool.isTouchedBelow(TOPIC, ""))).isFalse();

        Upload upload = resume(key);
        continueWith(upload, bytes);
        it.finish(upload, bytes.length).get();

        assertThat(it.onLoop(() -> it.spool.isTouchedBelow(TOPIC, "d"))).isTrue();
        assertThat(it.onLoop(() -> it.spool.isTouchedBelow(TOPIC, ""))).isTrue();
        assertThat(it.onLoop(() -> it.spool.isTouchedBelow(TOPIC, "d/f"))).isFalse();
    }

    /** Two clients at one name: the older breaks off before or after the later one is complete, and would be applied last. */
    @ParameterizedTest
    @ValueSource(strings = {"before", "after", "while the node is down"})
    @Invariant(InvariantName.ORDER_BY_PATH)
    void anUploadDoesNotContinueBehindALaterCompleteOneOfItsPath(String broken) throws Exception {
        byte[] bytes = bytes(2 * FRAGMENT + 17, 1);
        Upload older = it.begin(request("d/f", "ann"));
        it.write(older, Arrays.copyOf(bytes, FRAGMENT), 0).forEach(Answer::value);
        Upload later = it.begin(request("d/f", "bob"));
        it.write(later, bytes, 0);
        if (broken.equals("before")) {
            it.run(() -> older.abandon("the client went away"));
        }
        it.finish(later, bytes.length).get();
        if (broken.equals("after")) {
            it.run(() -> older.abandon("the client went away"));
        } else if (!broken.equals("before")) {
            reopen();
        }

        await().until(() -> it.listener.events.contains("cancelled d/f"));
        assertThat(it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "d/f")))
                .isEmpty();
        assertThat(it.onLoop(() -> it.spool.resume(older.key())).isRefused()).isTrue();
    }

    /** What is complete meanwhile would not wait for it otherwise. */
    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void anUploadHoldsBackLaterOnesFromTheMomentItResumes() {
        TransferKey key = abandoned("f", bytes(FRAGMENT + 5, 1));

        it.run(() -> {
            assertThat(it.spool.resume(key).isRefused()).isFalse();
            assertThat(it.listener.events).last().isEqualTo("resumed f");
        });
    }

    private Path dataFile(TransferKey key) {
        return directory.resolve("data").resolve(key.id() + ".data");
    }

    private static void assertRefused(Outcome<?> outcome) {
        assertThat(outcome.refusal()).isNotNull();
        assertThat(outcome.refusal().code()).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    /** What an earlier run wrote is read back before the upload is accepted. */
    @Test
    @Invariant({InvariantName.VERIFIED_THIS_RUN, InvariantName.HONEST_ANSWERS})
    void whatTheDiskChangedWhileTheNodeWasDownIsNotAccepted() throws Exception {
        byte[] bytes = bytes(4 * FRAGMENT + 17, 3);
        TransferKey key = abandoned("f", Arrays.copyOf(bytes, 3 * FRAGMENT));
        it.close();
        Damage.flip(dataFile(key), FRAGMENT + 7);
        it = new SpoolFixture(directory, SpoolFixture.config()).started();

        Upload upload = resume(key);
        continueWith(upload, bytes);

        assertRefused(it.finish(upload, bytes.length));
        assertThat(it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f"))).isEmpty();
    }

    @Test
    @Invariant(InvariantName.VERIFIED_THIS_RUN)
    void whatTheDiskCutOffIsToBeSentAgain() throws Exception {
        byte[] bytes = bytes(4 * FRAGMENT + 17, 3);
        TransferKey key = abandoned("f", Arrays.copyOf(bytes, 3 * FRAGMENT));
        it.close();
        try (FileChannel file = FileChannel.open(dataFile(key), StandardOpenOption.WRITE)) {
            file.truncate(FRAGMENT);
        }
        it = new SpoolFixture(directory, SpoolFixture.config()).started();

        Upload upload = resume(key);
        assertThat(upload.resumePositionBytes()).isEqualTo(FRAGMENT);
        continueWith(upload, bytes);

        assertThat(it.finish(upload, bytes.length).get().digest()).isEqualTo(DiskSpoolTest.digest(bytes));
        assertThat(it.content(key)).isEqualTo(bytes);
    }

    /** The damage was found when the next hop was to have it, before the upload ended. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void uploadThatIsKnownToBeDamagedIsNotAccepted() throws Exception {
        byte[] bytes = bytes(2 * FRAGMENT + 17, 3);
        TransferKey key = abandoned("f", Arrays.copyOf(bytes, FRAGMENT));
        Upload upload = resume(key);
        continueWith(upload, bytes);
        Damage.flip(dataFile(key), 7);

        assertRefused(it.load(key, 0));

        assertRefused(it.finish(upload, bytes.length));
        assertThat(it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f"))).isEmpty();
    }

    @Test
    void aPartialFragmentIsNotAvailable() {
        TransferKey key = abandoned("f", bytes(2 * FRAGMENT + 500, 1));

        assertThat(it.onLoop(() -> it.listener.of(key).available.count())).isEqualTo(2);
        assertThat(Answer.code(it.load(key, 2))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(it.state(key).durableBytes()).isEqualTo(2 * FRAGMENT + 500);
    }

    @Test
    @Invariant({InvariantName.IMMUTABLE, InvariantName.NO_CHIMERA})
    void bytesThatComeAgainAreComparedAndADifferenceIsRefused() {
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        TransferKey key = abandoned("f", bytes);
        Upload upload = resume(key);
        byte[] other = bytes.clone();
        other[FRAGMENT + 3] ^= 1;

        assertThat(it.writeOne(upload, bytes, 0).value()).isEqualTo(0);
        assertThat(it.writeOne(upload, other, 1).code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);

        assertThat(Answer.code(it.finish(upload, bytes.length))).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        Upload same = resume(key);
        assertThat(it.finish(same, bytes.length).get().digest()).isEqualTo(DiskSpoolTest.digest(bytes));
        assertThat(it.content(key)).isEqualTo(bytes);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aDifferenceThatIsFoundAfterTheEndIsFoundInTime() {
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        TransferKey key = abandoned("f", bytes);
        Upload upload = resume(key);
        byte[] other = bytes(3 * FRAGMENT + 500, 1);
        other[FRAGMENT + 3] ^= 1;

        it.write(upload, other, FRAGMENT);

        assertThat(Answer.code(it.finish(upload, other.length))).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        assertThat(resume(key).resumePositionBytes()).isEqualTo(bytes.length);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void bytesOfAnotherVersionThatCameFirstAreDroppedWithTheRest() {
        byte[] bytes = bytes(2 * FRAGMENT, 1);
        TransferKey key = abandoned("f", bytes);
        Upload upload = resume(key);
        byte[] other = bytes(3 * FRAGMENT, 1);
        other[FRAGMENT + 3] ^= 1;

        assertThat(it.writeOne(upload, other, 2).value()).isEqualTo(2);
        assertThat(it.writeOne(upload, other, 1).code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        it.run(() -> upload.abandon("the client has gone"));

        it.awaitPhase(key, SpoolPhase.CANCELLED);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void whereADifferenceIsFoundByTheCallerNothingOfBothVersionsIsKept() {
        TransferKey key = abandoned("f", bytes(2 * FRAGMENT, 1));
        Upload same = resume(key);
        it.run(() -> same.abandonDifferent("they differ"));
        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        Upload upload = resume(key);
        assertThat(it.writeOne(upload, bytes(3 * FRAGMENT, 1), 2).value()).isEqualTo(2);

        it.run(() -> upload.abandonDifferent("they differ"));

        it.awaitPhase(key, SpoolPhase.CANCELLED);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void anObjectThatGotShorterIsAnotherVersion() {
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        TransferKey key = abandoned("f", bytes);

        assertThat(Answer.code(it.finish(resume(key), FRAGMENT))).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        Upload upload = resume(key);
        assertThat(it.writeOne(upload, bytes(FRAGMENT + 9, 1), 1).code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        assertThat(Answer.code(it.finish(upload, FRAGMENT + 9))).isEqualTo(ErrorCode.DIGEST_MISMATCH);

        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        assertThat(resume(key).resumePositionBytes()).isEqualTo(bytes.length);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aPartialFragmentGrowsOnlyFromTheSameBytes() {
        byte[] bytes = bytes(FRAGMENT + 1000, 1);
        TransferKey key = abandoned("f", bytes);
        byte[] other = bytes(2 * FRAGMENT, 1);
        other[FRAGMENT + 999] ^= 1;
        Upload upload = resume(key);

        assertThat(it.writeOne(upload, other, 1).code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
    }

    @Test
    void aNewUploadOfTheSamePathSupersedes() {
        TransferKey old = abandoned("f", bytes(2 * FRAGMENT, 1));

        it.upload("g", bytes(10, 1));
        assertThat(it.state(old).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
        it.begin(request("f", "ann"));

        it.awaitPhase(old, SpoolPhase.CANCELLED);
        await().until(() -> it.listener.events.contains("cancelled f"));
        assertThat(it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f"))).isEmpty();
    }

    @Test
    void anotherAccountNeitherSeesNorSupersedes() {
        TransferKey old = abandoned("f", bytes(2 * FRAGMENT, 1));

        assertThat(it.onLoop(() -> it.spool.findIncomplete("bob", TOPIC, "f"))).isEmpty();
        assertThat(it.onLoop(() -> it.spool.findIncomplete(null, TOPIC, "f"))).isEmpty();
        it.begin(request("f", "bob"));

        assertThat(it.state(old).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    @Test
    void anIncompleteUploadExpires() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withRetainIncomplete(Duration.ofHours(1))).started();
        TransferKey key = abandoned("f", bytes(2 * FRAGMENT, 1));

        pass(Duration.ofMinutes(59));
        tick();
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
        pass(Duration.ofMinutes(2));
        tick();

        it.awaitPhase(key, SpoolPhase.CANCELLED);
        assertThat(it.onLoop(() -> it.spool.resume(key)).isRefused()).isTrue();
    }

    @Test
    void anIncompleteUploadDoesNotExpireByAClockThatIsWrongForAMoment() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withRetainIncomplete(Duration.ofHours(1))).started();
        tick();
        TransferKey key = abandoned("f", bytes(2 * FRAGMENT, 1));

        it.now.addAndGet(Duration.ofDays(300).toMillis());
        tick();
        pass(Duration.ofSeconds(10));
        tick();
        it.now.addAndGet(-Duration.ofDays(300).toMillis());
        tick();

        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    private void pass(Duration time) {
        it.now.addAndGet(time.toMillis());
        it.steady.addAndGet(time.toMillis());
    }

    private void tick() {
        for (int i = 0; i < 10; i++) {
            it.run(() -> it.spool.tick(1L << 40));
        }
    }

    @Test
    void anUploadOfWhichNothingCameLeavesNothing() throws Exception {
        Upload upload = it.begin(request("f", "ann"));
        it.run(() -> upload.abandon("gone"));

        assertThat(it.listener.events).isEmpty();
        assertThat(it.onLoop(() -> it.spool.usage().pending())).isZero();
        reopen();
        assertThat(it.listener.events).isEmpty();
    }

    @Test
    void anUploadThatACrashCutIsIncompleteAndHoldsBackNoOther() throws Exception {
        Upload upload = it.begin(request("f", "ann"));
        byte[] bytes = bytes(2 * FRAGMENT, 1);
        it.write(upload, bytes, 0).forEach(Answer::value);

        reopen();

        assertThat(it.listener.events).containsExactly("pending again f", "suspended f");
        Optional<TransferSnapshot> found = it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f"));
        assertThat(found).isPresent();
        assertThat(resume(found.orElseThrow().key()).resumePositionBytes()).isEqualTo(bytes.length);
        assertThat(it.onLoop(() -> it.spool.resume(upload.key())).isRefused()).isTrue();
    }

    /** As in a program: of a stream that broke off nobody has the rest. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whereNothingIsContinuedTheNextStartCancelsIt() throws Exception {
        FaultyStorage disk = new FaultyStorage();
        Path spool = Path.of("/spool");
        SpoolConfig config = SpoolFixture.config().withRetainIncomplete(Duration.ZERO);
        TransferKey killed;
        TransferKey accepted;
        try (SpoolFixture first = new SpoolFixture(disk, spool, config, 24).started()) {
            first.upload("accepted", bytes(FRAGMENT, 2));
            accepted = first.keyOf("accepted");
            Upload upload = first.begin(request("f"));
            first.write(upload, bytes(2 * FRAGMENT, 1), 0).forEach(Answer::value);
            killed = upload.key();
            disk.kill();
        }

        for (int run = 0; run < 2; run++) { // the second finds it in the journal
            try (SpoolFixture next = new SpoolFixture(disk, spool, config, 24).started()) {
                assertThat(next.state(killed).phase()).isEqualTo(SpoolPhase.CANCELLED);
                assertThat(next.state(accepted).phase()).isEqualTo(SpoolPhase.SPOOLED);
                assertThat(next.listener.events)
                        .containsExactly("pending again accepted", "pending again f", "cancelled f");
                assertThat(next.onLoop(() -> next.spool.usage().contentBytes())).isEqualTo(FRAGMENT);
            }
        }
        try (SpoolFixture last = new SpoolFixture(disk, spool, config, 24).started()) {
            last.run(() -> last.spool.cancelled(killed));
            await().until(() -> last.onLoop(() -> last.spool.usage().pending()) == 1);
        }
        try (SpoolFixture last = new SpoolFixture(disk, spool, config, 24).started()) {
            assertThat(last.listener.events).containsExactly("pending again accepted");
        }
    }

    @Test
    void itIsCancelledByName() {
        TransferKey key = abandoned("f", bytes(2 * FRAGMENT, 1));

        it.onLoop(() -> it.spool.cancel(key, "deleted by the client")).get();

        it.awaitPhase(key, SpoolPhase.CANCELLED);
        assertThat(it.onLoop(() -> it.spool.usage().incomplete())).isZero();
    }
}
