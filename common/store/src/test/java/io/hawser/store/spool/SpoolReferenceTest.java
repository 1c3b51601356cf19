package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.TOPIC;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DiskStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read in place. */
class SpoolReferenceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path root;

    @SuppressWarnings("NullAway.Init")
    private SpoolFixture it;

    @BeforeEach
    void open() throws Exception {
        it = new SpoolFixture(root.resolve("spool"), SpoolFixture.config()).started();
    }

    @AfterEach
    void close() {
        it.close();
    }

    private void reopen() throws Exception {
        it.close();
        it = new SpoolFixture(root.resolve("spool"), SpoolFixture.config()).started();
    }

    private Path file(String name, byte[] bytes) throws Exception {
        return Files.write(root.resolve(name), bytes);
    }

    private record Sent(TransferKey key, Answer<Commit> commit) {}

    private Sent send(String name, Path source) {
        Answer<Commit> answer = new Answer<>();
        Outcome<TransferKey> key = it.onLoop(() -> it.spool.reference(request(name), source, answer));
        return new Sent(key.get(), answer);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 512, 64 << 10, (64 << 10) + 1, FRAGMENT, FRAGMENT + 1, 2 * FRAGMENT + 1024, 9 * FRAGMENT + 9})
    void aFileIsSentAsItIsWithItsTime(int size) throws Exception {
        byte[] bytes = bytes(size, size);
        Path source = file("source", bytes);
        Files.setLastModifiedTime(source, FileTime.fromMillis(1_234_567_890_123L));

        Sent sent = send("f", source);

        assertThat(sent.commit.value().digest()).isEqualTo(DiskSpoolTest.digest(bytes));
        assertThat(it.content(sent.key)).isEqualTo(bytes);
        assertThat(it.state(sent.key).manifest().sizeBytes()).isEqualTo(size);
        assertThat(it.state(sent.key).manifest().attributes())
                .containsEntry(Attributes.MODIFIED_MILLIS, "1234567890123");
        reopen();
        assertThat(it.content(sent.key)).isEqualTo(bytes);
    }

    @Test
    void onceTheNextHopHasItTheFileIsNotNeededAfterARestartEither() throws Exception {
        Sent sent = send("f", file("source", bytes(3 * FRAGMENT, 1)));
        sent.commit.value();
        it.run(() -> it.spool.committed(sent.key, List.of("one")));
        it.awaitPhase(sent.key, SpoolPhase.BROKERED);

        reopen();

        assertThat(it.state(sent.key).phase()).isEqualTo(SpoolPhase.BROKERED);
        assertThat(it.load(sent.key, 0).isRefused()).isTrue();
        try (var files = Files.list(root.resolve("spool/data"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void itsBytesAreNotCopied() throws Exception {
        Sent sent = send("f", file("source", bytes(9 * FRAGMENT, 1)));
        sent.commit.value();

        assertThat(it.onLoop(() -> it.spool.usage().contentBytes())).isZero();
        try (var files = Files.list(root.resolve("spool/data"))) {
            assertThat(files.mapToLong(path -> path.toFile().length()).sum()).isLessThan(FRAGMENT);
        }
    }

    @Test
    void manySmallFilesKeepTheirOrder() throws Exception {
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(send("d/" + i, file("s" + i, bytes(i, i))));
        }

        sent.forEach(one -> one.commit.value());

        assertThat(it.listener.events)
                .hasSize(300)
                .startsWith("small d/0", "small d/1")
                .endsWith("small d/299");
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void aLaterTransferOfThePathIsAnnouncedBehindTheFile() throws Exception {
        Path source = file("source", bytes(3 * FRAGMENT, 1));

        Sent first = send("f", source);
        it.sendSmall("f", bytes(10, 2)).value();

        first.commit.value();
        assertThat(it.listener.events.subList(0, 2)).containsExactly("pending f", "small f");
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileThatChangedIsRefusedWhenItIsLoaded() throws Exception {
        Path source = file("source", bytes(3 * FRAGMENT, 1));
        Sent sent = send("f", source);
        sent.commit.value();

        Files.write(source, bytes(3 * FRAGMENT, 2));

        assertThat(Answer.code(it.load(sent.key, 1))).isEqualTo(ErrorCode.SOURCE_CHANGED);
        it.awaitPhase(sent.key, SpoolPhase.CANCELLED);
        await().until(() -> it.listener.events.contains("cancelled f"));
        assertThat(it.state(sent.key).refusal()).isNotNull();
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileWithOtherBytesUnderTheOldTimeIsFoundByItsDigest() throws Exception {
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        Path source = file("source", bytes);
        FileTime time = Files.getLastModifiedTime(source);
        Sent sent = send("f", source);
        sent.commit.value();

        bytes[FRAGMENT + 5] ^= 1;
        Files.write(source, bytes);
        Files.setLastModifiedTime(source, time);

        assertThat(Answer.code(it.load(sent.key, 1))).isEqualTo(ErrorCode.SOURCE_CHANGED);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileThatChangedWhileTheNodeWasDownIsRefused() throws Exception {
        Path source = file("source", bytes(3 * FRAGMENT, 1));
        Sent sent = send("f", source);
        sent.commit.value();
        it.close();
        Files.write(source, bytes(2 * FRAGMENT, 1));
        it = new SpoolFixture(root.resolve("spool"), SpoolFixture.config()).started();

        assertThat(Answer.code(it.load(sent.key, 0))).isEqualTo(ErrorCode.SOURCE_CHANGED);
        it.awaitPhase(sent.key, SpoolPhase.CANCELLED);
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        Sent missing = send("f", root.resolve("missing"));
        Sent directory = send("f", root);

        assertThat(missing.commit.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(directory.commit.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(it.onLoop(() -> it.spool.usage().pending())).isZero();
        assertThat(it.sendSmall("g", bytes(1, 1)).outcome().isRefused()).isFalse();
    }

    @Test
    void aPendingFileIsFoundByItsPath() throws Exception {
        Path source = file("source", bytes(3 * FRAGMENT, 1));
        Path link = Files.createSymbolicLink(root.resolve("link"), source);
        Sent sent = send("f", link);
        sent.commit.value();

        assertThat(find("f", source)).contains(sent.key);
        assertThat(find("f", link)).contains(sent.key);
        assertThat(find("g", source)).isEmpty();

        Files.setLastModifiedTime(source, FileTime.fromMillis(1)); // another version, perhaps
        assertThat(find("f", source)).isEmpty();
    }

    /** An earlier version must not come after a later one. */
    @Test
    void aPendingFileIsNotFoundBehindANewerOneOfItsName() throws Exception {
        Path first = file("first", bytes(3 * FRAGMENT, 1));
        Path second = file("second", bytes(3 * FRAGMENT, 2));
        send("f", first).commit.value();
        Sent newer = send("f", second);
        newer.commit.value();

        assertThat(find("f", first)).isEmpty();
        assertThat(find("f", second)).contains(newer.key);
    }

    private Optional<TransferKey> find(String name, Path source) throws Exception {
        SourceFingerprint now = SourceFingerprint.of(new DiskStorage(), source);
        return it.onLoop(() -> it.spool.findReference(TOPIC, name, now)).map(TransferSnapshot::key);
    }

    @Test
    void aFirstPassGoesOnAfterARestart() throws Exception {
        byte[] bytes = bytes(64 * FRAGMENT + 5, 1);
        Sent sent = send("f", file("source", bytes));
        await().until(() -> it.listener.events.contains("pending f"));

        reopen();

        await().until(() -> it.onLoop(() -> it.listener.of(sent.key).commit != null));
        assertThat(it.content(sent.key)).isEqualTo(bytes);
    }
}
