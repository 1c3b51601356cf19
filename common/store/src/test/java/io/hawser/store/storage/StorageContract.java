package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every storage does, on a disk or not. */
abstract class StorageContract {
    private static final int BLOCK_BYTES = 4096;

    /** The storage in question; the same one within a test. */
    abstract Storage storage();

    /** A directory that is there. */
    abstract Path root();

    @BeforeEach
    void makeRoot() throws StorageException {
        storage().createDirectories(root());
    }

    private Path path(String name) {
        return root().resolve(name);
    }

    private StorageFile create(String name) throws StorageException {
        return storage().open(path(name), OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String contentOf(String name) throws StorageException {
        return new String(storage().readAll(path(name)), StandardCharsets.UTF_8);
    }

    @Test
    void bytesAreReadWhereTheyWereWritten() throws Exception {
        try (StorageFile file = create("f")) {
            file.write(text("world"), 6);
            file.write(text("hello "), 0);
            file.force(true);
            ByteBuffer middle = ByteBuffer.allocate(4);

            assertThat(file.read(middle, 4)).isEqualTo(4);
            assertThat(new String(middle.array(), StandardCharsets.UTF_8)).isEqualTo("o wo");
            assertThat(file.sizeBytes()).isEqualTo(11);
        }
        assertThat(contentOf("f")).isEqualTo("hello world");
    }

    @Test
    void aReadEndsWhereTheFileEnds() throws Exception {
        try (StorageFile file = create("f")) {
            file.write(text("abc"), 0);

            assertThat(file.read(ByteBuffer.allocate(10), 1)).isEqualTo(2);
            assertThat(file.read(ByteBuffer.allocate(10), 3)).isZero();
            assertThat(file.read(ByteBuffer.allocate(10), 99)).isZero();
        }
    }

    @Test
    void wholeBlocksGoDirectFromHeapAndFromAlignedMemory() throws Exception {
        byte[] pattern = new byte[200 * BLOCK_BYTES]; // more than one bounce buffer
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) ((i * 31) >> 3);
        }
        ByteBuffer aligned =
                ByteBuffer.allocateDirect(pattern.length + BLOCK_BYTES).alignedSlice(BLOCK_BYTES);
        aligned.put(0, pattern).limit(pattern.length);
        try (StorageFile file = storage().open(path("f"), OpenMode.CREATE_NEW, FileIoMode.DIRECT)) {
            file.write(ByteBuffer.wrap(pattern), 0);
            file.write(aligned, pattern.length);
            file.force(false);
            ByteBuffer back = ByteBuffer.allocate(3 * pattern.length);

            assertThat(file.read(back, 0)).isEqualTo(2 * pattern.length);
            byte[] first = new byte[pattern.length];
            byte[] second = new byte[pattern.length];
            back.flip().get(first).get(second);
            assertThat(first).isEqualTo(pattern);
            assertThat(second).isEqualTo(pattern);
        }
    }

    @Test
    void openSaysWhetherTheFileIsThere() throws Exception {
        create("f").close();

        assertThatThrownBy(() -> create("f")).isInstanceOf(PathExistsException.class);
        assertThatThrownBy(() -> storage().open(path("none"), OpenMode.READ, FileIoMode.PAGE_CACHE))
                .isInstanceOf(PathMissingException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> storage().open(path("none"), OpenMode.UPDATE, FileIoMode.DIRECT))
                .isInstanceOf(PathMissingException.class);
        storage().open(path("f"), OpenMode.CREATE, FileIoMode.PAGE_CACHE).close();
    }

    @Test
    void renameReplacesAndLinkDoesNot() throws Exception {
        storage().replaceAll(path("a"), "A".getBytes(StandardCharsets.UTF_8));
        storage().replaceAll(path("b"), "B".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> storage().link(path("a"), path("b"))).isInstanceOf(PathExistsException.class);
        assertThat(contentOf("b")).isEqualTo("B");
        storage().link(path("a"), path("c"));
        storage().rename(path("a"), path("b"));
        storage().forceDirectory(root());

        assertThat(contentOf("b")).isEqualTo("A");
        assertThat(contentOf("c")).isEqualTo("A");
        assertThat(storage().list(root())).containsExactly("b", "c");
        assertThatThrownBy(() -> storage().rename(path("a"), path("d"))).isInstanceOf(PathMissingException.class);
    }

    @Test
    void truncateCutsAndDeleteSaysWhetherThereWasOne() throws Exception {
        try (StorageFile file = create("f")) {
            file.write(text("hello"), 0);
            file.truncate(2);
            assertThat(file.sizeBytes()).isEqualTo(2);
        }
        assertThat(contentOf("f")).isEqualTo("he");
        assertThat(storage().delete(path("f"))).isTrue();
        assertThat(storage().delete(path("f"))).isFalse();
    }

    @Test
    void factsTellWhatStandsAtAPath() throws Exception {
        storage().createDirectories(path("d/e"));
        storage().replaceAll(path("d/f"), new byte[7]);
        storage().setModified(path("d/f"), 1_234_567_000L);

        FileFacts facts = Objects.requireNonNull(storage().facts(path("d/f")));
        FileFacts directory = Objects.requireNonNull(storage().facts(path("d/e")));

        assertThat(facts.isFile()).isTrue();
        assertThat(facts.sizeBytes()).isEqualTo(7);
        assertThat(facts.modifiedNanos()).isEqualTo(1_234_567_000L * 1_000_000);
        assertThat(directory.isDirectory()).isTrue();
        assertThat(storage().facts(path("none"))).isNull();
    }

    @Test
    void aHeldLockIsRefusedWithASentenceThatHelps() throws Exception {
        DirectoryLock lock = storage().lock(path("lock"));

        assertThatThrownBy(() -> storage().lock(path("lock")))
                .isInstanceOf(DirectoryInUseException.class)
                .hasMessageContaining(root().toString())
                .hasMessageContaining("Stop that process");
        lock.close();
        storage().lock(path("lock")).close();
    }

    @Test
    void severalRenamesAreAsSingleOnesAlsoWhereADirectoryIsMadeAgainBetweenThem() throws Exception {
        for (String name : new String[] {"1", "2", "3", "4"}) {
            create(name).close();
        }
        storage().createDirectories(path("d"));
        storage().createDirectories(path("e"));

        try (Storage.Renames renames = storage().below(root()).severalRenames()) {
            renames.rename(path("1"), path("d/1"));
            renames.rename(path("2"), path("e/2"));
            renames.rename(path("3"), path("d/3"));
            storage().delete(path("d/1"));
            storage().delete(path("d/3"));
            storage().delete(path("d"));
            storage().createDirectories(path("d"));
            renames.rename(path("4"), path("d/4"));
            assertThatThrownBy(() -> renames.rename(path("1"), path("d/5"))).isInstanceOf(PathMissingException.class);
            renames.rename(path("d/4"), path("4"));
        }

        assertThat(storage().list(path("d"))).isEmpty();
        assertThat(storage().list(path("e"))).containsExactly("2");
        assertThat(storage().facts(path("4"))).isNotNull();
    }
}
