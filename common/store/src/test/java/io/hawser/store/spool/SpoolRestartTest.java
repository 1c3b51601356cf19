package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.TOPIC;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads from byte 0 of a path of which an upload broke off. */
@Invariant({InvariantName.NO_CHIMERA, InvariantName.IMMUTABLE})
class SpoolRestartTest extends OnOneSpool {
    private final byte[] file = bytes(5 * FRAGMENT + 17, 1);
    private final Semaphore places = new Semaphore(2);

    private TransferKey brokenOff(int length) {
        Upload upload = it.begin(request("f", "ann"));
        it.write(upload, Arrays.copyOf(file, length), 0);
        it.run(() -> upload.abandon("the client went away"));
        it.awaitPhase(upload.key(), SpoolPhase.INCOMPLETE);
        return upload.key();
    }

    private Upload restart(UploadRequest request) {
        return it.onLoop(() -> it.spool.restart(request, places)).get();
    }

    private Upload restart() {
        return restart(request("f", "ann"));
    }

    private byte[] changedAt(int position) {
        byte[] other = file.clone();
        other[position] ^= 1;
        return other;
    }

    private void assertAccepted(Upload upload, byte[] content) {
        it.finish(upload, content.length).get();
        assertThat(it.content(upload.key())).isEqualTo(content);
        assertThat(places.availablePermits()).isEqualTo(2);
    }

    private FragmentRanges announced(TransferKey key) {
        return it.onLoop(() -> it.listener.of(key).available.copy());
    }

