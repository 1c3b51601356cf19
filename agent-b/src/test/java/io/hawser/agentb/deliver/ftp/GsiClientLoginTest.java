package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.GridSite;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.agentb.deliver.GridOptions.DataLevel;
import io.hawser.agentb.serve.FarFiles;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins by GSI at a real globus-gridftp-server: what works, and who refuses whom. */
class GsiClientLoginTest {
    private static final int MIB = 1 << 20;

    @TempDir
    static Path grid;

    private static GridSite site;

    @TempDir
    Path directory;

    private FarServerProcess server;
    private TargetRig rig;

    @BeforeAll
    static void grid() throws Exception {
        site = new GridSite(grid);
    }

    @AfterEach
    void stop() {
        if (rig != null) {
            rig.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void serve(String... environment) throws Exception {
        serve(site.pki().host(), environment);
    }

    private void serve(Credential host, String... environment) throws Exception {
        server = site.server(directory.resolve("server"), host, site.agent(), environment);
    }

    private FarOptions options(GridOptions grid, int streams) {
        return site.options()
                .withParallelism(new Parallelism(4, 2, streams))
                .withTimeouts(Timeouts.DEFAULT.withSilence(Duration.ofSeconds(10)))
                .withGrid(grid);
    }

    private TargetRig rig(GridOptions grid) throws IOException {
        rig = new TargetRig(directory.resolve("landing"), server.url("in"), options(grid, 4));
        return rig;
    }

    private Path delivered(String name) {
        return server.root().resolve("in").resolve(name);
    }

    private void deliversAndReads(GridOptions grid, int streams) throws Exception {
        rig = new TargetRig(directory.resolve("landing"), server.url("in"), options(grid, Math.max(1, streams)));
        VerifiedObject object = rig.object("sub/f", 3 * MIB + 17);
        rig.deliver(object);
        assertThat(Files.mismatch(object.file(), delivered("sub/f"))).isEqualTo(-1);

        ByteBuffer into = ByteBuffer.allocate(4 * MIB);
        try (FarFiles files =
                FarFiles.create(new DiskStorage(), FarServer.parse(server.url("in")), options(grid, streams))) {
            RemoteFile file = files.stat("sub/f").get();
            assertThat(files.read(new Question.Read("sub/f", file.fingerprint(), 0, into.remaining()), into)
                            .refusal())
                    .isNull();
        }
        byte[] read = new byte[into.flip().remaining()];
        into.get(read);
        assertThat(read).isEqualTo(Files.readAllBytes(object.file()));
    }

    @ParameterizedTest
    @CsvSource({
        "AUTHENTICATED, LIMITED, 0",
        "AUTHENTICATED, FULL, 1",
        "AUTHENTICATED, LIMITED, 4",
        "PRIVATE, LIMITED, 0",
        "PRIVATE, LIMITED, 4",
        "CLEAR, LIMITED, 4",
        "CLEAR, NONE, 4"
    })
    void filesGoBothWays(DataLevel level, Delegation delegation, int streams) throws Exception {
        serve();

        deliversAndReads(site.login(level, delegation), streams);
    }

    @ParameterizedTest
    @EnumSource
    void tls12WorksAsWell(DataLevel level) throws Exception {
        serve(GridSite.TLS_1_2);

        deliversAndReads(site.login(level, Delegation.LIMITED), 4);
    }

    @Test
    void serverMayHaveAKeyOnAnEllipticCurve() throws Exception {
        serve(site.pki().ecHost());

        deliversAndReads(site.login(), 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL", "LIMITED"})
    void proxyIsACredentialToo(ProxyForm form) throws Exception {
        serve();
        Path proxy = site.pki().write("proxy-" + form + ".pem", site.pki().proxy(site.agent(), form));

        deliversAndReads(site.login(proxy), 4);
    }

    private String heldBack(GridOptions grid) throws Exception {
        DeliveryOutcome result = rig(grid).attempt(rig.object("f", 10));
        assertThat(result).isInstanceOf(DeliveryOutcome.Later.class);
        assertThat(delivered("f")).doesNotExist();
        return ((DeliveryOutcome.Later) result).reason();
    }

    @Test
    void serverOfAnotherNameIsGivenNothing() throws Exception {
        serve(site.pki().host(new GeneralName(GeneralName.dNSName, "other.example.org")));

        assertThat(heldBack(site.login()))
                .contains("the certificate of /O=Test Grid/OU=Hosts/CN=localhost is not for the host 127.0.0.1");
        String closed = "Closed connection"; // of who looked whether the server is there, and of agent-b
        Awaitility.await().until(() -> server.log().split(closed, -1).length > 2);
        assertThat(server.log()).doesNotContain("successfully authorized");
    }

    private GridOptions atServer(String name) {
        GridOptions usual = site.login();
        return new GridOptions(usual.files(), false, Optional.of(name), usual.proxy(), usual.data(), false);
    }

    @Test
    void serverMayBeNamedByItsCertificateInstead() throws Exception {
        serve(site.pki().host(new GeneralName(GeneralName.dNSName, "other.example.org")));

        deliversAndReads(atServer("/O=Test Grid/OU=Hosts/CN=localhost"), 4);
        rig.close();
        Awaitility.await().until(() -> server.log().contains("successfully authorized"));

        assertThat(heldBack(atServer("/O=Test Grid/OU=Hosts/CN=another")))
                .contains("not as /O=Test Grid/OU=Hosts/CN=another");
    }

    @Test
    void serverOfAForeignAuthorityIsRefused() throws Exception {
        GridPki rogue = GridPki.in(Files.createDirectory(directory.resolve("rogue")), "Rogue CA");
        serve(rogue.host());

        assertThat(heldBack(site.login()))
                .contains("issued by /O=Test Grid/CN=Rogue CA")
                .contains("trusted CA");
    }

    @Test
    void serverWhoseCertificateIsRevokedIsRefusedFromThenOn() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        GridSite other = new GridSite(own);
        Credential host = other.pki().host();
        server = other.server(directory.resolve("server"), host, other.agent());
        other.pki().writeList(Instant.now().plus(Duration.ofHours(1)), host.leaf());

        assertThat(heldBack(other.login())).contains("revoked");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsNotMappedIsToldAndGoesOnWhenHeIs(boolean mappedLater) throws Exception {
        Credential other = site.pki().user("Somebody else");
        server = site.server(directory.resolve("server"), site.pki().host(), other);

        assertThat(heldBack(site.login()))
                .contains("refuses the login of \":globus-mapping:\" (530)")
                .contains("agent-b logged in as /O=Test Grid/OU=Users/CN=Agent B");
        assertThat(rig.target().problem()).contains("Agent B");
        if (mappedLater) {
            rig.close();
            server.close();
            serve();
            rig(site.login()).deliver(rig.object("f", 10));
        }
    }

    @Test
    void agentWhoseAuthorityTheServerDoesNotKnowIsTold() throws Exception {
        GridPki rogue = GridPki.in(Files.createDirectory(directory.resolve("rogue")), "Rogue CA");
        Path stranger = rogue.write("stranger.pem", rogue.user("Agent B"));
        serve();

        assertThat(heldBack(site.login(stranger))).contains("530").containsIgnoringCase("authentication");
    }

    @Test
    void expiredCredentialHoldsBackUntilItIsRenewedOnDisk() throws Exception {
        serve();
        Path proxy = site.pki().write("expired.pem", site.pki().proxy(site.agent(), ProxyForm.EXPIRED));
        GridOptions grid = site.login(proxy);

        assertThat(heldBack(grid)).contains(proxy + " has expired at").contains("renew it");
        assertThat(rig.target().problem()).contains("has expired at");
        Files.copy(
                site.pki().write("fresh.pem", site.pki().proxy(site.agent(), ProxyForm.FULL)),
                proxy,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        rig.deliverInTheEnd(rig.object("f", 10));
        assertThat(delivered("f")).exists();
        assertThat(rig.target().problem()).isEmpty();
    }

    @Test
    void missingCredentialHoldsBackUntilItIsThere() throws Exception {
        serve();
        Path missing = directory.resolve("missing.pem");
        GridOptions grid = site.login(missing);

        assertThat(heldBack(grid)).contains("missing file " + missing);
        Files.copy(site.agentFile(), missing, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);

        rig.deliverInTheEnd(rig.object("f", 10));
    }

    @Test
    void serverWithoutGsiIsNotBelieved() throws Exception {
        server = FarServerProcess.globus(directory.resolve("server"));
        String url = server.url("in").replace("gridftp://", "gsiftp://");
        rig = new TargetRig(
                directory.resolve("landing"),
                url,
                site.options()
                        .withParallelism(new Parallelism(1, 0, 1))
                        .withTimeouts(new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5))));

        TargetRig.assertEnded(rig.attempt(rig.object("f", 10)), DeliveryOutcome.Later.class, "answered AUTH");
    }
}
