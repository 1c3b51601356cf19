package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.GridSite;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.core.model.GridCredential;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deliveries as the users who uploaded, to a real server that knows Anna, and not agent-b. */
class UserLoginsTest {
    @TempDir
    static Path grid;

    private static GridSite site;
    private static Credential anna;
    private static Credential annas;

    @TempDir
    Path directory;

    private FarServerProcess server;
    private TargetRig rig;

    @BeforeAll
    static void grid() throws Exception {
        site = new GridSite(grid);
        anna = site.pki().user("Anna");
        annas = site.pki().proxy(anna, ProxyForm.LIMITED);
    }

    @BeforeEach
    void start() throws Exception {
        server = site.server(directory.resolve("server"), site.pki().host(), anna);
        GridOptions usual = site.login();
        FarOptions options = site.options()
                .withGrid(new GridOptions(usual.files(), false, Optional.empty(), usual.proxy(), usual.data(), true));
        rig = new TargetRig(directory.resolve("landing"), server.url("in"), options);
    }

    @AfterEach
    void stop() {
        if (server != null) { // otherwise the test was skipped
            rig.close();
            server.close();
        }
    }

    private static Map<String, String> sealed(Manifest manifest, Credential credential, String told) throws Exception {
        byte[] purpose =
                GridCredential.purpose(manifest.key(), manifest.topic(), manifest.kind(), manifest.name(), told);
        byte[] sealed = SealedCredential.seal(credential, site.agent().leaf(), purpose);
        return GridCredential.sealed(told, credential.notAfter().toEpochMilli(), sealed)
                .attributes();
    }

    private static VerifiedObject with(VerifiedObject object, Credential credential) throws Exception {
        Manifest manifest = object.manifest();
        return TargetRig.with(
                object, sealed(manifest, credential, credential.identity().toString()));
    }

    private String heldBack(VerifiedObject object) throws Exception {
        DeliveryOutcome result = rig.attempt(object);
        assertThat(result).isInstanceOf(DeliveryOutcome.Later.class);
        return ((DeliveryOutcome.Later) result).reason();
    }

    private Path delivered(String name) {
        return server.root().resolve("in").resolve(name);
    }

    @Test
    void userIsWhoLogsIn() throws Exception {
        VerifiedObject object = with(rig.object("sub/f", 3_000_000), annas);

        rig.deliver(object);
        rig.deliver(with(rig.operation(TransferKind.MAKE_DIRECTORY, "made", Map.of(), false), annas));

        assertThat(Files.mismatch(object.file(), delivered("sub/f"))).isEqualTo(-1);
        assertThat(delivered("made")).isDirectory();
        assertThat(rig.target().credentials().orElseThrow())
                .contains("1 user", anna.identity().toString(), annas.notAfter().toString());
    }

    @Test
    void whatCameWithoutACredentialIsNotDeliveredByAnybodyElse() throws Exception {
        assertThat(heldBack(rig.object("f", 10))).contains("carries no credential of its user");
        assertThat(delivered("f")).doesNotExist();
    }

    @Test
    void userWhomTheServerDoesNotKnowIsHeldBackAndNobodyElse() throws Exception {
        Credential ben = site.pki().proxy(site.pki().user("Ben"), ProxyForm.LIMITED);

        assertThat(heldBack(with(rig.object("f", 10), ben))).contains("530").contains("CN=Ben");
        assertThat(rig.target().problem()).contains("CN=Ben");
        rig.deliver(with(rig.object("g", 10), annas));
    }

    @Test
    void whatWaitsBecauseItsCredentialRanOutGoesOnWithAFreshOne() throws Exception {
        Credential expired = site.pki().proxy(anna, ProxyForm.EXPIRED);
        VerifiedObject waiting = with(rig.object("f", 10), expired);

        assertThat(heldBack(waiting))
                .contains("the credential that " + anna.identity() + " delegated has expired at " + expired.notAfter())
                .contains("uploads with a fresh one");
        assertThat(rig.target().check(with(rig.object("g", 10), annas).manifest()))
                .isNull();

        Awaitility.await().until(() -> rig.attempt(waiting) instanceof DeliveryOutcome.Delivered);
        assertThat(delivered("f")).exists();
    }

    @Test
    void freshCredentialOfAnotherUserDoesNotHelp() throws Exception {
        VerifiedObject waiting = with(rig.object("f", 10), site.pki().proxy(anna, ProxyForm.EXPIRED));
        Credential ben = site.pki().proxy(site.pki().user("Ben"), ProxyForm.LIMITED);

        assertThat(heldBack(with(rig.object("g", 10), ben))).contains("CN=Ben");

        assertThat(heldBack(waiting)).contains("has expired at");
    }

    @Test
    void credentialOfAnotherTransferDoesNotOpen() throws Exception {
        VerifiedObject first = with(rig.object("f", 10), annas);
        VerifiedObject second = TargetRig.with(
                rig.object("g", 10),
                GridCredential.of(first.manifest()).orElseThrow().attributes());

        assertThat(heldBack(second)).contains("not for this transfer");
    }

    @Test
    void nobodyCanClaimToBeAnotherUser() throws Exception {
        GridPki rogue = GridPki.in(Files.createDirectory(directory.resolve("rogue")), "Rogue CA");
        Credential fake = rogue.proxy(rogue.user("Anna"), ProxyForm.EXPIRED);
        Credential ben = site.pki().proxy(site.pki().user("Ben"), ProxyForm.LIMITED);
        rig.deliver(with(rig.object("f", 10), annas)); // a good one is known

        assertThat(heldBack(with(rig.object("g", 10), fake))).contains("no way leads");
        VerifiedObject claimed = rig.object("h", 10);
        assertThat(heldBack(TargetRig.with(
                        claimed, sealed(claimed.manifest(), ben, anna.identity().toString()))))
                .contains("and the transfer names " + anna.identity());
        assertThat(delivered("g")).doesNotExist();
        assertThat(delivered("h")).doesNotExist();
    }

    @Test
    void restartKnowsWhatEachTransferBrought() throws Exception {
        VerifiedObject object = with(rig.object("f", 10), annas);

        rig.restart();

        rig.deliver(object);
    }
}
