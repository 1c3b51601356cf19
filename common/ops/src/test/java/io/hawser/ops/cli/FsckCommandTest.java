package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.testkit.Fsck;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hawser fsck} prints and how it exits. What the checks find is tested beside them. */
class FsckCommandTest {
    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void anAgentHasRun() throws StorageException {
        data = directory.resolve("agent-b");
        NodeDirectory.open(new DiskStorage(), data).close();
    }

    @Test
    void printsWhatIsHarmlessAndExitsWithZero() throws Exception {
        for (Path named : new Path[] {data, directory}) { // the directory above it will do
            Fsck result = Fsck.of(named);
            result.assertNote("agent-b.elsewhere", data.toString());
            assertThat(result.out()).startsWith("agent-b " + data);
        }
    }

    /** A program's state directory has a slot for each of its destinations, and for each that runs at once. */
    @Test
    void looksIntoTheSlotsOfAProgram() throws Exception {
        Path slot = directory.resolve("slots/3");
        NodeDirectory.open(new DiskStorage(), slot).close();
        Files.writeString(slot.resolve("epoch"), "many\n");

        Fsck.of(directory).assertDamage("node.epoch", slot.toString());
    }

    @Test
    void printsDamageWithItsAdviceAndExitsWithOne() throws Exception {
        Files.writeString(data.resolve("epoch"), "many\n");

        Fsck result = Fsck.of(data);

        result.assertDamage("node.epoch", data.toString());
        assertThat(result.out()).contains("Write a number into the file epoch");
    }

    @Test
    void saysHowManyBytesAFindingConcerns() throws Exception {
        Files.write(data.resolve("node.id.new"), new byte[2048]);

        assertThat(Fsck.of(data).out()).contains("node.id.new (2 KiB): ");
    }

    @Test
    void refusesADirectoryInUse() throws Exception {
        try (NodeDirectory held = NodeDirectory.open(new DiskStorage(), data)) {
            assertThat(Fsck.run(data).code()).as(held.id().toString()).isEqualTo(6);
        }
    }

    @Test
    void repairsNoIndexWhereThereIsNone() {
        assertThat(Fsck.run(data, "--repair-index").code()).isEqualTo(2);
    }
}
