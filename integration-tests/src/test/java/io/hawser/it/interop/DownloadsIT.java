package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Real clients read what agent-b serves, through real nodes; also while these die. One chain for all. */
@TestInstance(Lifecycle.PER_CLASS)
class DownloadsIT {
    private static final int BIG_BYTES = 40_000_003;

    @SuppressWarnings("NullAway.Init") // start() sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // start() sets it
    private ProcessChain chain;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        chain = new ProcessChain(directory.resolve("chain")).startAll();
        Path tree = chain.target().resolve("tree");
        Files.createDirectories(tree.resolve("sub/deep"));
        SampleFile.write(chain.target().resolve("big"), BIG_BYTES, 1);
        SampleFile.write(tree.resolve("f"), 3_000_001, 2);
        SampleFile.write(tree.resolve("sub/\u00fcber alles"), 70_000, 3);
        SampleFile.write(tree.resolve("sub/deep/empty"), 0, 4);
    }

    @AfterAll
    void end() {
        chain.close();
    }

    private Path here(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    private String url(String path) {
        return "ftp://" + chain.ftp() + path;
    }

    private void run(Path where, String... command) throws Exception {
        Program.run(where, command).succeeded();
    }

    private void lftp(Path where, String script) throws Exception {
        run(where, "lftp", "-c", "set net:max-retries 3; open ftp://" + chain.ftp() + "; " + script);
    }

    private void assertSame(Path file, String original) throws IOException {
        assertThat(Files.mismatch(file, chain.target().resolve(original)))
                .as("first byte of " + file + " that differs")
                .isEqualTo(-1);
    }

    private void assertSameTree(Path tree) throws IOException {
        for (String name : new String[] {"f", "sub/\u00fcber alles", "sub/deep/empty"}) {
            assertSame(tree.resolve(name), "tree/" + name);
        }
    }

    @Test
    void curlGetsRangesAndContinues() throws Exception {
        Path where = here("curl");
        run(where, "curl", "-sS", "-o", "big", url("/big"));
        assertSame(where.resolve("big"), "big");
        Files.write(where.resolve("part"), Arrays.copyOf(Files.readAllBytes(where.resolve("big")), 5_000_000));
        run(where, "curl", "-sS", "-C", "-", "-o", "part", url("/big"));
        assertSame(where.resolve("part"), "big");
        run(where, "curl", "-sS", "-r", "100-199", "-o", "range", url("/big"));
        assertThat(Files.size(where.resolve("range"))).isEqualTo(100);
        assertThat(Program.run(where, "curl", "-sS", "-I", url("/big"))
                        .succeeded()
                        .output())
                .contains("Content-Length: " + BIG_BYTES)
                .contains("Accept-ranges: bytes");
        assertThat(Program.run(where, "curl", "-sS", url("/none")).exitStatus()).isEqualTo(78);
    }

    @Test
    void lftpMirrorsBothWaysAndGetsInParallel() throws Exception {
        Path where = here("lftp");
        lftp(where, "mirror tree there; pget -n 4 big -o parallel; mirror -R there back; mirror back again");
        assertSameTree(where.resolve("there"));
        assertSameTree(where.resolve("again"));
        assertSame(where.resolve("parallel"), "big");
    }

    @Test
    void wgetAndNcftpgetFetchTrees() throws Exception {
        Path where = here("wget");
        run(where, "wget", "-q", "-r", "-nH", url("/tree/"));
        assertSameTree(where.resolve("tree"));
        here("wget/nc");
        run(where, "ncftpget", "-V", "-R", "-P", "" + chain.ftp().port(), "127.0.0.1", "nc", "/tree");
        assertSameTree(where.resolve("nc/tree"));
    }

    @Test
    void aDownloadGoesOnThroughTheDeathOfTheFarEdgeAndOfTheBroker() throws Exception {
        Program.needs("curl");
        Path where = here("kill");
        Path got = where.resolve("big");
        Process curl = Program.start(
                where, where.resolve("out"), "curl", "-sS", "--limit-rate", "8M", "-o", "big", url("/big"));
        try {
            awaitSize(got, 4_000_000);
            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            awaitSize(got, 20_000_000);
            chain.kill(Part.BROKER);
            chain.start(Part.BROKER);
            assertThat(curl.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(curl.exitValue())
                    .as(Files.readString(where.resolve("out")))
                    .isZero();
        } finally {
            curl.destroyForcibly();
        }
        assertSame(got, "big");
    }

    private static void awaitSize(Path file, long bytes) {
        Awaitility.await(file + " of " + bytes + " bytes").until(() -> Files.exists(file) && Files.size(file) >= bytes);
    }
}
