package io.hawser.common.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.testkit.CrashStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpareFilesTest {
    @TempDir
    Path temp;

    private Path directory;
    private CrashStorage storage;
    private SpareFiles spares;

    @BeforeEach
    void open() throws IOException {
        directory = Files.createDirectory(temp.resolve("files"));
        storage = new CrashStorage(new DiskStorage(), Files.createDirectory(temp.resolve("graveyard")));
        spares = new SpareFiles(storage, directory, 2);
    }

    @Test
    void whatIsRetiredIsTheNextFileBehindAForceOfTheDirectoryAndEmpty() throws IOException {
        Path old = file("old");
        Object inode = Files.getAttribute(old, "unix:ino");

        spares.retire(old);

        assertThat(old).doesNotExist();
        assertThat(spares.give(directory.resolve("early"))).isFalse();
        spares.forceDirectory();
        assertThat(spares.give(directory.resolve("new"))).isTrue();
        assertThat(directory.resolve("new")).isEmptyFile();
        assertThat(Files.getAttribute(directory.resolve("new"), "unix:ino")).isEqualTo(inode);
        assertThat(spares.give(directory.resolve("next"))).isFalse();
    }

    @Test
    void moreThanTheMostAreDeleted() throws IOException {
        for (int i = 0; i < 3; i++) {
            spares.retire(file("old-" + i));
        }

        assertThat(names()).hasSize(2).allMatch(SpareFiles::isSpare);
    }

    @Test
    void whatIsNotThereIsNoFailure() throws IOException {
        spares.retire(directory.resolve("never"));

        assertThat(names()).isEmpty();
    }

    @Test
    void aPowerCutNeverShowsTheBytesOfTheNewFileUnderTheOldName() throws IOException {
        Path old = file("old");
        storage.forceDirectory(directory);
        spares.retire(old);
        spares.forceDirectory();
        spares.give(directory.resolve("new"));
        try (StorageFile file = storage.open(directory.resolve("new"), OpenMode.UPDATE, Caching.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(new byte[] {7}), 0);
            file.force(true);
        }

        storage.kill();
        storage.losePower();

        assertThat(old).doesNotExist();
        assertThat(names()).hasSize(1).allMatch(SpareFiles::isSpare);
    }

    @Test
    void aPowerCutBeforeTheForceBringsTheOldNameBackWithItsBytes() throws IOException {
        Path old = file("old");
        storage.forceDirectory(directory);
        spares.retire(old);

        storage.kill();
        storage.losePower();

        assertThat(old).hasBinaryContent(new byte[] {1, 2, 3});
    }

    private Path file(String name) throws IOException {
        Path path = directory.resolve(name);
        try (StorageFile file = storage.open(path, OpenMode.CREATE_NEW, Caching.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            file.force(true);
        }
        return path;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }
}
