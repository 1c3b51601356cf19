package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quotas, full disks, and disks that fail. */
@Invariant({InvariantName.ACCEPT_WHAT_CAN_FINISH, InvariantName.REFUSE_DONT_CORRUPT})
class SpoolSpaceTest {
    private static final Path DIRECTORY = Path.of("/spool");
    private static final SpoolConfig CONFIG = new SpoolConfig(
            new SpoolConfig.Space(10L * FRAGMENT, SpoolFixture.config().space().headRoomBytes(), Duration.ofSeconds(5)),
            SpoolFixture.config().bounds(),
            SpoolFixture.config().keeping(),
            SpoolFixture.config().journal());

    private final FaultyStorage storage = new FaultyStorage();

    @SuppressWarnings("NullAway.Init")
    private SpoolFixture it;

    @BeforeEach
    void open() throws Exception {
        it = new SpoolFixture(storage, DIRECTORY, CONFIG, 24).started();
    }

    @AfterEach
    void close() {
        it.close();
    }

    private boolean reserveAndWrite(Upload upload, byte[] bytes, int index) {
        boolean reserved = it.onLoop(upload::reserve);
        if (reserved) {
            it.writeOne(upload, bytes, index).value();
        }
        return reserved;
    }

    @Test
    void aKnownSizeIsReservedAsAWhole() {
        Upload first = it.begin(request("a").withSize(7L * FRAGMENT));

        assertThat(refusalOf(4)).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refusalOf(11)).isEqualTo(ErrorCode.TOO_LARGE);
        Upload second = it.begin(request("b").withSize(3L * FRAGMENT));
        assertThat(it.sendSmall("c", bytes(1, 1)).code()).isEqualTo(ErrorCode.NO_SPACE);

