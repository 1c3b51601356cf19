package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChangeDetectorTest {
    private Path file;
    private int pauses;

    @BeforeEach
    void fileOfTwoLines(@TempDir Path directory) throws IOException {
        file = Files.writeString(directory.resolve("acl"), "one\ntwo\n");
    }

    @Test
    void aFileThatNobodyTouchesHasNotChanged() {
        FileChangeDetector detector = new FileChangeDetector(List.of(file), () -> pauses++);
        assertThat(detector.hasChanged()).isFalse();
        assertThat(pauses).isZero();
    }

    @Test
    void aFileThatIsBeingWrittenCountsOnceItStandsStill() throws IOException {
        FileChangeDetector detector = new FileChangeDetector(List.of(file), () -> {
            pauses++;
            if (pauses <= 3) {
                append("line " + pauses + "\n");
            }
        });
        Files.writeString(file, "");

        assertThat(detector.hasChanged()).isTrue();
        assertThat(file).hasContent("line 1\nline 2\nline 3\n");
        assertThat(pauses).isEqualTo(4);
        assertThat(detector.hasChanged()).isFalse();
    }

    @Test
    void aFileThatIsWrittenAllTheTimeCountsAsChanged() throws IOException {
        FileChangeDetector detector = new FileChangeDetector(List.of(file), () -> append("more\n"));
        Files.delete(file);
        assertThat(detector.hasChanged()).isTrue();
    }

    private void append(String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
