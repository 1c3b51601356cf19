package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.storage.StorageException;
import io.hawser.common.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pins the lines of docs/format-landing.md. */
class DeliveryNoteTest {
    private static final Path PATH = Path.of("/files/x.part.note");

    private final FaultyStorage storage = new FaultyStorage();

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(PATH.getParent());
    }

    private String line() throws StorageException {
        return new String(storage.readAll(PATH), StandardCharsets.US_ASCII);
    }

    private DeliveryNote read(String line) throws StorageException {
        storage.replaceAll(PATH, line.getBytes(StandardCharsets.US_ASCII));
        return DeliveryNote.read(storage, PATH);
    }

    @Test
    void linesAreWrittenAsVersionOneHasThem() throws Exception {
        DeliveryNote note = DeliveryNote.read(storage, PATH);
        note.early();
        assertThat(line()).isEqualTo("early\n");
        note.ranges("0-1048576,2097152-3145728");
        assertThat(line()).isEqualTo("early ranges 0-1048576,2097152-3145728\n");
        note.beside();
        assertThat(line()).isEqualTo("ranges 0-1048576,2097152-3145728\n");
        note.renaming();
        assertThat(line()).isEqualTo("renaming\n");
    }

    @Test
    void linesAreReadAsVersionOneHasThem() throws Exception {
        assertThat(read("renaming\n").isRenaming()).isTrue();
        assertThat(read("early\n").isEarly()).isTrue();
        assertThat(read("early ranges 0-5\n").ranges()).isEqualTo("0-5");
        assertThat(read("early ranges 0-5\n").isEarly()).isTrue();
        assertThat(read("ranges 0-5\n").ranges()).isEqualTo("0-5");
        assertThat(read("ranges 0-5\n").isEarly()).isFalse();
    }

    @Test
    void anyOtherLineIsNoNote() throws Exception {
        DeliveryNote note = read("later 1\n");
        assertThat(note.isRenaming()).isFalse();
        assertThat(note.isEarly()).isFalse();
        assertThat(note.ranges()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FaultyStorage.Fault.class)
    void whateverCallFailsTheNoteIsTheOldOneOrTheNewOne(FaultyStorage.Fault fault) throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            FaultyStorage disk = new FaultyStorage();
            disk.createDirectories(PATH.getParent());
            DeliveryNote note = DeliveryNote.read(disk, PATH);
            note.ranges("0-9");
            byte[] before = disk.readAll(PATH);
            note.renaming();
            byte[] after = disk.readAll(PATH);
            note.ranges("0-9");

            disk.failCall(call, fault, call % 2 == 0);
            long calls = disk.calls();
            boolean written = writes(note);
            reached = disk.calls() >= calls + call;
            disk.heal();
            disk.powerCut(call);
            assertThat(written).isEqualTo(!reached);
            assertThat(disk.readAll(PATH)).as("%s at call %d", fault, call).isIn(written ? after : before, after);
        }
    }

    private static boolean writes(DeliveryNote note) {
        try {
            note.renaming();
            return true;
        } catch (StorageException e) {
            return false;
        }
    }
}
