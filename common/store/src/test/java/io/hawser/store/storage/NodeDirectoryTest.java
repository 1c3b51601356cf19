package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.NodeId;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** It began with a new identity, and what had been accepted under the old one was refused for good. */
    @Test
    void aUsedDirectoryWithoutItsIdentityIsRefusedAndStaysAsItIs() throws Exception {
        for (String used :
                new String[] {"epoch", "journal/log.id", "log/00000000000000000001.log", "landing-s/node.id"}) {
            FaultyStorage storage = new FaultyStorage();
            storage.createDirectories(PLACE.resolve(used).getParent());
            storage.replaceAll(PLACE.resolve(used), "7\n".getBytes(StandardCharsets.US_ASCII));

            for (int start = 0; start < 3; start++) {
                assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE))
                        .as(used)
                        .isInstanceOf(CorruptRecordException.class)
                        .hasMessageContaining("node.id is missing")
                        .hasMessageContaining("Restore it");
            }
            assertThat(storage.facts(PLACE.resolve("node.id"))).as(used).isNull();
            assertThat(new String(storage.readAll(PLACE.resolve(used)), StandardCharsets.US_ASCII))
                    .isEqualTo("7\n");
        }
    }

    @Test
    void filesThatAreNoNodesDoNotMakeADirectoryUsed() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        for (String strange : new String[] {"data/letter.txt", "files/a", "log", "landing-page"}) {
            storage.createDirectories(PLACE.resolve(strange).getParent());
            storage.replaceAll(PLACE.resolve(strange), new byte[1]);
        }
        try (NodeDirectory node = NodeDirectory.open(storage, PLACE)) {
            assertThat(node.epoch()).isEqualTo(1);
        }
    }

    /** Each refused start raised it by one, until one was taken that had been used before. */
    @Test
    void anEpochThatIsLostOrOlderThanWhatWasWrittenIsRefusedHoweverOftenItIsTried() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        NodeDirectory.open(storage, PLACE).close();
        storage.delete(PLACE.resolve("epoch"));
        for (int start = 0; start < 20; start++) {
            assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE, () -> 15))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("epoch is missing");
            assertThat(storage.facts(PLACE.resolve("epoch"))).isNull();
        }
        for (String older : new String[] {"0", "14"}) {
            storage.replaceAll(PLACE.resolve("epoch"), older.getBytes(StandardCharsets.US_ASCII));
            for (int start = 0; start < 20; start++) {
                assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE, () -> 15))
                        .isInstanceOf(CorruptRecordException.class)
                        .hasMessageContaining("such as 1000015");
            }
            assertThat(new String(storage.readAll(PLACE.resolve("epoch")), StandardCharsets.US_ASCII))
                    .isEqualTo(older);
        }
        storage.replaceAll(PLACE.resolve("epoch"), "15".getBytes(StandardCharsets.US_ASCII));
        try (NodeDirectory node = NodeDirectory.open(storage, PLACE, () -> 15)) {
            assertThat(node.epoch()).isEqualTo(16);
        }
    }

    /** Earlier versions made the identity first; killed behind it, their directory was refused for ever. */
    @Test
    void anIdentityUnderWhichNothingWasWrittenNeedsNoEpoch() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        NodeId id = NodeDirectory.open(storage, PLACE).id();
        storage.kill();
        storage.delete(PLACE.resolve("epoch"));
        storage.createDirectories(PLACE.resolve("log"));

        assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE, () -> 1)) // kept elsewhere
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("epoch is missing");
        try (NodeDirectory node = NodeDirectory.open(storage, PLACE)) {
            assertThat(node.id()).isEqualTo(id);
            assertThat(node.epoch()).isEqualTo(1);
        }
        storage.delete(PLACE.resolve("epoch"));
        storage.replaceAll(PLACE.resolve("log/log.id"), new byte[33]);
        assertThatThrownBy(() -> NodeDirectory.open(storage, PLACE)).hasMessageContaining("epoch is missing");
    }

    @ParameterizedTest
    @EnumSource(FaultyStorage.Fault.class)
    void aFirstOpeningThatIsCutShortIsNoUsedDirectory(FaultyStorage.Fault fault) throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            FaultyStorage storage = new FaultyStorage();
            storage.failCall(call, fault, true);
            long before = storage.calls();
            try {
                NodeDirectory.open(storage, PLACE).close();
            } catch (StorageException e) {
                assertThat(storage.calls()).isPositive();
            }
            reached = storage.calls() >= before + call;
            storage.heal();
            storage.powerCut(call);
            try (NodeDirectory node = NodeDirectory.open(storage, PLACE)) {
                assertThat(node.epoch()).as("call %d", call).isBetween(1L, 2L);
            }
            assertThat(call).isLessThan(1_000);
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
