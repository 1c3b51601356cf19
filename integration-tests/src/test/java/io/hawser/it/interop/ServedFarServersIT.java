package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Shell;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real clients read what agent-b finds at a real server; and the server is killed in the middle of a file. One chain for all:
 * agent-b is sent to one server after the other.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("full")
class ServedFarServersIT {
    private static final long BIG_BYTES = 128L << 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    static Path directory;

    @SuppressWarnings("NullAway.Init") // start() sets it
    private Path samples;

    @SuppressWarnings("NullAway.Init") // start() sets it
    private ProcessChain chain;

    @BeforeAll
    void start() throws IOException {
        samples = Files.createDirectories(directory.resolve("samples/in"));
        SampleFile.write(samples.resolve("big"), BIG_BYTES, 1);
        SampleFile.write(samples.resolve("f"), 5_000_001, 2);
        Files.createDirectories(samples.resolve("tree/sub dir/-d"));
        SampleFile.write(samples.resolve("tree/a"), 5000, 3);
        SampleFile.write(samples.resolve("tree/sub dir/x [1] y"), 70_000, 4);
        Files.createFile(samples.resolve("tree/sub dir/-d/.empty"));
        chain = new ProcessChain(directory.resolve("chain"));
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
    }

    @AfterAll
    void end() {
        chain.close();
    }

    private void serve(FarServerProcess server, String url) throws Exception {
        shell(samples, "cp -rl . '%s'".formatted(server.root().resolve("in")));
        if (chain.isRunning(Part.AGENT_B)) {
            chain.kill(Part.AGENT_B);
        }
        chain.into(url).start(Part.AGENT_B);
    }

    @Test
    void vsftpd() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            serve(server, "ftp://127.0.0.1:" + server.port() + "/in");
            Path work = work("vsftpd-work");
            whatEverybodyReads(work);
            goesOn(server, "curl", "curl -sS -o big $FTP/big", work);
        }
    }

    @Test
    void pyftpdlib() throws Exception {
        try (FarServerProcess server = FarServerProcess.pyftpdlib(directory.resolve("pyftpdlib"), 0)) {
            serve(server, "ftp://127.0.0.1:" + server.port() + "//in/");
            Path work = work("pyftpdlib-work");
            whatEverybodyReads(work);
            goesOn(server, "lftp", "lftp -c 'set xfer:use-temp-file off; open '$FTP'; get big'", work);
        }
    }

    @Test
    void globus() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("globus"))) {
            serve(server, "gridftp://127.0.0.1:" + server.port() + server.root() + "/in");
            Path work = work("globus-work");
            whatEverybodyReads(work);
            shell(work, "globus-url-copy -p 4 -verify-checksum $FTP/f file://$PWD/g && cmp g $THERE/f");
            shell(work, "globus-url-copy -r -cd $FTP/tree/ file://$PWD/guc/ && diff -r -x -d guc $THERE/tree");
            goesOn(server, "globus-url-copy", "globus-url-copy -p 4 -fast $FTP/big file://$PWD/big", work);
        }
    }

    /** A client each that lists, asks for sizes and times, takes ranges, goes on, and reads in parallel. */
    private void whatEverybodyReads(Path work) throws Exception {
        shell(
                work,
                "for i in $(seq 100); do if curl -sS $FTP/ > listing; then break; fi; sleep 0.1; done; cat listing");
        shell(
                work,
                "curl -sS -r 1000000-1000099 -o r $FTP/f && test $(stat -c %s r) = 100 && cmp -n 100 -i 0:1000000 r $THERE/f");
        shell(work, "head -c 2000000 $THERE/f > c && curl -sS -C - -o c $FTP/f && cmp c $THERE/f");
        shell(work, "curl -sS -I $FTP/f | grep 'Content-Length: 5000001'");
        shell(work, "if curl -sS $FTP/none; then exit 1; else test $? = 78; fi");
        shell(
                work,
                "lftp -c \"open $FTP; mirror tree lftp; pget -n 4 f -o p\" && diff -r lftp $THERE/tree && cmp p $THERE/f");
        shell(work, "wget -q -O w $FTP/f && cmp w $THERE/f");
    }

    /** The client is held while the server is killed, so that it is in the middle whatever its speed. */
    private void goesOn(FarServerProcess server, String client, String command, Path work) throws Exception {
        Program.needs(client);
        Path got = work.resolve("big");
        Process process = Program.start(work, work.resolve("output"), "bash", "-c", places() + "exec " + command);
        try {
            Awaitility.await("the middle of the file")
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> !process.isAlive() || (Files.exists(got) && Files.size(got) > BIG_BYTES / 16));
            Shell.signal("STOP", process.pid());
            server.kill();
            Shell.signal(
                    "CONT",
                    process.pid()); // agent-b reads no further, and notices nothing, for a client that takes nothing
            Awaitility.await("agent-b to notice")
                    .until(() -> chain.node(Part.AGENT_B).log().contains("a download from the far server failed"));
            server.restart();
            assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(() -> client + "; " + chain.node(Part.AGENT_B).log())
                    .isZero();
        } finally {
            process.toHandle().destroyForcibly();
        }
        assertThat(Files.mismatch(got, samples.resolve("big"))).isEqualTo(-1);
        Files.delete(got);
    }

    private static Path work(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    private String places() {
        return "set -e -o pipefail; FTP=ftp://%s THERE='%s'; ".formatted(chain.ftp(), samples);
    }

    private void shell(Path work, String script) throws Exception {
        Program.run(work, "bash", "-c", places() + script).succeeded();
    }
}
