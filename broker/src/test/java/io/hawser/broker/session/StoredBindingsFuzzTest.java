package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.common.model.NodeId;
import io.hawser.common.storage.CorruptRecordException;
import io.hawser.common.testkit.FaultyStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The file of which node came with which certificate, and a subject that nobody chose well: a node stays bound, or nothing starts. */
class StoredBindingsFuzzTest {
    private static final Path DATA = Path.of("/data");
    private static final NodeId NODE = new NodeId(1, 0xFF);

    @FuzzTest(maxDuration = "1m")
    void file(byte[] data) throws IOException {
        FaultyStorage storage = storage(data);
        try {
            StoredBindings.open(storage, DATA, node -> {}).whyNot(NODE, "CN=a");
        } catch (CorruptRecordException e) {
            assertThat(e).hasMessageContaining("NODE SUBJECT");
            int whole = new String(data, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
            assertThat(storage.readAll(DATA.resolve("nodes"))).isEqualTo(Arrays.copyOf(data, whole));
            return;
        }
        byte[] written = storage.readAll(DATA.resolve("nodes"));
        String subject = "";
        for (String line : new String(written, StandardCharsets.UTF_8).split("\n")) {
            if (NodeId.parse(line.substring(0, line.indexOf(' '))).equals(NODE)) {
                subject = line.substring(line.indexOf(' ') + 1); // what was written last holds
            }
        }
        StoredBindings again = StoredBindings.open(storage, DATA, node -> {});
        assertThat(again.whyNot(NODE, subject)).isEmpty();
        assertThat(again.whyNot(NODE, subject + "x")).isPresent();
        assertThat(storage.readAll(DATA.resolve("nodes"))).isEqualTo(written);
    }

    /** The same subject is the same one after a start. */
    @FuzzTest(maxDuration = "1m")
    void subject(byte[] data) throws IOException {
        String subject = new String(data, StandardCharsets.UTF_8);
        FaultyStorage storage = storage(new byte[0]);

        assertThat(StoredBindings.open(storage, DATA, node -> {}).whyNot(NODE, subject))
                .isEmpty();

        assertThat(StoredBindings.open(storage, DATA, node -> {}).whyNot(NODE, subject))
                .isEmpty();
        assertThat(StoredBindings.open(storage, DATA, node -> {}).whyNot(NODE, subject + "x"))
                .isPresent();
    }

    private static FaultyStorage storage(byte[] data) throws IOException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(DATA);
        storage.replaceAll(DATA.resolve("nodes"), data);
        return storage;
    }
}
