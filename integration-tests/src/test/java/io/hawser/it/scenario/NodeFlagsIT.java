package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Flags and configuration files of nodes do what they say. */
class NodeFlagsIT extends Scenario {
    /** What curl ends with when a login was refused. */
    private static final int LOGIN_DENIED = 67;

    /** How many connections to the broker are established, as Linux lists them on the side of those who dialled. */
    private int connectionsToBroker() throws IOException {
        // "sl local_address rem_address st": addresses in hexadecimal, state 01 is ESTABLISHED.
        String line = String.format(
                Locale.ROOT,
                " *[0-9]+: [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:%04X 01 .*",
                chain.brokerPtcp().port());
        int count = 0;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            try (Stream<String> lines = Files.lines(Path.of(table))) {
                count += (int) lines.filter(text -> text.matches(line)).count();
            }
        }
        return count;
    }

    private void awaitConnections(int count) {
        await(count + " connections").until(this::connectionsToBroker, found -> found == count);
    }

    @Test
    void streamsAreDataConnectionsBesideTheOneForCommunication() throws Exception {
        Path file = directory.resolve("hawser.properties");
        Files.writeString(file, "# for all nodes\nagent-a.streams = 7\nagent-b.streams = 3\n");
        for (Part part : Part.values()) {
            chain.with(part, "--config", file.toString());
        }
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        awaitConnections(1 + 7);
        chain.start(Part.AGENT_B);
        awaitConnections(1 + 7 + 1 + 3);
        chain.kill(Part.AGENT_B);
        chain.with(Part.AGENT_B, "--streams", "2").start(Part.AGENT_B); // a flag is stronger than the file
        awaitConnections(1 + 7 + 1 + 2);

        Path source = sample("source", 5 * MIB, 1);
        upload(source, "file");
        awaitDelivered(source, "file");
    }

    @Test
    void whatTheFileSaysWronglyIsNamed() throws Exception {
        Path file = directory.resolve("hawser.properties");
        Files.writeString(file, "streams = many\nquta = 1GiB\n");
        CommandRun refused = CommandRun.of("agent-a", "--config", file.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.log())
                .contains("streams (configuration file)", "many", "'quta'")
                .doesNotContain("\tat ");
    }

    @Test
    void ftpBeyondLoopbackTakesTheAccountAndNobodyElse() throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        Path source = sample("source", 1000, 1);
        List<String> command = List.of(
                "agent-a",
                "--spool",
                chain.data(Part.AGENT_A).toString(),
                "--ftp",
                "0.0.0.0:0",
                "--user",
                "anna",
                "--password-file",
                password.toString(),
                "--broker",
                "127.0.0.1:1",
                "--admin",
                "off",
                "--to",
                "site-b");
        try (NodeProcess agent = NodeProcess.start(directory.resolve("agent-a.log"), command)) {
            HostPort ftp = new HostPort("127.0.0.1", agent.address("ftp").port());
            assertThat(agent.address("ftp").isLoopback()).isFalse();
            assertThat(upload(ftp, source, "-u", "anna:correct horse")).isZero();
            assertThat(upload(ftp, source, "-u", "anna:wrong")).isEqualTo(LOGIN_DENIED);
            assertThat(upload(ftp, source, "-u", "bert:correct horse")).isEqualTo(LOGIN_DENIED);
            assertThat(upload(ftp, source)).as("anonymous").isEqualTo(LOGIN_DENIED);
            assertThat(agent.log()).doesNotContain("correct horse");
        }
    }

    @Test
    void passwordFileThatOthersCanReadIsRefused() throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));

        CommandRun refused = CommandRun.of(
                "agent-a", "--broker", "127.0.0.1:1", "--user", "anna", "--password-file", password.toString());

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(refused.log())
                .contains(password + " can be read or written by others (rw-r--r--): chmod 600 " + password)
                .doesNotContain("\tat ");
    }

    private int upload(HostPort ftp, Path source, String... options) throws Exception {
        try (Curl curl = Curl.upload(ftp, source, "file", options)) {
            return curl.await(LIMIT);
        }
    }
}
