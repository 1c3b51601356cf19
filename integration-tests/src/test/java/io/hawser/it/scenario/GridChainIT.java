package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.file.CredentialFile;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A grid user's own programs in front, a real globus-gridftp-server behind, and what is delivered there is delivered as that user:
 * globus-url-copy or gfal2 → agent-a → broker → agent-b → globus-gridftp-server, by GSI at both ends.
 */
class GridChainIT extends Scenario {
    /** Of a program that the C library ended. gfal-copy of Debian corrupts its own memory now and then ("free(): invalid pointer"). */
    private static final int ABORTED = 134;

    private static final String TLS_1_2 = "GLOBUS_GSSAPI_MAX_TLS_PROTOCOL=TLS1_2_VERSION";

    private GridPki pki;
    private Credential anna;
    private Path proxy;
    private Path agent;
    private Path host;
    private FarServerProcess server;

    @BeforeEach
    void grid() throws Exception {
        pki = GridPki.in(directory.resolve("grid"));
        anna = pki.user("Anna");
        proxy = pki.write("proxy.pem", pki.proxy(anna, ProxyForm.FULL));
        host = pki.write("host.pem", pki.host());
        Credential agentB = pki.user("Agent B");
        agent = pki.write("agent-b.pem", agentB);
        Path recipients = Files.createDirectories(directory.resolve("recipients"));
        Files.writeString(
                recipients.resolve("site-b.pem"),
                GridPki.pem("CERTIFICATE", agentB.leaf().getEncoded()));
        chain.with(
                Part.AGENT_A,
                "--gridftp",
                "127.0.0.1:0",
                "--grid-mapfile",
                pki.map(anna, "anna").toString(),
                "--host-cert",
                host.toString(),
                "--host-key",
                host.toString(),
                "--trusted-cas",
                pki.trustDirectory().toString(),
                "--delegate-to",
                recipients.toString());
        chain.with(
                Part.AGENT_B,
                "--host-cert",
                agent.toString(),
                "--host-key",
                agent.toString(),
                "--trusted-cas",
                pki.trustDirectory().toString());
    }

    @AfterEach
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    /** The account that the server maps Anna to: another one than that of the tests, where they may do that. */
    private static String account() {
        String own = System.getProperty("user.name");
        return own.equals("root") ? "nobody" : own;
    }