    @ParameterizedTest
    @ValueSource(ints = {FRAGMENT, FRAGMENT + 1, 3 * FRAGMENT, 4 * FRAGMENT + 70_000, 5 * FRAGMENT + 17})
    void sameFileContinuesTheTransferThatBrokeOff(int brokeAt) throws Exception {
        TransferKey key = brokenOff(brokeAt);
        reopen();
        FragmentRanges before = announced(key);

        Upload upload = restart();
        assertThat(upload.resumePositionBytes()).isZero();
        assertThat(upload.durableFragments().isEmpty()).isTrue();
        it.write(upload, file, 0);

        assertAccepted(upload, file);
        assertThat(upload.key()).isEqualTo(key);
        assertThat(before.count()).isEqualTo(brokeAt / FRAGMENT);
        assertThat(it.listener.events).containsExactly("pending again f", "suspended f", "resumed f", "committed f");
        assertThat(it.onLoop(() -> it.spool.usage().pending())).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, FRAGMENT + 3, 3 * FRAGMENT - 1, 3 * FRAGMENT + 499})
    void differenceStartsTransferThatReusesWhatIsEqual(int position) {
        TransferKey old = brokenOff(3 * FRAGMENT + 500);
        byte[] other = changedAt(position);

        Upload upload = restart();
        List<Answer<Long>> written = it.write(upload, other, 0);

        assertAccepted(upload, other);
        written.forEach(Answer::value);
        assertThat(upload.key()).isNotEqualTo(old);
        it.awaitPhase(old, SpoolPhase.CANCELLED);
        assertThat(it.state(upload.key()).manifest().number())
                .isGreaterThan(it.state(old).manifest().number());
        await().until(() -> it.onLoop(() -> it.spool.usage().contentBytes()) == other.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, FRAGMENT, 2 * FRAGMENT + 9, 3 * FRAGMENT, 3 * FRAGMENT + 499})
    void objectThatGotShorterIsNewTransfer(int length) {
        TransferKey old = brokenOff(3 * FRAGMENT + 500);
        byte[] shorter = Arrays.copyOf(file, length);

        Upload upload = restart();
        it.write(upload, shorter, 0);

        assertAccepted(upload, shorter);
        assertThat(upload.key()).isNotEqualTo(old);
        it.awaitPhase(old, SpoolPhase.CANCELLED);
    }

    /** Whether the client goes in the middle of a fragment or at the end of one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, FRAGMENT, 2 * FRAGMENT + 5})
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void clientThatGoesAwayWhileComparingLosesNothing(int length) {
        TransferKey key = brokenOff(3 * FRAGMENT + 500);

        Upload upload = restart();
        it.write(upload, Arrays.copyOf(file, length), 0);
        it.run(() -> upload.abandon("gone again"));

        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        await().until(() ->
                it.onLoop(() -> it.spool.resumePositionBytes(key)).equals(OptionalLong.of(3 * FRAGMENT + 500)));
        assertThat(it.onLoop(() -> it.spool.states())).hasSize(1);
        Upload again = restart();
        it.write(again, file, 0);
        assertAccepted(again, file);
        assertThat(again.key()).isEqualTo(key);
    }

    /** As in MODE E: what is new comes before what is to be compared. */
    @Test
    void nothingIsAddedBeforeAllIsCompared() {
        TransferKey key = brokenOff(2 * FRAGMENT);

        Upload upload = restart();
        Answer<Long> added = it.writeOne(upload, file, 3);
        it.writeOne(upload, file, 1).value();
        assertThat(added.isThere()).isFalse();
        assertThat(it.state(key).durableBytes()).isEqualTo(2 * FRAGMENT);
        it.run(() -> upload.abandon("gone"));
        assertThat(added.code()).isEqualTo(ErrorCode.CANCELLED);
        it.awaitPhase(key, SpoolPhase.INCOMPLETE);
        assertThat(announced(key)).isEqualTo(FragmentRanges.of(0, 2));

        Upload again = restart();
        for (int index : new int[] {3, 2, 1, 0, 4, 5}) {
            it.writeOne(again, file, index);
        }
        assertAccepted(again, file);
        assertThat(again.key()).isEqualTo(key);
    }

    @Test
    void newTransferTakesOverWhereTooManyWouldWait() {
        TransferKey key = brokenOff(2 * FRAGMENT);

        Upload upload = restart();
        for (int index : new int[] {5, 4, 0, 3, 2, 1}) {
            it.writeOne(upload, file, index);
        }

        assertAccepted(upload, file);
        assertThat(upload.key()).isNotEqualTo(key);
        it.awaitPhase(key, SpoolPhase.CANCELLED);
    }

    @Test
    void differenceAmongFragmentsInAnyOrderTakesOver() {
        brokenOff(4 * FRAGMENT);
        byte[] other = changedAt(FRAGMENT);

        Upload upload = restart();
        for (int index : new int[] {3, 4, 2, 0, 1, 5}) {
            it.writeOne(upload, other, index);
        }

        assertAccepted(upload, other);
    }

    @Test
    @Invariant(InvariantName.WHOLE_OR_NOTHING)
    void whatIsMissingStaysMissing() {
        TransferKey key = brokenOff(2 * FRAGMENT);

        Upload upload = restart();
        it.writeOne(upload, file, 0);
        it.writeOne(upload, file, 1);
        it.writeOne(upload, file, 5);

        assertThat(Answer.code(it.finish(upload, file.length))).isEqualTo(ErrorCode.MALFORMED);
        it.awaitPhase(key, SpoolPhase.CANCELLED);
    }

    /** What a slow client's bytes are, the comparison has yet to say. */
    @ParameterizedTest
    @ValueSource(ints = {0, FRAGMENT + 1})
    void spilledBytesDoNotOverwriteWhatIsHere(int difference) {
        brokenOff(3 * FRAGMENT);
        byte[] other = changedAt(difference);

        Upload left = restart();
        park(left, other, 0);
        it.run(() -> left.abandon("gone"));
        await().until(() ->
                it.onLoop(() -> it.spool.findIncomplete("ann", TOPIC, "f")).isPresent());
        Upload upload = restart();
        park(upload, file, 0);
        Answer<Long> written = new Answer<>();
        it.run(() -> upload.writeParked(0, FRAGMENT, written));
        assertThat(written.value()).isZero();
        park(upload, other, 1);
        it.run(() -> upload.writeParked(1, FRAGMENT, new Answer<>()));
        byte[] content = difference > FRAGMENT ? other : file;
        it.write(upload, content, 2 * FRAGMENT);

        assertAccepted(upload, content);
    }

    /** The end is known while the last bytes are read back. */
    @ParameterizedTest
    @ValueSource(ints = {9, FRAGMENT})
    void spilledTailThatIsShorterIsNewTransfer(int tail) {
        TransferKey old = brokenOff(3 * FRAGMENT);
        byte[] shorter = Arrays.copyOf(file, FRAGMENT + tail);

        Upload upload = restart();
        it.writeOne(upload, file, 0);
        park(upload, file, 1);
        Answer<Commit> done = new Answer<>();
        it.run(() -> {
            upload.writeParked(1, tail, new Answer<>());
            upload.finish(shorter.length, done);
        });

        assertThat(done.outcome().refusal()).isNull();
        assertThat(it.content(upload.key())).isEqualTo(shorter);
        it.awaitPhase(old, SpoolPhase.CANCELLED);
    }

    private void park(Upload upload, byte[] content, int index) {
        FragmentBuffer buffer = it.acquire();
        buffer.payload(0, FRAGMENT).put(content, index * FRAGMENT, FRAGMENT);
        Answer<Long> parked = new Answer<>();
        it.run(() -> upload.park(index, buffer, 0, FRAGMENT, parked));
        assertThat(parked.value()).isEqualTo(index);
        buffer.release();
    }

    static List<UploadRequest> otherRequests() {
        Map<String, String> ann = Map.of(Attributes.ACCOUNT, "ann");
        UploadRequest same = request("f", "ann");
        return List.of(
                request("f", "bob"),
                request("f"),
                same.withKeyed(key -> Map.of()),
                same.withSize(5L * FRAGMENT + 17),
                request(TransferKind.FILE, "f", 2 * FRAGMENT, ann),
                request(
                        TransferKind.FILE,
                        "f",
                        FRAGMENT,
                        Map.of(Attributes.ACCOUNT, "ann", Attributes.CONVERTED, Attributes.CONVERTED_TEXT)));
    }

    @ParameterizedTest
    @MethodSource("otherRequests")
    void requestForSomethingElseIsNewTransfer(UploadRequest request) {
        TransferKey old = brokenOff(3 * FRAGMENT);

        Upload upload = restart(request);

        assertThat(upload.key()).isNotEqualTo(old);
        it.write(upload, file, 0);
        assertAccepted(upload, file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f", "d/f"})
    void laterChangeOfThePathComesFirst(String name) {
        Upload first = it.begin(request(name, "ann"));
        it.write(first, Arrays.copyOf(file, 3 * FRAGMENT), 0);
        it.run(() -> first.abandon("gone"));
        it.awaitPhase(first.key(), SpoolPhase.INCOMPLETE);
        String touched = name.substring(0, 1);
        it.onLoop(() -> it.spool.sendSmall(SpoolFixture.delete(touched), ByteBuffer.allocate(0), new Answer<>()))
                .get();

        Upload upload = restart(request(name, "ann"));

        assertThat(upload.key()).isNotEqualTo(first.key());
        it.awaitPhase(first.key(), SpoolPhase.CANCELLED);
    }

    /** The order of two clients at once is that in which they began, whatever the first turns out to send. */
    @ParameterizedTest
    @ValueSource(ints = {-1, FRAGMENT})
    void uploadThatBeginsMeanwhileComesLater(int difference) {
        brokenOff(3 * FRAGMENT);
        byte[] content = difference < 0 ? file : changedAt(difference);

        Upload one = restart();
        Upload two = restart();
        it.write(two, bytes(FRAGMENT, 9), 0);
        it.write(one, content, 0);

        assertAccepted(one, content);
        assertAccepted(two, bytes(FRAGMENT, 9));
        assertThat(two.manifest().number()).isGreaterThan(one.manifest().number());
    }

    @Test
    void damagedContentIsNotReused() throws Exception {
        TransferKey old = brokenOff(3 * FRAGMENT);
        reopen(); // else a write that is under way may replace what is damaged
        Damage.flip(directory.resolve("data").resolve(old.id() + ".data"), 7);
        byte[] other = changedAt(2 * FRAGMENT);

        Upload upload = restart();
        it.write(upload, other, 0);
        assertThat(Answer.code(it.finish(upload, other.length))).isEqualTo(ErrorCode.STORAGE_FAILED);

        Upload again = restart();
        it.write(again, other, 0);
        assertAccepted(again, other);
    }

    /** A comparison needs no space; the new transfer waits for it. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void spaceIsAskedForWhatIsNewOnly() throws Exception {
        it.close();
        SpoolConfig config = new SpoolConfig(
                new SpoolConfig.Space(7L * FRAGMENT, config().space().headRoomBytes(), Duration.ofSeconds(5)),
                config().bounds(),
                config().keeping(),
                config().journal());
        it = new SpoolFixture(directory, config).started();
        TransferKey old = brokenOff(3 * FRAGMENT);
        Upload other = it.begin(request("other").withSize(4L * FRAGMENT));

        Upload upload = restart();
        assertThat(it.onLoop(() -> upload.reserve(3))).isTrue();
        it.writeOne(upload, file, 0).value();
        assertThat(it.onLoop(() -> upload.reserve(2))).isTrue();
        assertThat(it.onLoop(() -> upload.reserve(3))).isFalse();
        Answer<Upload> space = new Answer<>();
        it.run(() -> upload.whenSpace(space));
        it.writeOne(upload, changedAt(FRAGMENT), 1);
        it.awaitPhase(old, SpoolPhase.CANCELLED);

        it.run(() -> other.cancel("makes room"));
        assertThat(space.value()).isSameAs(upload);
        it.write(upload, Arrays.copyOf(file, 3 * FRAGMENT), 2 * FRAGMENT);
        assertAccepted(upload, Arrays.copyOf(changedAt(FRAGMENT), 3 * FRAGMENT));
    }

    private static SpoolConfig config() {
        return SpoolFixture.config();
    }

    @Test
    void cancelWhileComparingLeavesNothing() {
        TransferKey key = brokenOff(3 * FRAGMENT);
        Upload upload = restart();
        it.writeOne(upload, file, 0).value();
        assertThat(it.onLoop(() -> it.spool.states())).hasSize(1);

        it.onLoop(() -> it.spool.cancel(key, "by the operator")).get();

        assertThat(it.writeOne(upload, file, 1).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(Answer.code(it.finish(upload, file.length))).isEqualTo(ErrorCode.CANCELLED);
        await().until(() -> it.onLoop(() -> it.spool.usage().contentBytes()) == 0);
    }

    /** Clients of several versions come and go, with fragments in about their order; the last one's version is what is accepted. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void anyStoryEndsWithTheVersionThatWasSentLast(int seed) throws Exception {
        Random random = new Random(seed);
        int size = UploadRequest.MIN_FRAGMENT_SIZE_BYTES;
        byte[] content = bytes(20 * size + random.nextInt(size), seed);
        for (int client = 0; client < 6; client++) {
            if (random.nextInt(3) == 0) {
                content = Arrays.copyOf(content, content.length - random.nextInt(2 * size));
                content[random.nextInt(content.length)] ^= 1;
            }
            Upload upload = restart(SpoolFixture.tiny("f"));
            int count = (content.length + size - 1) / size;
            int cut = client == 5 ? count : random.nextInt(count + 1);
            List<Integer> order = IntStream.range(0, cut).boxed().collect(Collectors.toList());
            for (int i = 0; i + 4 < cut && random.nextBoolean(); i += 4) {
                Collections.shuffle(order.subList(i, i + 4), random);
            }
            List<Answer<Long>> written = new ArrayList<>();
            for (int index : order) {
                written.add(it.writeOne(upload, content, index));
            }
            if (client == 5) {
                assertAccepted(upload, content);
                written.forEach(Answer::value);
            } else {
                it.run(() -> upload.abandon("gone"));
                written.forEach(Answer::outcome);
                await().until(() -> it.state(upload.key()).phase() != SpoolPhase.RECEIVING);
                if (random.nextInt(3) == 0) {
                    reopen();
                }
            }
        }
        assertThat(it.onLoop(() -> it.spool.usage().incomplete())).isZero();
    }

    /** The node dies at each other call that changes the disk. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 2 * FRAGMENT})
    @Invariant({InvariantName.NO_FORGET, InvariantName.VERIFIED_THIS_RUN})
    void deathOfTheNodeLosesNoVersion(int difference) throws Exception {
        byte[] content = difference < 0 ? file : changedAt(difference);
        Path spool = Path.of("/spool");
        boolean struck = true;
        int call = 1;
        for (; struck; call += 2) {
            FaultyStorage disk = new FaultyStorage();
            it.close();
            it = new SpoolFixture(disk, spool, config(), 24).started();
            brokenOff(3 * FRAGMENT + 500);
            long calls = disk.calls();
            disk.failCall(call, FaultyStorage.Fault.EIO, true);
            Upload cut = restart();
            it.write(cut, content, 0);
            it.finish(cut, content.length);
            struck = disk.calls() >= calls + call;
            it.close();
            disk.heal();
            disk.powerCut(call);

            it = new SpoolFixture(disk, spool, config(), 24).started();
            Upload upload = restart();
            it.write(upload, content, 0);
            assertAccepted(upload, content);
        }
        assertThat(call).isGreaterThan(10);
    }
}
