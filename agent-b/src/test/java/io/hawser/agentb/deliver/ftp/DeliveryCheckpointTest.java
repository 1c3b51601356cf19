package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Golden;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pins the lines of docs/reference/format-landing.md. */
class DeliveryCheckpointTest {
    private static final Path PATH = Path.of("/files/x.part.note");
    private static final String GOLDEN = "v1/delivery-notes.txt";
    private static final String GOLDEN_ASKED = "v1/delivery-notes-asked.txt";
    private static final String RANGES = "0-1048576,2097152-3145728";

    private final FaultyStorage storage = new FaultyStorage();

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(PATH.getParent());
    }

    private DeliveryCheckpoint read(String line) throws StorageException {
        storage.replaceAll(PATH, line.getBytes(StandardCharsets.US_ASCII));
        return DeliveryCheckpoint.read(storage, PATH);
    }

    @Test
    void linesAreWrittenAsVersionOneHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, PATH);
        checkpoint.markEarly();
        written.put("EARLY", storage.readAll(PATH));
        checkpoint.ranges(RANGES);
        written.put("EARLY_RANGES", storage.readAll(PATH));
        checkpoint.clearEarly();
        written.put("RANGES", storage.readAll(PATH));
        checkpoint.markRenaming();
        written.put("RENAMING", storage.readAll(PATH));
        Golden.assertWritten(DeliveryCheckpointTest.class, GOLDEN, written);
    }

    @Test
    void linesBehindARenameThatWasNotMadeAreWrittenAsTheyWereAtFirst() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, PATH);
        checkpoint.markRenaming();
        checkpoint.clearRenaming();
        written.put("ASKED", storage.readAll(PATH));
        checkpoint.ranges(RANGES);
        written.put("ASKED_RANGES", storage.readAll(PATH));
        Golden.assertWritten(DeliveryCheckpointTest.class, GOLDEN_ASKED, written);
        checkpoint.markRenaming();
        assertThat(storage.readAll(PATH)).asString().isEqualTo("renaming\n");
    }

    @Test
    void linesAreReadAsVersionOneHasThem() throws Exception {
        Map<String, byte[]> golden = new LinkedHashMap<>(Golden.read(DeliveryCheckpointTest.class, GOLDEN));
        golden.putAll(Golden.read(DeliveryCheckpointTest.class, GOLDEN_ASKED));
        for (Map.Entry<String, byte[]> line : golden.entrySet()) {
            storage.replaceAll(PATH, line.getValue());
            DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, PATH);
            String name = line.getKey();
            assertThat(checkpoint.isRenaming()).as(name).isEqualTo(name.equals("RENAMING"));
            assertThat(checkpoint.isEarly()).as(name).isEqualTo(name.startsWith("EARLY"));
            assertThat(checkpoint.wasRenameAsked())
                    .as(name)
                    .isEqualTo(name.equals("RENAMING") || name.startsWith("ASKED"));
            assertThat(checkpoint.ranges()).as(name).isEqualTo(name.endsWith("RANGES") ? RANGES : "");
        }
        assertThat(golden).hasSize(6);
    }

    @Test
    void anyOtherLineIsNoNote() throws Exception {
        DeliveryCheckpoint checkpoint = read("later 1\n");
        assertThat(checkpoint.isRenaming()).isFalse();
        assertThat(checkpoint.isEarly()).isFalse();
        assertThat(checkpoint.ranges()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FaultyStorage.Fault.class)
    void whateverCallFailsTheNoteIsTheOldOneOrTheNewOne(FaultyStorage.Fault fault) throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            FaultyStorage disk = new FaultyStorage();
            disk.createDirectories(PATH.getParent());
            DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(disk, PATH);
            checkpoint.ranges("0-9");
            byte[] before = disk.readAll(PATH);
            checkpoint.markRenaming();
            byte[] after = disk.readAll(PATH);
            checkpoint.ranges("0-9");

            disk.failCall(call, fault, call % 2 == 0);
            long calls = disk.calls();
            boolean written = writes(checkpoint);
            reached = disk.calls() >= calls + call;
            disk.heal();
            disk.powerCut(call);
            assertThat(written).isEqualTo(!reached);
            assertThat(disk.readAll(PATH)).as("%s at call %d", fault, call).isIn(written ? after : before, after);
        }
    }

    private static boolean writes(DeliveryCheckpoint checkpoint) {
        try {
            checkpoint.markRenaming();
            return true;
        } catch (StorageException e) {
            return false;
        }
    }
}
