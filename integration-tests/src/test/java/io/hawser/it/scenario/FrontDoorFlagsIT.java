package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.Program;
import io.hawser.it.harness.CommandRun;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README says of agent-a's flags for who comes in and how, and of renewed keys, with real clients. */
class FrontDoorFlagsIT extends Scenario {
    private static final int LOGIN_DENIED = 67;
    private static final int UPLOAD_FAILED = 25;
    private static final Pattern PASSIVE = Pattern.compile("229 .*\\(\\|\\|\\|([0-9]+)\\|\\)");

    private NodeProcess agentA(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "agent-a",
                "--spool",
                chain.data(Part.AGENT_A).toString(),
                "--ftp",
                "127.0.0.1:0",
                "--broker",
                "127.0.0.1:1",
                "--admin",
                "off",
                "--to",
                "site-b"));
        command.addAll(List.of(more));
        return NodeProcess.start(directory.resolve("agent-a.log"), command);
    }

    private Program.Result curl(String... arguments) throws Exception {
        Program.needs("curl");
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "-v", "--max-time", "30"));
        command.addAll(List.of(arguments));
        return Program.run(directory, command.toArray(String[]::new));
    }

    private static String url(NodeProcess agent, String path) {
        return "ftp://" + agent.address("ftp") + "/" + path;
    }

    @Test
    void requireTlsRefusesLoginsAndDataInClear() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        String source = sample("f", 100_000, 1).toString();
        String ca = keys.resolve("ca.crt").toString();
        String certificate = keys.resolve("agent-a.crt").toString();
        String key = keys.resolve("agent-a.key").toString();
        try (NodeProcess agent =
                agentA("--tls-cert", certificate, "--tls-key", key, "--require-tls", "--partial-listings")) {
            Program.Result clear = curl("-T", source, url(agent, "clear"));
            assertThat(clear.exitStatus()).as(clear.output()).isEqualTo(LOGIN_DENIED);

            Program.Result half = curl("--ftp-ssl-control", "--cacert", ca, "-T", source, url(agent, "half"));
            assertThat(half.exitStatus()).as(half.output()).isNotZero();
            assertThat(half.output()).contains("< 5");

            curl("--ssl-reqd", "--cacert", ca, "-T", source, url(agent, "whole"))
                    .succeeded();
            Program.Result listed = curl("--ssl-reqd", "--cacert", ca, "--list-only", url(agent, ""))
                    .succeeded();
            assertThat(listed.output())
                    .contains("whole")
                    .doesNotContain("clear")
                    .doesNotContain("half");
        }
    }

    @Test
    void tlsReuseRequireRefusesDataConnectionsOfAnotherSession() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        String source = sample("f", 100_000, 1).toString();
        String ca = keys.resolve("ca.crt").toString();
        String certificate = keys.resolve("agent-a.crt").toString();
        String key = keys.resolve("agent-a.key").toString();
        try (NodeProcess agent =
                agentA("--tls-cert", certificate, "--tls-key", key, "--tls-reuse", "require", "--partial-listings")) {
            for (String version : new String[] {"1.2", "1.3"}) {
                curl("--ssl-reqd", "--cacert", ca, "--tls-max", version, "-T", source, url(agent, "own" + version))
                        .succeeded();
                Program.Result other = curl(
                        "--ssl-reqd",
                        "--cacert",
                        ca,
                        "--tls-max",
                        version,
                        "--no-sessionid",
                        "-T",
                        source,
                        url(agent, "other" + version));
                assertThat(other.exitStatus()).as(other.output()).isNotZero();
            }
            Program.Result listed = curl(
                            "--ssl-reqd", "--cacert", ca, "--tls-max", "1.2", "--list-only", url(agent, ""))
                    .succeeded();
            assertThat(listed.output()).contains("own1.2").contains("own1.3").doesNotContain("other");
        }
    }

    @Test
    void passivePortsAreThoseThatWereNamed() throws Exception {
        String source = sample("f", 1000, 1).toString();
        int first = freePorts();
        try (NodeProcess agent = agentA("--passive-ports", first + "-" + (first + 1))) {
            for (int i = 0; i < 4; i++) {
                Program.Result sent = curl("-T", source, url(agent, "f" + i)).succeeded();
                Matcher told = PASSIVE.matcher(sent.output());
                assertThat(told.find()).as(sent.output()).isTrue();
                assertThat(Integer.parseInt(told.group(1))).isBetween(first, first + 1);
            }
        }
    }

    /** The first of two that nobody has. */
    private static int freePorts() throws IOException {
        while (true) {
            try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket next = new ServerSocket(one.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
                assertThat(next.getLocalPort()).isEqualTo(one.getLocalPort() + 1);
                return one.getLocalPort();
            } catch (BindException | IllegalArgumentException e) {
                assertThat(e)
                        .as("somebody has the next one: another pair is tried")
                        .isNotNull();
            }
        }
    }

    @Test
    void anonymousReadOpensItForReadingAndAnonymousWriteForBoth() throws Exception {
        String source = sample("f", 1000, 1).toString();
        try (NodeProcess agent = agentA("--anonymous", "write")) {
            curl("-T", source, url(agent, "there")).succeeded();
        }
        try (NodeProcess agent = agentA("--anonymous", "read")) {
            String got = directory.resolve("got").toString();
            curl("-o", got, url(agent, "there")).succeeded();
            assertThat(Path.of(got)).hasSameBinaryContentAs(Path.of(source));

            Program.Result refused = curl("-T", source, url(agent, "more"));
            assertThat(refused.exitStatus()).as(refused.output()).isEqualTo(UPLOAD_FAILED);
            assertThat(refused.output()).contains("< 55");
            assertThat(curl("-Q", "DELE there", url(agent, "")).exitStatus()).isNotZero();
            curl("-o", got, url(agent, "there")).succeeded();
        }
    }

    /** A real TLS client sees the new certificate at the same process; nodes go on, and what was revoked is of no use any more. */
    @Test
    void renewedKeysAreUsedWithoutARestart() throws Exception {
        Program.needs("openssl");
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        chain.withTls(keys);
        chain.startAll();
        Path source = sample("f", 3 * MIB, 1);
        upload(source, "before");
        awaitDelivered(source, "before");
        HostPort broker = chain.brokerPtcp();
        String old = shown(keys, broker);

        String renewed =
                CommandRun.of("keys", "renew", keys.toString()).succeeded().out();

        assertThat(renewed)
                .contains(
                        "broker:broker until ",
                        "agent-a:agent-a until ",
                        "agent-b:agent-b until ",
                        "client:client until ");
        await("the new certificate").until(() -> !shown(keys, broker).equals(old));
        assertThat(shown(keys, broker)).isEqualTo(serial(Files.readString(keys.resolve("broker.crt"))));
        upload(source, "after");
        awaitDelivered(source, "after");
        CommandRun.of(
                        "send",
                        source.toString(),
                        "--to",
                        "site-b",
                        "--wait",
                        "brokered",
                        "--broker",
                        broker.toString(),
                        "--state",
                        directory.resolve("state").toString(),
                        "--tls",
                        keys.toString())
                .succeeded();
        for (Part part : Part.values()) {
            assertThat(chain.node(part).isAlive())
                    .as(part + " was not restarted")
                    .isTrue();
        }
    }

    /** The serial number of the certificate that is shown there. */
    private String shown(Path keys, HostPort at) throws Exception {
        Program.Result said = Program.run(
                directory,
                "sh",
                "-c",
                "openssl s_client -connect " + at + " -cert '" + keys.resolve("client.crt") + "' -key '"
                        + keys.resolve("client.key") + "' -CAfile '" + keys.resolve("ca.crt") + "' < /dev/null");
        assertThat(said.output()).contains("-----BEGIN CERTIFICATE-----");
        return serial(said.output());
    }

    private String serial(String pem) throws Exception {
        Path file = Files.writeString(directory.resolve("shown.pem"), pem);
        return Program.run(directory, "openssl", "x509", "-noout", "-serial", "-in", file.toString())
                .succeeded()
                .output();
    }
}
