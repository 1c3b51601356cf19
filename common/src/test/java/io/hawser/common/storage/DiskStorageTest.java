package io.hawser.common.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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
        try (StorageFile file = storage.open(full, OpenMode.UPDATE, Caching.PAGE_CACHE)) {
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 0)).isInstanceOf(OutOfSpaceException.class);

            StorageException first = file.failure();
            assertThat(first).isInstanceOf(OutOfSpaceException.class);
            assertThatThrownBy(() -> file.force(true)).isSameAs(first);
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0)).isSameAs(first);
        }
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
        assertThat(storage.blockSizeBytes(directory)).isPositive();
    }

    @Test
    void belowAFileNothingStandsAndWhatCannotBeLookedAtIsAnError() throws Exception {
        java.nio.file.Files.write(directory.resolve("file"), new byte[1]);

        assertThat(storage.facts(directory.resolve("file/x"))).isNull();
        assertThat(storage.facts(directory.resolve("file/x/y"))).isNull();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> storage.facts(directory.resolve("x".repeat(300))))
                .isInstanceOf(StorageException.class);
    }
}
