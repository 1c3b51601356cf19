package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.ClientPrograms;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.core.model.GridCredential;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Program;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import io.hawser.store.spool.TransferSnapshot;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified globus-url-copy with {@code gsiftp://}: it authenticates, delegates, and secures its data connections. */
class GsiGlobusTest extends ClientPrograms {
    private static final String TLS_1_2 = "GLOBUS_GSSAPI_MAX_TLS_PROTOCOL=TLS1_2_VERSION";

    @TempDir
    static Path grid;

    private static GridPki pki;
    private static Credential anna;
    private static Path host;
    private static Path proxy;

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
        start(pki, "127.0.0.1", hostCredential, legacyProxies);
    }

    private void start(GridPki site, String address, Path hostCredential, boolean legacyProxies) throws Exception {
        GsiFiles files = GsiFiles.open(
                hostCredential, hostCredential, site.trustDirectory(), site.map(anna, "anna"), legacyProxies);
        ftp = FtpFixture.start(config -> config.withGsi(files).withGridftp(new InetSocketAddress(address, 0)));
    }

    private static List<String> as(Path credential, String... more) {
        return within("X509_USER_PROXY=" + credential, more);
    }

    private static List<String> withKey(Path user) {
        return within("X509_USER_CERT=" + user, "X509_USER_KEY=" + user);
    }

    private static List<String> within(String first, String... more) {
        List<String> environment = new ArrayList<>(List.of("X509_CERT_DIR=" + pki.trustDirectory(), first));
        environment.addAll(List.of(more));
        return environment;
    }

    private void putsAndGets(List<String> environment, String options) throws Exception {
        byte[] bytes = file("f", 3_000_001);
        byte[] remote = far("in/f", 2_000_001);

        copy(environment, options, local("f"), gsiUrl("/site-b/up/f")).succeeded();
        copy(environment, options, gsiUrl("/site-b/in/f"), local("got")).succeeded();

        assertThat(ftp.spool.content("site-b", "up/f")).isEqualTo(bytes);
        assertThat(got("got")).isEqualTo(remote);
    }

    /** Ways to send with what is protected of the data. */
    static Stream<String> options() {
        return Stream.of("", "-fast", "-p 1", "-p 4").flatMap(way -> Stream.of("", "-nodcau", "-dcsafe", "-dcpriv")
                .map(protection -> way + " " + protection));
    }

    static Stream<String> optionsOverManyConnections() {
        return options().filter(words -> !words.startsWith("-p 1"));
    }

    @ParameterizedTest
    @MethodSource("options")
    void putsAndGetsAFile(String options) throws Exception {
        start(false);

        putsAndGets(as(proxy), options);
    }

    @ParameterizedTest
    @MethodSource("optionsOverManyConnections")
    void tls12WorksAsWell(String options) throws Exception {
        start(false);

        putsAndGets(as(proxy, TLS_1_2), options);
    }

    /** SPAS and SPOR: what is sent goes to several addresses at a time, as many as a server has. */
    @ParameterizedTest
    @ValueSource(strings = {"-stripe", "-stripe -p 2 -dcpriv"})
    void stripedTransfersAreAuthenticatedToo(String options) throws Exception {
        start(false);
        byte[] bytes = far("f", 3_000_001);

        Program.Result result = copy(as(proxy), options, gsiUrl("/site-b/f"), gsiUrl("/site-c/f"));

        assertThat(result.succeeded().output()).contains("SPAS").contains("SPOR");
        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-dcpriv", "-fast -dcpriv", "-p 4", "-p 4 -dcpriv"})
    void overIpv6(String options) throws Exception {
        start(pki, "::1", host, false);
        byte[] bytes = file("f", 3_000_001);
        byte[] remote = far("in/f", 2_000_001);
        String six = gsiUrl("").replace("127.0.0.1", "[::1]");

        Program.Result put = copy(as(proxy), "-ipv6 " + options, local("f"), six + "/site-b/up/f");
        Program.Result get = copy(as(proxy), "-ipv6 " + options, six + "/site-b/in/f", local("got"));

        assertThat(put.succeeded().output()).contains("EPSV");
        assertThat(get.succeeded().output()).containsPattern("EPSV|EPRT");
        assertThat(ftp.spool.content("site-b", "up/f")).isEqualTo(bytes);
        assertThat(got("got")).isEqualTo(remote);
    }

    @Test
    void eightSessionsAtOnce() throws Exception {
        start(false);
        byte[] bytes = file("f", 1_000_001);
        ExecutorService clients = Executors.newFixedThreadPool(8);
        try {
            List<Future<Program.Result>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String options = i % 2 == 0 ? "-p 2 -dcpriv" : "";
                String to = gsiUrl("/site-b/at-once/" + i);
                all.add(clients.submit(() -> copy(as(proxy), options, local("f"), to)));
            }
            for (Future<Program.Result> one : all) {
                one.get().succeeded();
            }
        } finally {
            clients.shutdownNow();
        }
        for (int i = 0; i < 8; i++) {
            assertThat(ftp.spool.content("site-b", "at-once/" + i)).isEqualTo(bytes);
        }
    }

    @Test
    void hostMayHaveAKeyOnAnEllipticCurve() throws Exception {
        start(pki.write("ec-host.pem", pki.ecHost()), false);

        putsAndGets(as(proxy), "-p 2 -dcpriv");
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

        Program.Result put = copy(as(proxy), options + " -cd", local("many/*"), gsiUrl("/site-b/m/"));
        copy(as(proxy), options + " -r -cd", gsiUrl("/site-b/tree/"), local("n/"))
                .succeeded();

        assertThat(put.succeeded().output()).contains("125 Reusing");
        assertThat(ftp.spool.content("site-b", "m/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-b", "m/b")).isEqualTo(b);
        assertThat(ftp.spool.content("site-b", "m/c")).isEqualTo(c);
        assertThat(got("n/x")).isEqualTo(x);
        assertThat(got("n/y")).isEqualTo(y);
    }

    @Test
    void listsADirectory() throws Exception {
        start(false);
        far("tree/a", 10);
        far("tree/sub/b", 10);

        Program.Result result =
                copy(as(proxy), "-list", gsiUrl("/site-b/tree/")).succeeded();

        assertThat(result.output()).contains("    a ").contains("    sub/\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIMITED", "LEGACY", "LEGACY_LIMITED", "VOMS"})
    void otherProxiesAreTheirOwnersToo(ProxyForm form) throws Exception {
        start(true);

        putsAndGets(as(pki.write("other.pem", pki.proxy(legacyOwner(form), form))), "");
    }

    /** Globus takes a legacy proxy only of a certificate that says nothing of its key's use. */
    private static Credential legacyOwner(ProxyForm form) throws Exception {
        return form.name().startsWith("LEGACY") ? pki.plainUser("Anna") : anna;
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

        putsAndGets(withKey(user), "");
    }

    @ParameterizedTest
    @CsvSource({"Ben, FULL, not mapped to an account", "Anna, LEGACY, legacy proxy"})
    void whoMayNotComeInIsTold(String name, ProxyForm form, String why) throws Exception {
        start(false);
        Path other = pki.write("other.pem", pki.proxy(pki.plainUser(name), form));
        file("f", 10);

        Program.Result result = copy(as(other), "", local("f"), gsiUrl("/site-b/f"));

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

        Program.Result result = copy(as(stranger, "X509_CERT_DIR=" + both), "", local("f"), gsiUrl("/site-b/f"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("no way leads");
    }

    private void awaitNoSession() {
        Awaitility.await()
                .until(() -> ftp.loop().submit(() -> ftp.server.sessionCount()).get() == 0);
    }

    private void isRefused(List<String> environment, String... why) throws Exception {
        file("f", 10);
        Program.Result result = copy(environment, "", local("f"), gsiUrl("/site-b/f"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains(why);
        assertThat(ftp.spool.all()).isEmpty();
    }

    @Test
    void clientRefusesAServerOfAnotherName() throws Exception {
        start(pki.write("wrong.pem", pki.host(new GeneralName(GeneralName.dNSName, "other.example.org"))), false);

        isRefused(as(proxy), "do not match");
        awaitNoSession();
    }

    @Test
    void clientRefusesAServerOfAForeignAuthority() throws Exception {
        GridPki rogue = GridPki.in(directory.resolve("rogue"), "Rogue CA");
        start(rogue.write("host.pem", rogue.host()), false);

        isRefused(as(proxy), "certificate verify failed");
        awaitNoSession();
    }

    @Test
    void whoseCredentialHasExpiredIsRefused() throws Exception {
        start(false);

        isRefused(as(pki.write("expired.pem", pki.proxy(anna, ProxyForm.EXPIRED))), "expired");
    }

    @Test
    void whoseCertificateIsRevokedIsRefused() throws Exception {
        GridPki other = GridPki.in(directory.resolve("other"));
        Credential revoked = other.user("Anna");
        other.writeList(Instant.now().plus(Duration.ofHours(1)), revoked.leaf());
        start(other, "127.0.0.1", other.write("host.pem", other.host()), false);
        Path own = other.write("own.pem", other.proxy(revoked, ProxyForm.FULL));

        isRefused(as(own, "X509_CERT_DIR=" + other.trustDirectory()), "revoked");
    }

    /** More than a Globus server does, which asks for a delegated key as short as theirs. */
    @Test
    void userMayHaveAKeyOnAnEllipticCurve() throws Exception {
        start(false);
        Path user = pki.write("ec-user.pem", pki.ecUser("Anna"));

        putsAndGets(withKey(user), "-p 2 -dcpriv");
    }

    @Test
    void clientWithoutGsiIsToldWhatIsMissing() throws Exception {
        start(false);
        file("f", 10);
        String clear = gsiUrl("/site-b/f").replace("gsiftp", "ftp");

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
        ftp = FtpFixture.start(config -> config.withGsi(files));
        file("f", 1_000);

        copy(as(proxy), "-cd", local("f"), gsiUrl("/site-b/d/f")).succeeded();
        copy(as(proxy), "", local("f"), gsiUrl("/site-c/f")).succeeded();

        for (TransferSnapshot state : ftp.spool.all()) {
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

        copy(as(proxy), options, gsiUrl("/site-b/f"), gsiUrl("/site-c/f")).succeeded();

        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(bytes);
    }
}
