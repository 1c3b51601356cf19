package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.common.model.GridCredential;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.TransferState;
import io.hawser.common.testkit.Program;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified globus-url-copy with {@code gsiftp://}: it authenticates, delegates, and secures its data connections. */
class GsiGlobusTest {
    private static final String TLS_1_2 = "GLOBUS_GSSAPI_MAX_TLS_PROTOCOL=TLS1_2_VERSION";

    @TempDir
    static Path grid;

    @TempDir
    Path directory;

    private static GridPki pki;
    private static Credential anna;
    private static Path host;
    private static Path proxy;

    private FtpFixture ftp;

    @BeforeAll
    static void grid() throws Exception {
        Program.needs("globus-url-copy");
        pki = GridPki.in(grid);
        anna = pki.user("Anna");
        host = pki.write("host.pem", pki.host());
        proxy = pki.write("proxy.pem", pki.proxy(anna, ProxyForm.FULL));
    }

    private void start(boolean legacyProxies) throws Exception {
        start(host, legacyProxies);
    }

    private void start(Path hostCredential, boolean legacyProxies) throws Exception {
        GsiFiles files = GsiFiles.open(
                hostCredential, hostCredential, pki.trustDirectory(), pki.map(anna, "anna"), legacyProxies);
        ftp = FtpFixture.start(config -> config.withGridftp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withGsi(files));
    }

    @AfterEach
    void stop() {
        if (ftp != null) {
            ftp.close();
            assertThat(ftp.pool.available()).as("buffers given back").isEqualTo(ftp.pool.capacity());
        }
    }

    private String url(String path) {
        return "gsiftp://127.0.0.1:"
                + ftp.server.address(FtpDoor.GRIDFTP).orElseThrow().getPort() + path;
    }

    private String local(String name) {
        return "file://" + directory + "/" + name;
    }

    private Program.Result copy(List<String> environment, String options, String from, String... to) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "X509_CERT_DIR=" + pki.trustDirectory()));
        command.addAll(environment);
        command.addAll(List.of("globus-url-copy", "-dbg"));
        command.addAll(List.of(options.split(" ")));
        command.removeIf(String::isEmpty);
        command.add(from);
        command.addAll(List.of(to));
        return Program.run(directory, command.toArray(String[]::new));
    }

    private static List<String> as(Path credential, String... more) {
        List<String> environment = new ArrayList<>(List.of("X509_USER_PROXY=" + credential));
        environment.addAll(List.of(more));
        return environment;
    }

    private byte[] file(String name, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        return bytes;
    }

    private byte[] far(String name, int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        ftp.remote.connect().file(name, bytes);
        return bytes;
    }

    private void putsAndGets(List<String> environment, String options) throws Exception {
        byte[] bytes = file("f", 3_000_001);
        byte[] remote = far("in/f", 2_000_001);

        copy(environment, options, local("f"), url("/site-b/up/f")).succeeded();
        copy(environment, options, url("/site-b/in/f"), local("got")).succeeded();

        assertThat(ftp.spool.content("site-b", "up/f")).isEqualTo(bytes);
        assertThat(Files.readAllBytes(directory.resolve("got"))).isEqualTo(remote);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-nodcau",
                "",
                "-dcsafe",
                "-dcpriv",
                "-nodcau -p 4",
                "-p 4",
                "-p 4 -dcsafe",
                "-p 4 -dcpriv",
                "-fast",
                "-fast -dcpriv",
                "-p 1"
            })
    void putsAndGetsAFile(String options) throws Exception {
        start(false);

        putsAndGets(as(proxy), options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-dcpriv", "-p 4", "-p 4 -dcpriv"})
    void tls12WorksAsWell(String options) throws Exception {
        start(false);

        putsAndGets(as(proxy, TLS_1_2), options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-p 4", "-p 2 -dcpriv", "-nodcau -p 2"})
    void severalFilesGoOverTheSameConnections(String options) throws Exception {
        start(false);
        byte[] a = file("many/a", 3_000_000);
        byte[] b = file("many/b", 5);
        byte[] c = file("many/c", 0);
        byte[] x = far("tree/x", 1_000_000);
        byte[] y = far("tree/y", 7);

        Program.Result put = copy(as(proxy), options + " -cd", local("many/*"), url("/site-b/m/"));
        copy(as(proxy), options + " -r -cd", url("/site-b/tree/"), local("n/")).succeeded();

        assertThat(put.succeeded().output()).contains("125 Reusing");
        assertThat(ftp.spool.content("site-b", "m/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-b", "m/b")).isEqualTo(b);
        assertThat(ftp.spool.content("site-b", "m/c")).isEqualTo(c);
        assertThat(Files.readAllBytes(directory.resolve("n/x"))).isEqualTo(x);
        assertThat(Files.readAllBytes(directory.resolve("n/y"))).isEqualTo(y);
    }

    @Test
    void listsADirectory() throws Exception {
        start(false);
        far("tree/a", 10);
        far("tree/sub/b", 10);

        Program.Result result = copy(as(proxy), "-list", url("/site-b/tree/")).succeeded();

        assertThat(result.output()).contains("    a ").contains("    sub/\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIMITED", "LEGACY", "VOMS"})
    void otherProxiesAreTheirOwnersToo(ProxyForm form) throws Exception {
        start(true);

        putsAndGets(as(pki.write("other.pem", pki.proxy(legacyOwner(form), form))), "");
    }

    /** Globus takes a legacy proxy only of a certificate that says nothing of its key's use. */
    private static Credential legacyOwner(ProxyForm form) throws Exception {
        return form == ProxyForm.LEGACY ? pki.plainUser("Anna") : anna;
    }

    @Test
    void proxyOfAProxyIsItsOwnersToo() throws Exception {
        start(false);
        Credential second = pki.proxy(pki.proxy(anna, ProxyForm.FULL), ProxyForm.FULL);

        putsAndGets(as(pki.write("second.pem", second)), "");
    }

    @Test
    void userOfAnAuthorityBelowComesInWhereThatIsTrusted() throws Exception {
        Credential below = pki.intermediate("CA below for Anna");
        Path user = pki.write("below.pem", pki.proxy(pki.userOf(below, "Anna"), ProxyForm.FULL));
        try {
            pki.writeTrust(below, "/O=Test Grid/OU=Users/*");
            start(false);
            putsAndGets(as(user), "");
        } finally {
            pki.distrust(below);
        }
    }

    @Test
    void certificateWithoutAProxyWorksToo() throws Exception {
        start(false);
        Path user = pki.write("user.pem", anna);

        putsAndGets(List.of("X509_USER_CERT=" + user, "X509_USER_KEY=" + user), "");
    }

    @ParameterizedTest
    @CsvSource({"Ben, FULL, not mapped to an account", "Anna, LEGACY, legacy proxy"})
    void whoMayNotComeInIsTold(String name, ProxyForm form, String why) throws Exception {
        start(false);
        Path other = pki.write("other.pem", pki.proxy(pki.plainUser(name), form));
        file("f", 10);

        Program.Result result = copy(as(other), "", local("f"), url("/site-b/f"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains(why);
        assertThat(ftp.spool.all()).isEmpty();
    }

    @Test
    void proxyOfAForeignAuthorityIsRefused() throws Exception {
        start(false);
        GridPki rogue = GridPki.in(directory.resolve("rogue"), "Rogue CA");
        Path stranger = rogue.write("proxy.pem", rogue.proxy(rogue.user("Anna"), ProxyForm.FULL));
        Path both = Files.createDirectory(directory.resolve("both"));
        for (GridPki one : List.of(rogue, pki)) {
            Files.copy(one.trustDirectory().resolve(one.hash() + ".0"), both.resolve(one.hash() + ".0"));
            Files.copy(one.policyFile(), both.resolve(one.hash() + ".signing_policy"));
        }
        file("f", 10);

        Program.Result result = copy(as(stranger, "X509_CERT_DIR=" + both), "", local("f"), url("/site-b/f"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("no way leads");
    }

    @Test
    void clientRefusesAServerOfAnotherName() throws Exception {
        start(pki.write("wrong.pem", pki.host(new GeneralName(GeneralName.dNSName, "other.example.org"))), false);
        file("f", 10);

        assertThat(copy(as(proxy), "", local("f"), url("/site-b/f")).exitStatus())
                .isNotZero();
        assertThat(ftp.spool.all()).isEmpty();
    }

    @Test
    void clientWithoutGsiIsToldWhatIsMissing() throws Exception {
        start(false);
        file("f", 10);
        String clear = url("/site-b/f").replace("gsiftp", "ftp");

        Program.Result result = copy(as(proxy), "", local("f"), clear);

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("Must perform GSSAPI authentication");
    }

    @Test
    void whatIsDelegatedGoesOnSealedForTheFarEdgeOfItsTopicOnly() throws Exception {
        Credential edge = pki.host();
        Path recipients = Files.createDirectory(directory.resolve("recipients"));
        Files.writeString(
                recipients.resolve("site-b.pem"),
                GridPki.pem("CERTIFICATE", edge.leaf().getEncoded()));
        GsiFiles files = GsiFiles.open(host, host, pki.trustDirectory(), pki.map(anna, "anna"), false)
                .withRecipients(recipients);
        ftp = FtpFixture.start(config -> config.withGridftp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withGsi(files));
        file("f", 1_000);

        copy(as(proxy), "-cd", local("f"), url("/site-b/d/f")).succeeded();
        copy(as(proxy), "", local("f"), url("/site-c/f")).succeeded();

        for (TransferState state : ftp.spool.all()) {
            Manifest manifest = state.manifest();
            if (manifest.topic().name().equals("site-c")) {
                assertThat(GridCredential.of(manifest)).isEmpty();
                continue;
            }
            GridCredential told = GridCredential.of(manifest).orElseThrow();
            Credential opened = SealedCredential.open(told.sealedBytes(), edge.key(), told.purpose(manifest));
            assertThat(opened.identity()).isEqualTo(anna.identity());
            assertThat(told.identity()).isEqualTo(anna.identity().toString());
            assertThat(told.expiresMillis()).isEqualTo(opened.notAfter().toEpochMilli());
        }
        assertThat(ftp.spool.all().stream().map(state -> state.manifest().kind()))
                .contains(TransferKind.MAKE_DIRECTORY, TransferKind.FILE);
        assertThat(ftp.spool.all().stream()
                        .map(state -> state.manifest().topic().name()))
                .contains("site-b", "site-c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-dcpriv", "-p 4", "-p 2 -dcpriv", "-nodcau"})
    void copiesFromServerToServer(String options) throws Exception {
        start(false);
        byte[] bytes = far("f", 3_000_001);

        copy(as(proxy), options, url("/site-b/f"), url("/site-c/f")).succeeded();

        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(bytes);
    }
}
