package io.hawser.common.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.model.NodeId;
import io.hawser.common.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeDirectoryTest {
    private static final Path PLACE = Path.of("/data/node");

    @TempDir
    Path directory;

    @Test
    void theIdentityStaysAndTheEpochRises() throws Exception {
        DiskStorage storage = new DiskStorage();
        NodeId first;
        try (NodeDirectory node = NodeDirectory.open(storage, directory.resolve("new/one"))) {
            first = node.id();
            assertThat(node.epoch()).isEqualTo(1);
        }
        try (NodeDirectory node = NodeDirectory.open(storage, directory.resolve("new/one"))) {
            assertThat(node.id()).isEqualTo(first);
            assertThat(node.epoch()).isEqualTo(2);
        }
    }

    /** The bytes of version 1. */
    @Test
    void theFilesAreTextThatStaysTheSame() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        byte[] id = "0123456789abcdeffedcba9876543210\n".getBytes(StandardCharsets.US_ASCII);
        storage.createDirectories(PLACE);
        storage.replaceAll(PLACE.resolve("node.id"), id);
        storage.replaceAll(PLACE.resolve("epoch"), "41\n".getBytes(StandardCharsets.US_ASCII));

        try (NodeDirectory node = NodeDirectory.open(storage, PLACE)) {
            assertThat(node.id()).isEqualTo(new NodeId(0x0123456789abcdefL, 0xfedcba9876543210L));
            assertThat(node.epoch()).isEqualTo(42);
        }
        assertThat(storage.readAll(PLACE.resolve("node.id"))).isEqualTo(id);
        assertThat(storage.readAll(PLACE.resolve("epoch"))).isEqualTo("42\n".getBytes(StandardCharsets.US_ASCII));
        try (NodeDirectory fresh = NodeDirectory.open(storage, Path.of("/data/fresh"))) {
            assertThat(storage.readAll(Path.of("/data/fresh/node.id")))
                    .isEqualTo((fresh.id() + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aSecondOwnerIsRefused() throws Exception {
        DiskStorage storage = new DiskStorage();
        try (NodeDirectory node = NodeDirectory.open(storage, directory)) {
            assertThatThrownBy(() -> NodeDirectory.open(storage, directory))
                    .isInstanceOf(DirectoryInUseException.class)
                    .hasMessageContaining(directory.toString());
            assertThat(node.path()).isEqualTo(directory);
        }
    }

    @Test
    void anUnreadableIdentityIsNotReplaced() throws Exception {
        DiskStorage storage = new DiskStorage();
        byte[] bad = "not an id".getBytes(StandardCharsets.US_ASCII);
        storage.replaceAll(directory.resolve("node.id"), bad);

        assertThatThrownBy(() -> NodeDirectory.open(storage, directory))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("node.id");
        assertThat(storage.readAll(directory.resolve("node.id"))).isEqualTo(bad);
        storage.lock(directory.resolve("lock")).close(); // the lock was given back
    }

    /** Such a number was used, or ran over, and the log then failed with an IllegalArgumentException. */
    @Test
    void anEpochThatNoLogCanHoldIsRefusedAndStays() throws Exception {
        for (String bad : new String[] {"-5", "4294967295", "9223372036854775807", "", "1".repeat(5000)}) {
            FaultyStorage storage = new FaultyStorage();
            NodeDirectory.open(storage, PLACE).close();
            storage.replaceAll(PLACE.resolve("epoch"), bad.getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE))
                    .as(bad)
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("epoch");
            assertThat(storage.readAll(PLACE.resolve("epoch"))).isEqualTo(bad.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aPowerCutNeverLowersAnEpochThatWasUsedNorChangesTheIdentity() throws Exception {
        for (long seed = 0; seed < 100; seed++) {
            FaultyStorage storage = new FaultyStorage();
            NodeId id = NodeDirectory.open(storage, PLACE).id();
            long epoch = 1;
            for (int life = 0; life < 3; life++) {
                storage.powerCut(seed * 31 + life);
                NodeDirectory node = NodeDirectory.open(storage, PLACE);
                assertThat(node.id()).as("seed %d", seed).isEqualTo(id);
                assertThat(node.epoch()).as("seed %d", seed).isGreaterThan(epoch);
                epoch = node.epoch();
            }
        }
    }
}
