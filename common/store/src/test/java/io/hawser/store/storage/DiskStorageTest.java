package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStorageTest extends StorageContract {
    @TempDir
    Path directory;

    private final Storage storage = new DiskStorage();

    @Override
    Storage storage() {
        return storage;
    }

    @Override
    Path root() {
        return directory;
    }

    @Test
    void aFullDiskIsToldFromOtherFailuresAndTheFileIsDead() throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "needs /dev/full");
        try (StorageFile file = storage.open(full, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 0)).isInstanceOf(OutOfSpaceException.class);

            StorageException first = file.failure();
            assertThat(first).isInstanceOf(OutOfSpaceException.class);
            assertThatThrownBy(() -> file.force(true)).isSameAs(first);
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0)).isSameAs(first);
        }
    }

    @Test
    void forcesAreMeasured() throws Exception {
        AtomicLong nanos = new AtomicLong();
        DiskStorage measured = new DiskStorage(() -> nanos.getAndAdd(TimeUnit.SECONDS.toNanos(2)));
        try (StorageFile file = measured.open(directory.resolve("a"), OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            file.force(true);
        }
        measured.forceDirectory(directory);

        assertThat(measured.forces().files().sumSeconds()).isEqualTo(2);
        assertThat(measured.forces().directories().sumSeconds()).isEqualTo(2);
    }

    @Test
    void aSymbolicLinkIsNotFollowedByFacts() throws Exception {
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));

        FileFacts facts = Objects.requireNonNull(storage.facts(directory.resolve("link")));

        assertThat(facts.kind()).isEqualTo(FileFacts.Kind.SYMBOLIC_LINK);
    }

    @Test
    void usableSpaceAndBlockSizeAreKnown() throws Exception {
        assertThat(storage.usableSpaceBytes(directory)).isPositive();
        assertThat(storage.totalSpaceBytes(directory)).isGreaterThanOrEqualTo(storage.usableSpaceBytes(directory));
        assertThat(storage.blockSizeBytes(directory)).isPositive();
    }

    @Test
    void roomThatIsSetApartIsThereForItsDirectoryAlone() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));

        storage.setApart(own, () -> Long.MAX_VALUE / 2);

        assertThat(storage.usableSpaceBytes(directory)).isZero();
        assertThat(storage.forPublication().usableSpaceBytes(directory)).isZero();
        assertThat(storage.usableSpaceBytes(own)).isPositive();
        storage.setApart(own, () -> 0);
        assertThat(storage.usableSpaceBytes(directory)).isPositive();
    }

    @Test
    void roomThatIsSetApartIsOfItsFileSystemAlone() throws Exception {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(
                Files.isDirectory(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(directory)),
                "needs a second file system at /dev/shm");

        storage.setApart(directory, () -> Long.MAX_VALUE / 2);

        assertThat(storage.usableSpaceBytes(memory)).isPositive();
    }

    @Test
    void belowAFileNothingStandsAndWhatCannotBeLookedAtIsAnError() throws Exception {
        java.nio.file.Files.write(directory.resolve("file"), new byte[1]);

        assertThat(storage.facts(directory.resolve("file/x"))).isNull();
        assertThat(storage.facts(directory.resolve("file/x/y"))).isNull();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> storage.facts(directory.resolve("x".repeat(300))))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void whatIsMadeIsForItsOwnerAlone() throws Exception {
        Path own = directory.resolve("above/own");
        storage.createPrivateDirectory(own);
        storage.open(own.resolve("file"), OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE)
                .close();
        storage.open(own.resolve("direct"), OpenMode.CREATE, FileIoMode.DIRECT).close();
        storage.replaceAll(own.resolve("small"), new byte[] {1});
        storage.lock(own.resolve("lock")).close();

        assertThat(mode(own)).isEqualTo("rwx------");
        for (String name : storage.list(own)) {
            assertThat(mode(own.resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void whatIsGivenAwayHasTheModeOfTheUmask() throws Exception {
        Path usual = Files.createFile(directory.resolve("usual"));
        Path usualDirectory = Files.createDirectory(directory.resolve("usual-directory"));
        Storage published = storage.below(directory).forPublication();
        published
                .open(directory.resolve("given"), OpenMode.CREATE_NEW, FileIoMode.DIRECT)
                .close();
        published.createDirectories(directory.resolve("a/b"));

        assertThat(mode(directory.resolve("given"))).isEqualTo(mode(usual));
        assertThat(mode(directory.resolve("a/b"))).isEqualTo(mode(usualDirectory));
        assertThat(mode(directory.resolve("a"))).isEqualTo(mode(usualDirectory));
    }

    @Test
    void privateDirectoryThatWasSharedIsNoLonger() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(storage.isShared(own)).isTrue();

        storage.createPrivateDirectory(own);

        assertThat(mode(own)).isEqualTo("rwx------");
        assertThat(storage.isShared(own)).isFalse();
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
