package io.hawser.it.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.SampleFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser up}, with a client. */
class UpIT {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private NodeProcess up() throws Exception {
        List<String> command = List.of(
                "up",
                "--data",
                directory.resolve("data").toString(),
                "--into",
                directory.resolve("into").toString(),
                "--listen",
                "127.0.0.1:0",
                "--ftp",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0");
        List<String> launcher = List.of("-Xmx192m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC");
        return NodeProcess.start(directory.resolve("log"), List.of(), launcher, Map.of(), command);
    }

    private void bringsOver(NodeProcess up, String name, long seed) throws Exception {
        Path source = directory.resolve("source");
        SampleFile.write(source, 3_000_001, seed);
        try (Curl curl = Curl.upload(up.address("ftp"), source, name)) {
            assertThat(curl.await(TestTimes.LIMIT)).isZero();
        }
        Path there = directory.resolve("into").resolve(name);
        Awaitility.await("the file").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
    }

    @Test
    void whatIsUploadedAppearsAlsoAfterItWasStoppedAndStartedAgain() throws Exception {
        try (NodeProcess up = up()) {
            bringsOver(up, "docs/first", 1);
            assertThat(up.stop()).as(up.log()).isEqualTo(ExitCode.OK.code());
        }
        try (NodeProcess up = up()) {
            bringsOver(up, "docs/second", 2);
            assertThat(up.stop()).as(up.log()).isEqualTo(ExitCode.OK.code());
        }
    }

    /** So that a browser may cancel and retry. */
    @Test
    void tokenIsMadeOnceAndForItsOwnerOnly() throws Exception {
        Path file = directory.resolve("data/admin-token");
        String made;
        try (NodeProcess up = up()) {
            made = Files.readString(file);
            assertThat(made.strip()).matches("[0-9a-f]{64}");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(up.stop()).as(up.log()).isEqualTo(ExitCode.OK.code());
        }
        try (NodeProcess up = up()) {
            assertThat(Files.readString(file)).isEqualTo(made);
            assertThat(up.stop()).as(up.log()).isEqualTo(ExitCode.OK.code());
        }
    }

    @Test
    void itIsForOneMachine() throws Exception {
        for (String flag : List.of("--listen", "--ftp", "--admin")) {
            CommandRun refused =
                    CommandRun.of("up", "--data", directory.resolve("data").toString(), flag, "0.0.0.0:0");
            assertThat(refused.code()).as(flag).isEqualTo(ExitCode.USAGE.code());
            assertThat(refused.log()).contains(flag, "one machine").hasLineCount(1);
        }
        assertThat(directory.resolve("data")).doesNotExist();
    }
}
