package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import io.hawser.it.harness.Shell;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As {@link KilledNodesIT}, by GSI at both ends: globus-url-copy with {@code gsiftp://} in front, a globus-gridftp-server behind. Broker and
 * agent-b are killed with {@code kill -9} while the client is in the middle. One way runs with all full tests, more with the big ones.
 */
class KilledGridNodesIT {
    private static final long SIZE = 256L << 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private GridPki pki;
    private Path proxy;
    private ProcessChain chain;
    private FarServerProcess server;

    @BeforeEach
    void start() throws Exception {
        Program.needs("globus-url-copy");
        pki = GridPki.in(directory.resolve("grid"));
        Credential anna = pki.user("Anna");
        Credential agentB = pki.user("Agent B");
        proxy = pki.write("proxy.pem", pki.proxy(anna, ProxyForm.FULL));
        String host = pki.write("host.pem", pki.host()).toString();
        String agent = pki.write("agent-b.pem", agentB).toString();
        String trusted = pki.trustDirectory().toString();
        Path map = Files.writeString(
                directory.resolve("far-map"),
                "\"" + agentB.identity() + "\" " + System.getProperty("user.name") + "\n");
        server = FarServerProcess.globusWithGsi(
                directory.resolve("globus"),
                List.of(
                        "X509_CERT_DIR=" + trusted,
                        "X509_USER_CERT=" + host,
                        "X509_USER_KEY=" + host,
                        "GRIDMAP=" + map));
        Files.createDirectories(server.root().resolve("in"));
        String annasMap = pki.map(anna, "anna").toString();
        chain = new ProcessChain(directory.resolve("chain"))
                .into(server.url("in"))
                .with(Part.AGENT_A, "--gridftp", "127.0.0.1:0", "--grid-mapfile", annasMap)
                .with(Part.AGENT_A, "--host-cert", host, "--host-key", host, "--trusted-cas", trusted)
                .with(Part.AGENT_B, "--host-cert", agent, "--host-key", agent, "--trusted-cas", trusted)
                .startAll();
        SampleFile.write(directory.resolve("large"), SIZE, 9);
    }

    @AfterEach
    void end() {
        if (chain != null) {
            chain.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Process copy(String options, String from, String to) throws IOException {
        String command = "exec env X509_CERT_DIR='%s' X509_USER_PROXY='%s' globus-url-copy %s '%s' '%s'"
                .formatted(pki.trustDirectory(), proxy, options, from, to);
        return Program.start(directory, directory.resolve("client.out"), "bash", "-c", command);
    }

    private String gsiftp(String path) {
        return "gsiftp://127.0.0.1:"
                + chain.node(Part.AGENT_A).address("gridftp").port() + "/" + path;
    }

    @Test
    @Tag("full")
    void uploadGoesOn() throws Exception {
        uploadGoesOn("-p 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-p 1", "-p 4 -fast", "-p 4 -dcpriv"})
    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    void uploadGoesOnInOtherWays(String options) throws Exception {
        uploadGoesOn(options);
    }

    @Test
    @Tag("full")
    void downloadGoesOn() throws Exception {
        downloadGoesOn("-p 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-p 1", "-p 4 -fast", "-p 4 -dcpriv"})
    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    void downloadGoesOnInOtherWays(String options) throws Exception {
        downloadGoesOn(options);
    }

    private void uploadGoesOn(String options) throws Exception {
        Path there = server.root().resolve("in/f");

        holdAndKill(copy(options, "file://" + directory.resolve("large"), gsiftp("f")), () -> received("f") > SIZE / 8);

        await(() -> Files.exists(there));
        assertThat(Files.mismatch(directory.resolve("large"), there)).isEqualTo(-1);
    }

    private void downloadGoesOn(String options) throws Exception {
        Files.copy(directory.resolve("large"), server.root().resolve("in/f"));
        Path got = directory.resolve("got");

        holdAndKill(copy(options, gsiftp("f"), "file://" + got), () -> Files.exists(got) && Files.size(got) > SIZE / 4);

        assertThat(Files.mismatch(directory.resolve("large"), got)).isEqualTo(-1);
    }

    private long received(String name) {
        return chain.status(Part.BROKER, name).stream()
                .flatMap(status -> status.hops().stream())
                .mapToLong(hop -> hop.bytes().durableBytes())
                .max()
                .orElse(0);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(TestTimes.scaled(Duration.ofSeconds(90)))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
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
            assertThat(process.exitValue())
                    .as(Files.readString(directory.resolve("client.out")))
                    .isZero();
        } finally {
            process.toHandle().destroyForcibly();
        }
    }
}
