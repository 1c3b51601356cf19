package io.hawser.gsi.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegularFileReaderTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Path pipe = directory.resolve("grid-mapfile");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertTimeoutPreemptively(LIMIT, () -> assertThatThrownBy(() -> RegularFileReader.readAllBytes(pipe))
                .isInstanceOf(IOException.class)
                .hasMessage(pipe + " is not a regular file"));
        assertTimeoutPreemptively(LIMIT, () -> assertThatThrownBy(() -> new GridMapFile(pipe).get())
                .isInstanceOf(IOException.class));
    }

    @Test
    void aFileIsReadAndAMissingOneIsMissing() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[] {1, 2});

        assertThat(RegularFileReader.readAllBytes(file)).containsExactly(1, 2);
        assertThatThrownBy(() -> RegularFileReader.readAllBytes(directory.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }
}
