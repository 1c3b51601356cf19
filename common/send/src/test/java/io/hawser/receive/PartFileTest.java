package io.hawser.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.client.FarFile;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFileTest {
    private static final FarPath SOURCE = FarPath.parse("site-b:d/f");

    @TempDir
    Path directory;

    private static FarFile version(String fingerprint, long sizeBytes) {
        return new FarFile("f", false, sizeBytes, Instant.ofEpochSecond(7), 0644, fingerprint);
    }

    private PartFile open(FarFile version) {
        return PartFile.open(directory.resolve("f"), SOURCE, version);
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void whatIsThereIsContinuedAndPublishedWhole() throws IOException {
        FarFile version = version("v", 4);
        try (PartFile part = open(version)) {
            part.append(new byte[] {1, 2, 9}, 2);
        }
        assertThat(directory.resolve("f")).doesNotExist();
        try (PartFile part = open(version)) {
            assertThat(part.sizeBytes()).isEqualTo(2);
            part.append(new byte[] {3, 4}, 2);
            assertThat(part.sha256()).isEqualTo("9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a");
            part.publish(version);
        }
        assertThat(directory.resolve("f")).hasBinaryContent(new byte[] {1, 2, 3, 4});
        assertThat(Files.getLastModifiedTime(directory.resolve("f")).toInstant())
                .isEqualTo(Instant.ofEpochSecond(7));
        assertThat(files()).isEqualTo(1);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void anotherVersionBeginsAnew() throws IOException {
        try (PartFile part = open(version("old", 4))) {
            part.append(new byte[] {1, 2}, 2);
        }
        try (PartFile part = open(version("new", 4))) {
            assertThat(part.sizeBytes()).isZero();
        }
        assertThat(files()).as("the old one is gone").isEqualTo(1);
    }

    @Test
    void aPartThatIsTooLongBeginsAnew() {
        try (PartFile part = open(version("v", 4))) {
            part.append(new byte[9], 9);
        }
        try (PartFile part = open(version("v", 4))) {
            assertThat(part.sizeBytes()).isZero();
        }
    }

    @Test
    void oneProcessAtATimeWritesIt() {
        FarFile version = version("v", 4);
        PartFile part = open(version);
        try (part) {
            assertThatThrownBy(() -> open(version))
                    .isInstanceOfSatisfying(CommandException.class, busy -> assertThat(busy.exitCode())
                            .isEqualTo(ExitCode.BUSY));
        }
        open(version).close();
    }

    @Test
    void aDirectoryThatIsNotThereIsAStorageError() {
        assertThatThrownBy(() -> PartFile.open(directory.resolve("no/f"), SOURCE, version("v", 4)))
                .isInstanceOfSatisfying(CommandException.class, failed -> assertThat(failed.exitCode())
                        .isEqualTo(ExitCode.STORAGE));
    }

    @Test
    void aPathIsATopicAndAName() {
        assertThat(FarPath.parse("site-b:/a//b/")).isEqualTo(new FarPath("site-b", "a/b"));
        assertThat(FarPath.parse("site-b:/a//b/").name()).isEqualTo("b");
        assertThat(FarPath.parse("site-b")).isEqualTo(new FarPath("site-b", "")).hasToString("site-b");
        assertThat(ReceiveCommand.defaultName("t", "a b", "h\u00fc".repeat(100)))
                .startsWith("receive-a_b-h_h_")
                .hasSize(128);
    }
}
