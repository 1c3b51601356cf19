package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A node's identity and epoch as they are found: used as they stand, or refused and left as they are. */
class NodeDirectoryFuzzTest {
    private static final Path DIRECTORY = Path.of("/node");
    private static final byte[] ID = "000000000000000100000000000000ff\n".getBytes(StandardCharsets.US_ASCII);

    @FuzzTest(maxDuration = "1m")
    void identity(byte[] data) throws StorageException {
        open(data, "5\n".getBytes(StandardCharsets.US_ASCII));
    }

    @FuzzTest(maxDuration = "1m")
    void epoch(byte[] data) throws StorageException {
        open(ID, data);
    }

    private static void open(byte[] id, byte[] epoch) throws StorageException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(DIRECTORY);
        storage.replaceAll(DIRECTORY.resolve("node.id"), id);
        storage.replaceAll(DIRECTORY.resolve("epoch"), epoch);
        try (NodeDirectory first = NodeDirectory.open(storage, DIRECTORY)) {
            assertThat(first.epoch()).isPositive();
        } catch (CorruptRecordException e) {
            assertThat(storage.readAll(DIRECTORY.resolve("epoch"))).isEqualTo(epoch);
            assertThat(storage.readAll(DIRECTORY.resolve("node.id"))).isEqualTo(id);
            return;
        }
        try (NodeDirectory second = NodeDirectory.open(storage, DIRECTORY)) {
            assertThat(second.epoch()).isGreaterThan(1);
        }
    }
}
