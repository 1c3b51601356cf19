package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Golden;
import io.hawser.store.storage.FormatTooNewException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pins the lines of {@code sends/}. */
class SendGoldenTest {
    private static final String KEY = "3dce88b6938c14e0978878c2088d18af-01a200b2b8477b519b69ad4e6adb907c";

    @TempDir
    Path state;

    private static SendResumeEntry event(@Nullable WaitLevel reached) {
        return SendResumeEntry.of("/d/a b\t\"\u00fc\".txt", "a b/\u00fc", "5.1.x", KEY, reached);
    }

    private static Map<String, SendResumeEntry> events() {
        Map<String, SendResumeEntry> all = new LinkedHashMap<>();
        all.put("BEGUN", event(null));
        for (WaitLevel level : List.of(WaitLevel.BROKERED, WaitLevel.LANDED, WaitLevel.DELIVERED)) {
            all.put(level.name(), event(level));
        }
        all.put("FAILED", event(WaitLevel.BROKERED).asFailed());
        return all;
    }

    private static String golden(String name) throws Exception {
        return new String(Golden.read(SendGoldenTest.class, "v1/sends.txt").get(name), StandardCharsets.UTF_8);
    }

    @Test
    void linesAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        events().forEach((name, event) -> written.put(name, event.line().getBytes(StandardCharsets.UTF_8)));
        Golden.assertWritten(SendGoldenTest.class, "v1/sends.txt", written);
        for (Map.Entry<String, SendResumeEntry> expected : events().entrySet()) {
            assertThat(SendResumeEntry.parse(golden(expected.getKey()))).isEqualTo(expected.getValue());
        }
    }

    @Test
    void linesOfBeforeThereWasAVersionAreOfVersionOne() throws Exception {
        for (Map.Entry<String, SendResumeEntry> expected : events().entrySet()) {
            String old = golden(expected.getKey()).replace("\"version\":1,", "").replace(",\"failed\":false", "");
            assertThat(old).doesNotContain("version");
            assertThat(SendResumeEntry.parse(old)).isEqualTo(expected.getValue());
        }
    }

    @Test
    void aLaterVersionIsRefusedInWordsAndItsFileStays() throws Exception {
        SendDestination to = new SendDestination(new Topic("site-b"), "");
        SendResumeLog.open(state, to, List.of(Path.of("/d"))).close();
        Path file;
        try (Stream<Path> files = Files.list(state.resolve("sends"))) {
            file = files.findFirst().orElseThrow();
        }
        String later = golden("BROKERED") + "\n{\"version\":2,\"reached\":\"TOLD\"}\n";
        Files.writeString(file, later);

        assertThatThrownBy(() -> SendResumeLog.open(state, to, List.of(Path.of("/d"))))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer version");
        assertThat(file).hasContent(later);
    }

    /** A full disk cuts where it likes: such a file was refused whole, since it was not UTF-8. */
    @Test
    void aLineThatIsCutWithinACharacterHidesNoOther() throws Exception {
        SendDestination to = new SendDestination(new Topic("site-b"), "");
        SendPlan.Entry entry = new SendPlan.Entry(Path.of("/d/a b\t\"\u00fc\".txt"), "a b/\u00fc", false, 5);
        SendResumeLog.open(state, to, List.of(Path.of("/d"))).close();
        Path file;
        try (Stream<Path> files = Files.list(state.resolve("sends"))) {
            file = files.findFirst().orElseThrow();
        }
        String whole = golden("LANDED") + "\n" + golden("DELIVERED");
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
        int within = golden("LANDED").getBytes(StandardCharsets.UTF_8).length
                + golden("DELIVERED").indexOf('\u00fc')
                + 2;
        Files.write(file, java.util.Arrays.copyOf(bytes, within));

        try (SendResumeLog resumeLog = SendResumeLog.open(state, to, List.of(Path.of("/d")))) {
            assertThat(resumeLog.find(entry, "5.1.x").orElseThrow().isAtLeast(WaitLevel.LANDED))
                    .isTrue();
            assertThat(resumeLog.find(entry, "5.1.x").orElseThrow().isAtLeast(WaitLevel.DELIVERED))
                    .isFalse();
        }
    }

    @Test
    void whatLacksAPartIsNoLine() throws Exception {
        String whole = golden("BROKERED");
        for (String gone : List.of("path", "name", "fingerprint", "key")) {
            assertThat(SendResumeEntry.parse(whole.replace("\"" + gone + "\"", "\"x\"")))
                    .as(gone)
                    .isNull();
        }
        for (String odd :
                List.of("", "null", "[]", "5", whole.replace(KEY, "no key"), whole.replace("BROKERED", "TOLD"))) {
            assertThat(SendResumeEntry.parse(odd)).as(odd).isNull();
        }
    }
}
