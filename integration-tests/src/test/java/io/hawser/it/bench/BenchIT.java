package io.hawser.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser bench} measures to its end and prints its figures. */
@Timeout(120)
class BenchIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private String bench(String... words) throws Exception {
        String[] command = new String[words.length + 5];
        command[0] = "bench";
        System.arraycopy(words, 0, command, 1, words.length);
        String[] end = {"--runs", "1", "--dir", directory.resolve("bench").toString()};
        System.arraycopy(end, 0, command, words.length + 1, end.length);
        String said = CommandRun.of(
                        List.of("-Xmx128m", "-Dhawser.node.options=" + System.getProperty("hawser.node.options", "")),
                        command)
                .succeeded()
                .out();
        assertThat(directory.resolve("bench")).doesNotExist();
        return said;
    }

    private static void hasLines(String said, String... patterns) {
        String[] lines = said.strip().split("\n");
        int at = 0;
        for (String pattern : patterns) {
            while (at < lines.length && !lines[at].matches(pattern)) {
                at++;
            }
            assertThat(at)
                    .as("a line '%s', in its place, in%n%s", pattern, said)
                    .isLessThan(lines.length);
            at++;
        }
    }

    @Test
    void chainPrintsTheDiskTheRunsAndTheirStages() throws Exception {
        String rate = " +[1-9]\\d* MB/s";
        String disk = ".*3 concurrent forced writers" + rate + " each.*";
        String stages = " +last byte left the client [0-9.]+ s \\| final reply \\(spooled\\) [0-9.]+ s"
                + " \\| durable at the broker [0-9.]+ s \\| delivered [0-9.]+ s";
        String processors = " +processor time: agent-a [0-9.]+ s, broker [0-9.]+ s, agent-b [0-9.]+ s; of .*";
        hasLines(
                bench("chain", "--size", "8MiB"),
                "bench chain: 8 MiB by FTP, 1 cold and 1 warm runs, .*",
                disk,
                "cold" + rate + " +client to delivered, [0-9.]+ s",
                stages,
                processors,
                "warm 1" + rate + " +client to delivered, [0-9.]+ s",
                stages,
                processors,
                disk,
                "client to delivered +cold" + rate + ", warm" + rate + " \\(median\\)",
                "all bytes compared equal");
    }

    @Test
    void smallPrintsFilesPerSecond() throws Exception {
        String figures =
                " +[1-9]\\d* files/s +first send to last receipt, [0-9.]+ s \\| handed over [0-9.]+ s \\| brokered [0-9.]+ s";
        hasLines(
                bench("small", "--files", "200"),
                "bench small: 200 files of 4096 bytes through the Java API, 1 cold and 1 warm runs, .*",
                "cold" + figures,
                "warm 1" + figures,
                "all 400 files arrived");
    }

    @Test
    void fanoutPrintsTheRatesAndWhatWentToTheBroker() throws Exception {
        String figures = " +[0-9.]+ s +\\d+ MB/s to each, +\\d+ MB/s in all +sent to the broker: 1.00 x the file";
        hasLines(
                bench("fanout", "--size", "8MiB", "--ends", "2"),
                "bench fanout: 8 MiB by FTP to each of several far ends, .*",
                " 2 ends +cold" + figures,
                " 2 ends +warm 1" + figures,
                "all bytes compared equal");
        assertThat(CommandRun.of("bench", "fanout", "--ends", "2,x").log())
                .contains("'x' is no number of far ends; give numbers from 1 to 64")
                .doesNotContain("\tat ");
    }

    @Test
    void ptcpPrintsTheRatesOfTheSocketsBesideEachOther() throws Exception {
        String rates = " +[1-9][0-9.]* +[0-9.]+\\.\\. *[0-9.]+ *";
        hasLines(
                bench("ptcp", "--size", "8MiB", "--streams", "2"),
                "bench ptcp: 2 streams, 1 runs by turns, .*",
                "loopback +PTCPSocket" + rates,
                "loopback +plain sockets" + rates);
    }

    @Test
    void linksSaysWhatItNeeds() throws Exception {
        CommandRun run = CommandRun.of("bench", "links");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.log()).contains("bench links needs the link emulator: give its directory with --wan DIR");
        String nowhere = directory.resolve("nowhere").toString();
        assertThat(CommandRun.of("bench", "links", "--wan", nowhere).log())
                .contains("holds no link emulator", "run make there")
                .doesNotContain("\tat ");
    }
}
