package io.hawser.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That the faults are faults: a harness that loses nothing proves nothing. */
class FaultyStorageTest {
    private static final Path ROOT = Path.of("/data");
    private static final Path FILE = ROOT.resolve("f");

    private FaultyStorage withForcedFile() throws StorageException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(ROOT);
        try (StorageFile file = storage.open(FILE, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            file.force(true);
        }
        storage.forceDirectory(ROOT);
        return storage;
    }

    @Test
    void whatWasForcedSurvivesEveryCut() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            FaultyStorage storage = withForcedFile();
            storage.powerCut(seed);
            assertThat(storage.readAll(FILE)).as("seed %d", seed).containsExactly(1, 2, 3);
        }
    }

    @Test
    void whatWasNotForcedComesOutInManyWays() throws Exception {
        Set<String> outcomes = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            FaultyStorage storage = withForcedFile();
            try (StorageFile file = storage.open(FILE, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
                file.write(ByteBuffer.allocate(4 * FaultyStorage.SECTOR_BYTES), 0);
            }
            storage.rename(FILE, ROOT.resolve("g"));
            storage.powerCut(seed);
            Path name = storage.facts(FILE) != null ? FILE : ROOT.resolve("g");
            byte[] bytes = storage.readAll(name);
            outcomes.add(name.getFileName() + " " + bytes.length + " " + bytes[0]);
        }
        assertThat(outcomes).hasSizeGreaterThan(8);
    }

    @Test
    void aWriteThatSpansSectorsIsTornBetweenThemWhateverTheirSize() throws Exception {
        for (int sectorBytes : new int[] {FaultyStorage.SECTOR_BYTES, FaultyStorage.LARGE_SECTOR_BYTES}) {
            Set<String> outcomes = new HashSet<>();
            for (long seed = 0; seed < 100; seed++) {
                FaultyStorage storage = new FaultyStorage(sectorBytes);
                storage.createDirectories(ROOT);
                try (StorageFile file = storage.open(FILE, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE)) {
                    file.write(ByteBuffer.wrap(new byte[3 * sectorBytes]), 0);
                    file.force(true);
                    storage.forceDirectory(ROOT);
                    byte[] ones = new byte[3 * sectorBytes];
                    Arrays.fill(ones, (byte) 1);
                    file.write(ByteBuffer.wrap(ones), 0);
                }
                storage.powerCut(seed);
                byte[] left = storage.readAll(FILE);
                outcomes.add(left[0] + " " + left[sectorBytes] + " " + left[2 * sectorBytes]);
                if (storage.tears() == 0) {
                    assertThat(left[0]).isEqualTo(left[sectorBytes]).isEqualTo(left[2 * sectorBytes]);
                }
            }
            assertThat(outcomes).as("sectors of %d", sectorBytes).contains("1 0 1", "0 1 0", "1 1 1", "0 0 0");
        }
    }

    @Test
    void aDiskOfLargeSectorsRefusesDirectAccessToSmallOnes() throws Exception {
        FaultyStorage storage = new FaultyStorage(FaultyStorage.LARGE_SECTOR_BYTES);
        storage.createDirectories(ROOT);
        try (StorageFile file = storage.open(FILE, OpenMode.CREATE_NEW, FileIoMode.DIRECT)) {
            file.write(ByteBuffer.allocate(FaultyStorage.LARGE_SECTOR_BYTES), 0);
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(FaultyStorage.SECTOR_BYTES), 0))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("unaligned");
        }
    }

    @Test
    void aKilledProcessLosesItsHandlesAndLocksButNoBytes() throws Exception {
        FaultyStorage storage = withForcedFile();
        storage.lock(ROOT.resolve("lock"));
        StorageFile file = storage.open(FILE, OpenMode.UPDATE, FileIoMode.PAGE_CACHE);
        file.write(ByteBuffer.wrap(new byte[] {9}), 0);

        storage.kill();

        assertThat(storage.readAll(FILE)).containsExactly(9, 2, 3);
        assertThatThrownBy(() -> file.force(true)).isInstanceOf(StorageException.class);
        storage.lock(ROOT.resolve("lock")).close();
    }

    @Test
    void afterAFailedForceTheBytesAreReadableAndGoneWithThePower() throws Exception {
        FaultyStorage storage = withForcedFile();
        StorageFile file = storage.open(FILE, OpenMode.UPDATE, FileIoMode.PAGE_CACHE);
        file.write(ByteBuffer.wrap(new byte[] {9}), 0);
        storage.failCall(1, Fault.EIO, false);
        assertThatThrownBy(() -> file.force(false)).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> file.force(false)).isSameAs(file.failure());

        assertThat(storage.readAll(FILE)).containsExactly(9, 2, 3);
        for (long seed = 0; seed < 20; seed++) {
            storage.powerCut(seed);
            assertThat(storage.readAll(FILE)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void aFullDiskRefusesGrowthAndNothingElse() throws Exception {
        FaultyStorage storage = withForcedFile();
        storage.capacityBytes(5);
        try (StorageFile file = storage.open(FILE, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.allocate(5), 0);
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 5)).isInstanceOf(OutOfSpaceException.class);
        }
    }
}