    private void serve(Credential known, String account, String... environment) throws Exception {
        Path map = Files.writeString(directory.resolve("far-map"), "\"" + known.identity() + "\" " + account + "\n");
        List<String> all = new ArrayList<>(List.of(
                "X509_CERT_DIR=" + pki.trustDirectory(),
                "X509_USER_CERT=" + host,
                "X509_USER_KEY=" + host,
                "GRIDMAP=" + map));
        all.addAll(List.of(environment));
        server = FarServerProcess.globusWithGsi(directory.resolve("globus"), all);
        Path in = Files.createDirectories(server.root().resolve("in"));
        Files.setPosixFilePermissions(in, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (Path way = in.getParent(); way.startsWith(directory); way = way.getParent()) {
            Files.setPosixFilePermissions(way, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        chain.into(server.url("in"));
    }

    private String gsiftp(String path) {
        return "gsiftp://127.0.0.1:"
                + chain.node(Part.AGENT_A).address("gridftp").port() + "/" + path;
    }

    private Program.Result copy(Path credential, String options, String from, String to, String... environment)
            throws Exception {
        List<String> command = new ArrayList<>(
                List.of("env", "X509_CERT_DIR=" + pki.trustDirectory(), "X509_USER_PROXY=" + credential));
        command.addAll(List.of(environment));
        command.add("globus-url-copy");
        command.addAll(List.of(options.split(" ")));
        command.removeIf(String::isEmpty);
        command.addAll(List.of(from, to));
        Program.needs("globus-url-copy");
        return Program.run(directory, command.toArray(String[]::new));
    }

    private Path there(String name) {
        return server.root().resolve("in").resolve(name);
    }

    private void awaitThere(Path source, String name) throws IOException {
        await(name + " at the far server").until(() -> Files.exists(there(name)));
        assertThat(Files.mismatch(source, there(name))).isEqualTo(-1);
    }

    private void assertDeliveredAsAnna(String name) throws IOException {
        assertThat(Files.getOwner(there(name)).getName()).isEqualTo(account());
        int unused = chain.stop(Part.AGENT_B); // the server writes of a session when it ends
        await("the server's log")
                .until(() -> server.log().contains(anna.identity().toString()));
        assertThat(server.log()).doesNotContain("CN=Agent B");
    }

    @Test
    void uploadEndsAtTheFarServerUnderTheUsersOwnIdentity() throws Exception {
        uploadsAsAnna("-p 4", "");
    }

    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    @ParameterizedTest
    @CsvSource({"'', ''", "-p 4, " + TLS_1_2, "-p 4 -dcpriv, ''", "-cd -nodcau, ''"})
    void allKindsOfUploadsDo(String options, String environment) throws Exception {
        uploadsAsAnna(options, environment);
    }

    private void uploadsAsAnna(String options, String environment) throws Exception {
        serve(anna, account());
        chain.with(Part.AGENT_B, "--into-as-user", "--serve", "off").startAll();
        Path source = sample("f", 5 * MIB + 3, 1);
        String[] tls = environment.isEmpty() ? new String[0] : new String[] {environment};

        copy(proxy, options, "file://" + source, gsiftp("sub/f"), tls).succeeded();

        awaitThere(source, "sub/f");
        await("the receipt").until(() -> receipts("sub/f", "delivered") == 1);
        assertDeliveredAsAnna("sub/f");
    }

    @Test
    void nothingOfACredentialIsInClearWhereItPassed() throws Exception {
        serve(anna, account());
        chain.with(Part.AGENT_B, "--into-as-user", "--serve", "off").startAll();
        Path source = sample("f", 1000, 1);

        copy(proxy, "", "file://" + source, gsiftp("f")).succeeded();
        awaitThere(source, "f");
        chain.killAll();

        for (Part part : List.of(Part.BROKER, Part.AGENT_A, Part.AGENT_B)) {
            for (String file : filesBelow(chain.data(part))) {
                assertThat(file)
                        .as("a file of " + part)
                        .doesNotContain("PRIVATE KEY")
                        .doesNotContain(publicKeyOfAnna());
            }
            assertThat(Files.readString(chain.logFile(part))).doesNotContain("PRIVATE KEY");
        }
    }

    /** In DER, Anna's certificate holds her public key, which travels with each proxy: in clear it would be found. */
    private String publicKeyOfAnna() {
        byte[] key = anna.leaf().getPublicKey().getEncoded();
        return new String(key, 60, 100, StandardCharsets.ISO_8859_1);
    }

    private static List<String> filesBelow(Path directory) throws IOException {
        List<String> found = new ArrayList<>();
        try (var files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                found.add(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(found).isNotEmpty();
        return found;
    }

    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    @Test
    void uploadWaitsWithAReasonForAUserWhoseCredentialHasRunOutAndGoesOnWithAFreshOne() throws Exception {
        serve(anna, account());
        chain.with(Part.AGENT_B, "--into-as-user", "--serve", "off");
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path source = sample("f", 1000, 1);
        Credential brief = pki.proxyFor(anna, Duration.ofSeconds(20));

        copy(pki.write("brief.pem", brief), "", "file://" + source, gsiftp("f")).succeeded();
        Instant end = brief.notAfter();
        await("the end of the credential").until(() -> Instant.now().isAfter(end));
        chain.start(Part.AGENT_B);
        awaitHop(Part.AGENT_B, "f", HopStatus.toSubscription(ProcessChain.SUBSCRIPTION), hop -> hop.reason()
                .contains("the credential that " + anna.identity() + " delegated has expired at"));
        assertThat(there("f")).doesNotExist();
        copy(proxy, "", "file://" + source, gsiftp("g")).succeeded();

        awaitThere(source, "g");
        awaitThere(source, "f");
        assertDeliveredAsAnna("f");
    }

    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    @Test
    void withoutThatAgentBLogsInAsItself() throws Exception {
        Credential itself = new CredentialFile(agent, agent).get();
        serve(itself, System.getProperty("user.name"));
        chain.startAll();
        Path source = sample("f", 20 * MIB, 1);
        Path got = directory.resolve("got");

        copy(proxy, "-p 4", "file://" + source, gsiftp("f")).succeeded();
        awaitThere(source, "f");
        await("the receipt").until(() -> receipts("f", "delivered") == 1);
        copy(proxy, "-p 4", gsiftp("f"), "file://" + got).succeeded();

        assertThat(Files.mismatch(source, got)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", TLS_1_2})
    void gfalCopiesBothWaysAndComparesChecksums(String environment) throws Exception {
        Program.needs("gfal-copy");
        Credential itself = new CredentialFile(agent, agent).get();
        serve(itself, System.getProperty("user.name"));
        chain.startAll();
        Path source = sample("f", 5 * MIB, 1);
        Path got = directory.resolve("got");

        gfal(environment, "-p", "--checksum", "MD5", "file://" + source, gsiftp("d/f"));
        awaitThere(source, "d/f");
        gfal(environment, gsiftp("d/f"), "file://" + got);

        assertThat(Files.mismatch(source, got)).isEqualTo(-1);
    }

    private void gfal(String environment, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("env", "X509_CERT_DIR=" + pki.trustDirectory(), "X509_USER_PROXY=" + proxy));
        if (!environment.isEmpty()) {
            command.add(environment);
        }
        command.add("GFAL_PYTHONBIN=/usr/bin/python3"); // for which Debian's package is; another one may hide it
        command.addAll(List.of("gfal-copy", "-f"));
        command.addAll(List.of(arguments));
        Program.Result result = Program.run(directory, command.toArray(String[]::new));
        if (result.exitStatus() == ABORTED) {
            System.err.println("gfal-copy aborted (begun once more): " + result.output());
            result = Program.run(directory, command.toArray(String[]::new));
        }
        result.succeeded();
    }
}
