package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.NodeId;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.LineFile;
import io.hawser.store.testkit.CheckedLines;
import io.hawser.store.testkit.FaultyStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The file of which node came with which certificate, and a subject that nobody chose well: a node stays bound, or nothing starts. */
class StoredBindingsFuzzTest {
    private static final Path DATA = Path.of("/data");
    private static final NodeId NODE = new NodeId(1, 0xFF);

    @FuzzTest(maxDuration = "1m")
    void file(byte[] data) throws IOException {
        byte[] checked = CheckedLines.of(data);
        FaultyStorage storage = storage(checked);
        try {
            come(open(storage), "CN=a");
        } catch (CorruptRecordException e) {
            assertThat(e).hasMessageContaining("NODE SUBJECT");
            int whole = new String(checked, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
            assertThat(storage.readAll(DATA.resolve("nodes"))).isEqualTo(Arrays.copyOf(checked, whole));
            return;
        }
        byte[] written = storage.readAll(DATA.resolve("nodes"));
        String subject = "";
        for (String line : new LineFile(storage, DATA.resolve("nodes")).look()) {
            if (NodeId.parse(line.substring(0, line.indexOf(' '))).equals(NODE)) {
                subject = line.substring(line.indexOf(' ') + 1); // what was written last holds
            }
        }
        StoredBindings again = open(storage);
        assertThat(come(again, subject)).isEmpty();
        assertThat(come(again, subject + "x")).isPresent();
        assertThat(storage.readAll(DATA.resolve("nodes"))).isEqualTo(written);
    }

    /** The same subject is the same one after a start. */
    @FuzzTest(maxDuration = "1m")
    void subject(byte[] data) throws IOException {
        String subject = new String(data, StandardCharsets.UTF_8);
        FaultyStorage storage = storage(new byte[0]);

        assertThat(come(open(storage), subject)).isEmpty();

        assertThat(come(open(storage), subject)).isEmpty();
        assertThat(come(open(storage), subject + "x")).isPresent();
    }

    private static StoredBindings open(FaultyStorage storage) throws IOException {
        return StoredBindings.open(storage, DATA, Runnable::run, Runnable::run, node -> {});
    }

    private static Optional<String> come(StoredBindings bindings, String subject) {
        Optional<String> refusal = bindings.whyNot(NODE, subject);
        if (refusal.isEmpty()) {
            bindings.bind(NODE, subject).ifPresent(written -> assertThat(written.toCompletableFuture())
                    .isCompletedWithValue(""));
        }
        return refusal;
    }

    private static FaultyStorage storage(byte[] data) throws IOException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(DATA);
        storage.replaceAll(DATA.resolve("nodes"), data);
        return storage;
    }
}
