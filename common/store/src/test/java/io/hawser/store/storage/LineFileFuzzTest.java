package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
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
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(PATH.getParent());
        storage.replaceAll(PATH, data);

        List<String> found = new LineFile(storage, PATH).read();

        int whole = new String(data, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
        assertThat(storage.readAll(PATH)).isEqualTo(Arrays.copyOf(data, whole));
        new LineFile(storage, PATH).append("one more");
        List<String> expected = new ArrayList<>(found);
        expected.add("one more");
        assertThat(new LineFile(storage, PATH).read()).isEqualTo(expected);
    }
}
