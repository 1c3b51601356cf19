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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unmodified clients in the middle of a file while broker and agent-b are killed with {@code kill -9} and started again. The client
 * is held (SIGSTOP) from before the kill until the nodes are back, so that it is in the middle whatever the machine's speed.
 */
@Tag("full")
class KilledNodesIT extends Recipes {
    private static final long SIZE = 256L << 20;

    @Override
    ProcessChain configure(ProcessChain fresh) {
        return fresh.with(Part.AGENT_A, "--data-peers", "127.0.0.1");
    }

    @BeforeAll
    void makeLargeFile() throws IOException {
        SampleFile.write(work.resolve("large"), SIZE, 9);
        Files.copy(work.resolve("large"), chain.target().resolve("far/large"));
    }

    @ParameterizedTest
    @CsvSource({
        "curl, curl -sS -o %2$s ftp://%1$s/far/large",
        "lftp, lftp -c 'set xfer:use-temp-file off; open ftp://%1$s; get far/large -o %2$s'",
        "globus-url-copy, globus-url-copy -p 4 -fast ftp://%1$s/far/large file://%2$s"
    })
    void downloadsGoOn(String client, String command) throws Exception {
        Program.needs(client);
        Path got = work.resolve("got-" + client);
        Process process = start(command.formatted(chain.ftp(), got), client);
        holdAndKill(process, () -> Files.exists(got) && Files.size(got) > SIZE / 4);
        assertThat(Files.mismatch(got, work.resolve("large"))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "curl, curl -sS --limit-rate 40M -T large ftp://%1$s/%2$s",
        "lftp, lftp -c 'set net:limit-rate 40000000; open ftp://%1$s; put large -o %2$s'",
        "globus-url-copy, globus-url-copy -p 4 -fast file://%3$s/large ftp://%1$s/%2$s"
    })
    void uploadsGoOn(String client, String command) throws Exception {
        Program.needs(client);
        String name = "put-" + client;
        Process process = start(command.formatted(chain.ftp(), name, work), client);
        holdAndKill(process, () -> received(name) > SIZE / 8);
        recipe(client, "same large $FAR/" + name);
    }

    /**
     * The client asks both servers to go on behind what it has heard to be safe. Its source is held until it has heard of something,
     * and until agent-a is back.
     */
    @Test
    void transferBetweenServersGoesOnThroughTheDeathOfAgentA() throws Exception {
        Program.needs("globus-url-copy");
        Path said = work.resolve("rst.out");
        try (FarServerProcess source = FarServerProcess.globus(directory.resolve("source"))) {
            Files.copy(work.resolve("large"), source.root().resolve("large"));
            String command =
                    "globus-url-copy -dbg -rst -rst-retries 20 -rst-interval 1 -p 2 ftp://127.0.0.1:%d%s/large ftp://%s/rst"
                            .formatted(source.port(), source.root(), chain.ftp());
            Process process = Program.start(work, said, "bash", "-c", "exec " + command);
            try {
                await(() -> received("rst") > SIZE / 8);
                source.signal("STOP");
                await(() -> Files.readString(said).contains("111 Range Marker"));
                Shell.signal("STOP", process.pid());
                chain.kill(Part.AGENT_A);
                chain.start(Part.AGENT_A);
                Shell.signal("CONT", process.pid());
                source.signal("CONT");
                assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).as(Files.readString(said)).isZero();
            } finally {
                process.toHandle().destroyForcibly();
                source.signal("CONT");
            }
        }
        assertThat(Files.readString(said).split("\nREST 0-[1-9]", -1))
                .as("both servers are told what need not be sent again")
                .hasSize(3);
        recipe("globus-url-copy", "same large $FAR/rst");
    }

    private long received(String name) {
        return chain.status(Part.BROKER, name).stream()
                .flatMap(status -> status.hops().stream())
                .mapToLong(hop -> hop.bytes().durableBytes())
                .max()
                .orElse(0);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(10)).until(condition);
    }

    private Process start(String command, String client) throws IOException {
        return Program.start(work, work.resolve(client + ".out"), "bash", "-c", "exec " + command);
    }

    private void holdAndKill(Process process, Callable<Boolean> inTheMiddle) throws Exception {
        try {
            await(() -> !process.isAlive() || inTheMiddle.call());
            Shell.signal("STOP", process.pid());
            chain.kill(Part.BROKER);
            chain.kill(Part.AGENT_B);
            chain.start(Part.BROKER);
            chain.start(Part.AGENT_B);
            Shell.signal("CONT", process.pid());
            assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.toHandle().destroyForcibly();
        }
    }
}