        it.run(() -> second.cancel("enough"));
        it.sendSmall("c", bytes(1, 1)).value();
        byte[] bytes = bytes(7 * FRAGMENT, 1);
        it.write(first, bytes, 0);
        assertThat(it.finish(first, bytes.length).isRefused()).isFalse();
    }

    @Test
    void anUploadThatIsOverIsPromisedNothingAndWaitsForNothing() {
        Upload other = it.begin(request("other").withSize(7L * FRAGMENT));
        Upload upload = it.begin(request("f"));
        reserveAndWrite(upload, bytes(FRAGMENT, 1), 0);
        it.run(() -> upload.cancel("enough"));
        await().until(() -> it.onLoop(() -> it.spool.usage().availableBytes()) == 3L * FRAGMENT);

        boolean reserved = it.onLoop(upload::reserve);
        assertThat(reserved).isFalse();
        Answer<Upload> space = new Answer<>();
        it.run(() -> upload.whenSpace(space));

        assertThat(space.code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(it.onLoop(() -> it.spool.usage().availableBytes())).isEqualTo(3L * FRAGMENT);
        it.run(() -> other.cancel("enough"));
    }

    private ErrorCode refusalOf(int fragments) {
        return Answer.code(it.onLoop(() -> it.spool.begin(request("x").withSize((long) fragments * FRAGMENT))));
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void contentThatTheNextHopHasMakesRoomAndOtherContentDoesNot() {
        it.upload("there", bytes(4 * FRAGMENT, 1));
        it.upload("here", bytes(4 * FRAGMENT, 2));
        TransferKey there = it.keyOf("there");
        it.run(() -> it.spool.committed(there, List.of("one")));
        it.awaitPhase(there, SpoolPhase.BROKERED);
        assertThat(it.state(there).contentKept()).isTrue();

        Upload upload = it.begin(request("new").withSize(6L * FRAGMENT));

        assertThat(it.state(there).contentKept()).isFalse();
        assertThat(it.state(there).phase()).isEqualTo(SpoolPhase.BROKERED);
        assertThat(it.content(it.keyOf("here"))).isEqualTo(bytes(4 * FRAGMENT, 2));
        assertThat(refusalOf(1)).isEqualTo(ErrorCode.NO_SPACE);
        byte[] bytes = bytes(6 * FRAGMENT, 3);
        it.write(upload, bytes, 0);
        assertThat(it.finish(upload, bytes.length).isRefused()).isFalse();
    }

    @Test
    void anUploadOfUnknownSizeStallsAndGoesOnByItself() {
        it.upload("full", bytes(8 * FRAGMENT, 1));
        TransferKey full = it.keyOf("full");
        byte[] bytes = bytes(4 * FRAGMENT, 2);
        Upload upload = it.begin(request("f"));
        assertThat(reserveAndWrite(upload, bytes, 0)).isTrue();
        assertThat(reserveAndWrite(upload, bytes, 1)).isTrue();
        assertThat(reserveAndWrite(upload, bytes, 2)).isFalse();
        Answer<Upload> space = new Answer<>();
        it.run(() -> upload.whenSpace(space));
        assertThat(it.onLoop(() -> it.spool.usage().stalledUploads())).isEqualTo(1);
        assertThat(it.state(upload.key()).waitsForSpace()).isTrue();

        it.onLoop(() -> it.spool.cancel(full, "makes room")).get();

        assertThat(space.value()).isSameAs(upload);
        assertThat(it.state(upload.key()).waitsForSpace()).isFalse();
        assertThat(reserveAndWrite(upload, bytes, 2)).isTrue();
        assertThat(reserveAndWrite(upload, bytes, 3)).isTrue();
        assertThat(it.finish(upload, bytes.length).isRefused()).isFalse();
        assertThat(it.content(upload.key())).isEqualTo(bytes);
    }

    @Test
    void whenNothingMovesTheYoungestIsEndedAndTheOlderGoesOn() {
        byte[] bytes = bytes(6 * FRAGMENT, 2);
        Upload older = it.begin(request("older"));
        Upload younger = it.begin(request("younger"));
        fillTogether(older, younger, bytes);
        Answer<Upload> olderSpace = new Answer<>();
        Answer<Upload> youngerSpace = new Answer<>();
        it.run(() -> younger.whenSpace(youngerSpace));
        it.run(() -> older.whenSpace(olderSpace));

        tickAfter(4);
        assertThat(youngerSpace.isThere()).isFalse();
        tickAfter(2);

        assertThat(youngerSpace.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(olderSpace.value()).isSameAs(older);
        assertThat(reserveAndWrite(older, bytes, 5)).isTrue();
        assertThat(it.finish(older, bytes.length).isRefused()).isFalse();
        it.awaitPhase(younger.key(), SpoolPhase.CANCELLED);
    }

    private void fillTogether(Upload older, Upload younger, byte[] bytes) {
        for (int index = 0; index < 5; index++) {
            assertThat(reserveAndWrite(older, bytes, index)).isTrue();
            assertThat(reserveAndWrite(younger, bytes, index)).isTrue();
        }
    }

    @Test
    void aWallClockThatIsSetEndsNoUploadEarlyAndNoneLate() {
        Upload older = it.begin(request("older"));
        Upload younger = it.begin(request("younger"));
        fillTogether(older, younger, bytes(5 * FRAGMENT, 2));
        Answer<Upload> youngerSpace = new Answer<>();
        it.run(() -> younger.whenSpace(youngerSpace));
        it.run(() -> older.whenSpace(new Answer<>()));

        it.now.addAndGet(Duration.ofDays(1).toMillis());
        tickAfter(1);
        assertThat(youngerSpace.isThere()).isFalse();
        it.now.addAndGet(-Duration.ofDays(3).toMillis());
        tickAfter(5);
        assertThat(youngerSpace.code()).isEqualTo(ErrorCode.NO_SPACE);
    }

    private void tickAfter(int seconds) {
        it.steady.addAndGet(seconds * 1000L);
        it.run(() -> it.spool.tick(1L << 40));
    }

    @Test
    void spaceThatOthersTookIsSeen() {
        long used = Long.MAX_VALUE - storage.usableSpaceBytes(DIRECTORY);
        storage.capacityBytes(used + CONFIG.space().headRoomBytes() + 3L * FRAGMENT);
        it.run(() -> it.spool.tick(storage.usableSpaceBytes(DIRECTORY)));

        assertThat(refusalOf(4)).isEqualTo(ErrorCode.NO_SPACE);
        it.begin(request("fits").withSize(3L * FRAGMENT));
    }

    @Test
    void everythingIsGivenBackInTheEnd() {
        it.upload("large", bytes(2 * FRAGMENT + 3, 1));
        it.sendSmall("small", bytes(100, 1)).value();
        Upload cancelled = it.begin(request("cancelled").withSize(FRAGMENT * 2L));
        it.writeOne(cancelled, bytes(2 * FRAGMENT, 1), 0).value();
        assertThat(it.onLoop(() -> it.spool.usage().contentBytes())).isEqualTo(2 * FRAGMENT + 3 + 100 + FRAGMENT);

        List.of("large", "small", "cancelled").forEach(name -> {
            TransferKey key = it.keyOf(name);
            it.run(() -> it.spool.cancel(key, "no"));
            it.awaitPhase(key, SpoolPhase.CANCELLED);
        });

        await().until(() -> it.onLoop(() -> it.spool.usage().contentBytes()) == 0);
        assertThat(it.onLoop(() -> it.spool.usage().availableBytes()))
                .isEqualTo(CONFIG.space().quotaBytes());
        await().until(() -> it.pool.available() == it.pool.capacity());
    }

    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void aDiskThatIsFullEndsTheUploadWithAClearRefusal() {
        Upload upload = it.begin(request("f"));
        byte[] bytes = bytes(4 * FRAGMENT, 1);
        it.writeOne(upload, bytes, 0).value();
        await().until(() -> it.listener.events.contains("pending f")); // the journal is at rest from here
        storage.failCall(1, Fault.ENOSPC, false);

        assertThat(it.writeOne(upload, bytes, 1).code()).isEqualTo(ErrorCode.NO_SPACE);

        assertThat(Answer.code(it.finish(upload, bytes.length))).isEqualTo(ErrorCode.NO_SPACE);
        it.awaitPhase(upload.key(), SpoolPhase.CANCELLED);
        it.sendSmall("next", bytes(10, 1)).value();
    }

    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void aForceThatFailedIsNeverRepeated() {
        Upload upload = it.begin(request("f"));
        byte[] bytes = bytes(4 * FRAGMENT, 1);
        it.writeOne(upload, bytes, 0).value();
        await().until(() -> it.listener.events.contains("pending f")); // the journal is at rest from here
        storage.failCall(2, Fault.EIO, false); // the write succeeds, its force does not

        assertThat(it.writeOne(upload, bytes, 1).code()).isEqualTo(ErrorCode.STORAGE_FAILED);

        assertThat(it.writeOne(upload, bytes, 2).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(it.onLoop(() -> it.listener.of(upload.key()).available.contains(1)))
                .isFalse();
        await().until(() -> it.onLoop(() -> it.listener.failure != null)); // so that the node ends
    }

    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void aJournalThatFailedEndsTheSpool() {
        Upload upload = it.begin(request("f"));
        it.writeOne(upload, bytes(FRAGMENT, 1), 0).value();
        await().until(() -> it.listener.events.contains("pending f"));
        storage.failCall(1, Fault.EIO, true);

        assertThat(it.sendSmall("x", bytes(10, 1)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);

        await().until(() -> it.onLoop(() -> it.listener.failure != null));
        storage.heal();
        assertThat(it.sendSmall("y", bytes(10, 1)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        for (int i = 0; i < 20; i++) { // also once the records that it still wanted have failed
            assertThat(it.writeOne(upload, bytes(2 * FRAGMENT, 1), 1).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        }
        Outcome<Upload> begun = it.onLoop(() -> it.spool.begin(request("z")));
        assertThat(Answer.code(begun)).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    private void flipBit(Path path, long position) throws Exception {
        try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, position);
            one.put(0, (byte) (one.get(0) ^ 1));
            file.write(one.flip(), position);
        }
    }

    @Test
    void aFlippedBitInTheContentIsNeverGivenOut() throws Exception {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        flipBit(DIRECTORY.resolve("data").resolve(key.id() + ".data"), FRAGMENT + 77);

        assertThat(it.load(key, 0).isRefused()).isFalse();
        assertThat(Answer.code(it.load(key, 1))).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    void aFlippedBitInTheDigestsIsNeverTakenForOne() throws Exception {
        it.upload("f", bytes(2 * FRAGMENT, 1));
        TransferKey key = it.keyOf("f");
        flipBit(DIRECTORY.resolve("data").resolve(key.id() + ".leaves"), 30);

        assertThat(Answer.code(it.load(key, 0))).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(it.load(key, 1).isRefused()).isFalse();
    }
}
