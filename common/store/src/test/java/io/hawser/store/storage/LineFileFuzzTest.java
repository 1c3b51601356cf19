package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.store.testkit.CheckedLines;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A file of lines as a crash or a bad disk left it: whole lines are kept byte for byte, and what is added is a line of its own. */
class LineFileFuzzTest {
    private static final Path PATH = Path.of("/data/nodes");

    @FuzzTest(maxDuration = "1m")
    void lines(byte[] data) throws StorageException {
        byte[] checked = CheckedLines.of(data);
        FaultyStorage storage = storage(checked);
        LineFile file = new LineFile(storage, PATH);

        List<String> found = file.read();

        int whole = new String(checked, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
        assertThat(storage.readAll(PATH)).isEqualTo(Arrays.copyOf(checked, whole));
        file.append("one more");
        List<String> expected = new ArrayList<>(found);
        expected.add("one more");
        assertThat(file.read()).isEqualTo(expected).isEqualTo(file.look());
    }

    @FuzzTest(maxDuration = "1m")
    void damaged(byte[] data) throws StorageException {
        FaultyStorage storage = storage(data);
        try {
            new LineFile(storage, PATH).look();
        } catch (CorruptRecordException e) {
            assertThat(e).hasMessageContaining(PATH + " is damaged: line ");
        }
        assertThat(storage.readAll(PATH)).isEqualTo(data);
    }

    private static FaultyStorage storage(byte[] data) throws StorageException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(PATH.getParent());
        storage.replaceAll(PATH, data);
        return storage;
    }
}
