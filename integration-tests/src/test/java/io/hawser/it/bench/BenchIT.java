package io.hawser.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.bench.report.BenchDocument;
import io.hawser.it.harness.CommandRun;
import io.hawser.ops.observe.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser bench} measures to its end and prints its figures. */
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
        String said = CommandRun.ofLab(
                        List.of(
                                "-Xmx128m",
                                "-Dhawser.node.options=" + System.getProperty("hawser.node.options", ""),
                                "-Dhawser.node.classpath=" + System.getProperty("hawser.node.classpath", "")),
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

    private static final String MACHINE = "on \\d+ x .+, .+iB, Linux .+, .+ on .+; load .*";

    private static String row(String name, String unit) {
        return Pattern.quote(name) + " +[0-9.]+ +[0-9.]+\\.\\.[0-9.]+ " + unit + ".*";
    }

    @Test
    void chainPrintsTheDiskTheRunsAndTheirStages() throws Exception {
        String disk = ".*3 concurrent forced writers [1-9]\\d* MB/s each.*";
        hasLines(
                bench("chain", "--size", "8MiB"),
                "bench chain: 8 MiB by FTP, 1 cold and 1 warm runs",
                MACHINE,
                "--size 8MiB, --runs 1",
                disk,
                "cold +[1-9]\\d* MB/s +client to delivered, [0-9.]+ s",
                "warm 1 +[1-9]\\d* MB/s +client to delivered, [0-9.]+ s",
                disk,
                row("cold: last byte left the client", "s"),
                row("warm: final reply (spooled)", "s"),
                row("warm: durable at the broker", "s"),
                row("warm: processor time of broker", "s"),
                row("warm: client to delivered", "MB/s") + " %",
                "all bytes compared equal",
                "limit: three concurrent forced writers on the same disk, each");
    }

    @Test
    void smallPrintsADocument() throws Exception {
        BenchDocument document = Json.read(
                bench("small", "--files", "200", "--json").getBytes(StandardCharsets.UTF_8), BenchDocument.class);
        assertThat(document.bench()).isEqualTo("small");
        assertThat(document.good()).isTrue();
        assertThat(document.parameters()).containsEntry("--files", "200").containsEntry("--runs", "1");
        assertThat(document.figures()).hasSize(2).allSatisfy(figure -> {
            assertThat(figure.unit()).isEqualTo("files/s");
            assertThat(figure.values()).hasSize(1);
            assertThat(figure.limit()).isNotNull();
            assertThat(figure.share()).isPositive();
        });
        assertThat(document.notes()).containsExactly("all 400 files arrived");
    }

    @Test
    void crowdPrintsTheRatesAndWhatStandingStillCosts() throws Exception {
        hasLines(
                bench("crowd", "--size", "8MiB", "--uploads", "24"), // more than agent-a has buffers
                "bench crowd: 24 uploads at once, beside one of 8 MiB, 1 cold and 1 warm runs",
                "cold +one [1-9]\\d* MB/s, 24 at once [1-9]\\d* MB/s",
                row("one", "MB/s"),
                row("24 at once, together", "MB/s"),
                row("one beside 24 that stand still", "MB/s"),
                Pattern.quote("each that stands still: heap of broker") + " +-?[0-9.]+ .* KiB .*",
                "all bytes compared equal");
    }

    @Test
    void fanoutPrintsTheRatesAndWhatWentToTheBroker() throws Exception {
        hasLines(
                bench("fanout", "--size", "8MiB", "--ends", "2"),
                "bench fanout: 8 MiB by FTP to each of several far ends, .*",
                MACHINE,
                " 2 ends +cold +[0-9.]+ s",
                row("2 ends, cold: to each", "MB/s"),
                // Not once for each end; on a busy machine a tail may leave twice.
                row("2 ends, warm: to each", "MB/s") + "sent to the broker, x the file 1\\.[0-9]{2}",
                "all bytes compared equal");
        assertThat(CommandRun.ofLab(List.of(), "bench", "fanout", "--ends", "2,x")
                        .log())
                .contains("'x' is no number of far ends; give numbers from 1 to 64")
                .doesNotContain("\tat ");
    }

    @Test
    void tlsPrintsTheRatesWithItAndWithoutIt() throws Exception {
        Program.needs("globus-url-copy");
        Program.needs("globus-gridftp-server");
        hasLines(
                bench("tls", "--size", "8MiB"),
                "bench tls: 8 MiB with TLS and without, 1 turns to warm up and 1 that count",
                MACHINE,
                row("loopback, client to delivered: plain between the nodes", "MB/s"),
                row("loopback, client to delivered: mutual TLS between the nodes by BoringSSL", "MB/s")
                        + "x the plain time [0-9.]+.*",
                row("loopback, client to delivered: the same by the JDK", "MB/s") + "x the plain time [0-9.]+.*",
                row("gsiftp, upload: agent-a, PROT P", "MB/s") + "x the server's time [0-9.]+.*",
                row("gsiftp, upload until forced: globus-gridftp-server, PROT P", "MB/s"),
                row("gsiftp, download: agent-a, PROT P", "MB/s") + "x the server's time [0-9.]+.*",
                "all bytes compared equal");
    }

    @Test
    @Tag("full")
    void hostilePrintsTheRateBesideEachAttack() throws Exception {
        hasLines(
                bench("hostile", "--size", "8MiB"),
                "bench hostile: 8 MiB by FTP, alone and beside each kind of attack at the broker, 1 runs by turns",
                row("alone", "MB/s") + "ms to make a session [0-9.]+.*",
                row("beside packets without OPEN", "MB/s") + "x alone [0-9.]+.*",
                row("beside packets with a wrong CRC", "MB/s") + ".*",
                row("beside CANCELs of unknown keys", "MB/s") + ".*",
                row("beside subscriptions", "MB/s") + ".*",
                row("beside sessions", "MB/s") + ".*",
                row("beside silent TCP connections", "MB/s") + ".*",
                "all bytes compared equal");
    }

    @Test
    void ptcpPrintsTheRatesOfTheSocketsBesideEachOther() throws Exception {
        hasLines(
                bench("ptcp", "--size", "256MiB", "--streams", "2"),
                "bench ptcp: 2 streams, 1 runs by turns",
                row("loopback | PTCPSocket", "Mbit/s"),
                row("loopback | PTCPSocket, warm", "Mbit/s"),
                row("loopback | plain sockets", "Mbit/s"),
                row("loopback | plain sockets, warm", "Mbit/s"));
    }

    /** A stage that is not seen any more would be missed here: files and messages are known by their names. */
    @Test
    void phasesSeesEveryStageOfAWarmUpload() throws Exception {
        BenchDocument document = Json.read(
                bench("phases", "--size", "24MiB", "--json").getBytes(StandardCharsets.UTF_8), BenchDocument.class);
        assertThat(document.good()).isTrue();
        List<String> stages = document.figures().stream()
                .flatMap(figure -> Optional.ofNullable(figure.of().get("stage")).stream())
                .toList();
        assertThat(stages)
                .contains(
                        "client: writes to the data connection",
                        "agent-a: SHA-256",
                        "agent-a: spool: writes of the content",
                        "agent-a to broker: OPEN sent, until the first packet is there",
                        "agent-a to broker: packets on their way",
                        "broker: log: writes",
                        "broker: log: forces",
                        "broker: index (H2): records applied, commits",
                        "broker to agent-b: packets on their way",
                        "agent-b: landing file: writes",
                        "agent-b: landing file: forces",
                        "agent-b: verification: read back",
                        "agent-b: verification: SHA-256",
                        "agent-b: publication: rename, force of the directory",
                        "agent-a to broker: COMMIT sent, until COMMITTED is back",
                        "agent-b to agent-a: receipt sent, until it is there");
        assertThat(document.figures())
                .filteredOn(figure -> figure.of().containsKey("phase"))
                .hasSize(6);
    }

    @Test
    @Tag("full")
    void profileDividesTheProcessorTimeOfEachNode() throws Exception {
        hasLines(
                bench("profile", "--size", "64MiB"),
                "bench profile: where the nodes' processor time goes in 1 warm uploads of 64 MiB",
                row("agent-a | all", "ms/GiB"),
                row("broker | all", "ms/GiB"),
                row("agent-b | all", "ms/GiB"),
                "all bytes compared equal");
    }

    @Test
    void linksSaysWhatItNeeds() throws Exception {
        CommandRun run = CommandRun.ofLab(List.of(), "bench", "links");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.log()).contains("this bench needs the link emulator: give its directory with --wan DIR");
        String nowhere = directory.resolve("nowhere").toString();
        assertThat(CommandRun.ofLab(List.of(), "bench", "links", "--wan", nowhere)
                        .log())
                .contains("holds no link emulator", "run make there")
                .doesNotContain("\tat ");
    }
}
