package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendResumeLogTest {
    private static final String KEY = "3dce88b6938c14e0978878c2088d18af-01a200b2b8477b519b69ad4e6adb907c";
    private static final SendDestination TO = new SendDestination(new Topic("site-b"), "");

    @TempDir
    Path state;

    private final Path source = Path.of("/d/a b\t\"ü\".txt");
    private final SendPlan.Entry entry = new SendPlan.Entry(source, "a b\t\"ü\".txt", false, 5);

    private SendResumeLog open(Path... paths) throws IOException {
        return SendResumeLog.open(state, TO, List.of(paths));
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(state.resolve("sends"))) {
            return files.findFirst().orElseThrow();
        }
    }

    private void rememberBrokered() throws IOException {
        open(source).close();
        String line =
                "{\"path\":\"/d/a b\\t\\\"ü\\\".txt\",\"name\":\"a b\\t\\\"ü\\\".txt\",\"fingerprint\":\"5.1\",\"key\":\""
                        + KEY + "\",\"reached\":%s}\n";
        Files.writeString(
                file(),
                line.formatted("null")
                        + line.formatted("\"BROKERED\"")
                        + line.formatted("\"LANDED\"").substring(0, 90),
                StandardOpenOption.APPEND);
    }

    @Test
    void whatWasReachedIsKnownUntilTheFileChangesAlsoBehindALineThatWasCutOff() throws IOException {
        rememberBrokered();
        for (int life = 0; life < 2; life++) {
            try (SendResumeLog resumeLog = open(source)) {
                SendResumeLog.Remembered known = resumeLog.find(entry, "5.1").orElseThrow();
                assertThat(known.id().toString()).isEqualTo(KEY);
                assertThat(known.isAtLeast(WaitLevel.SPOOLED)).isTrue();
                assertThat(known.isAtLeast(WaitLevel.BROKERED)).isTrue();
                assertThat(known.isAtLeast(WaitLevel.LANDED)).isFalse();
                assertThat(resumeLog.find(entry, "5.2")).isEmpty();
                assertThat(resumeLog.find(new SendPlan.Entry(source, "other", false, 5), "5.1"))
                        .isEmpty();
            }
        }
    }

    @Test
    void anotherCommandKnowsNothingOfIt() throws IOException {
        rememberBrokered();
        try (SendResumeLog resumeLog = open(source, Path.of("/d/more"))) {
            assertThat(resumeLog.find(entry, "5.1")).isEmpty();
        }
    }

    @Test
    void aCommandThatIsCompleteIsForgotten() throws IOException {
        rememberBrokered();
        try (SendResumeLog resumeLog = open(source)) {
            resumeLog.forget();
        }
        assertThat(state.resolve("sends")).isEmptyDirectory();
    }

    @Test
    void anOldRunIsForgotten() throws IOException {
        rememberBrokered();
        Instant old = Instant.now().minus(SendResumeLog.KEPT).minus(Duration.ofMinutes(1));
        Files.setLastModifiedTime(file(), FileTime.from(old));
        try (SendResumeLog resumeLog = open(source)) {
            assertThat(resumeLog.find(entry, "5.1")).isEmpty();
        }
    }
}
