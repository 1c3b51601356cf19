package io.hawser.gsi.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustDirectoryTest {
    @TempDir
    Path directory;

    private GridPki pki;
    private Credential anna;
    private TrustDirectory trust;

    @BeforeEach
    void grid() throws Exception {
        pki = GridPki.in(directory);
        anna = pki.user("Anna");
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
    }

    private void accepted(Credential who) throws Exception {
        trust.refresh();
        assertThat(trust.validate(who.chain(), CertificatePurpose.CLIENT).identity())
                .isEqualTo(who.identity());
    }

    private void refused(Credential who, String why) {
        trust.refresh();
        assertThatThrownBy(() -> trust.validate(who.chain(), CertificatePurpose.CLIENT))
                .hasMessageContaining(why);
    }

    @Test
    void revokedCertificateIsRefusedFromTheNextLookOn() throws Exception {
        Credential ben = pki.user("Ben");
        Credential proxy = pki.proxy(ben, ProxyForm.FULL);
        accepted(proxy);

        pki.writeList(Instant.now().plus(Duration.ofDays(1)), ben.leaf());

        refused(ben, "is revoked");
        refused(proxy, "is revoked");
        accepted(anna);
    }

    @Test
    void expiredListRefusesAll() throws Exception {
        pki.writeList(Instant.now().minus(Duration.ofHours(1)));

        refused(anna, "has expired");
    }

    @Test
    void listThatCannotBeReadRefusesAllUntilItCan() throws Exception {
        Files.writeString(pki.listFile(), "no list");
        refused(anna, "cannot be used");

        pki.writeList(Instant.now().plus(Duration.ofDays(1)));
        accepted(anna);
    }

    @Test
    void listThatTheAuthorityHasNotSignedRefusesAll(@TempDir Path elsewhere) throws Exception {
        GridPki twin = GridPki.in(elsewhere); // the same name, another key
        twin.writeList(Instant.now().plus(Duration.ofDays(1)));
        Files.copy(twin.listFile(), pki.listFile());

        refused(anna, "cannot be used");
    }

    @Test
    void signingPolicyIsHeldTo() throws Exception {
        pki.writeTrust("\"/O=Other Grid/*\"");
        refused(anna, "does not allow it");

        pki.writeTrust("\"/O=Test Grid/OU=Users/*\"");
        accepted(anna);

        Files.writeString(pki.policyFile(), "neg_rights globus CA:sign\n");
        refused(anna, "no signing policy");

        Files.delete(pki.policyFile());
        refused(anna, "no signing policy");
    }

    @Test
    void authorityThatIsRenamedAwayIsTrustedNoMore() throws Exception {
        Path certificate = pki.trustDirectory().resolve(pki.hash() + ".0");
        Files.move(certificate, pki.trustDirectory().resolve(pki.hash() + ".0.disabled"));

        refused(anna, "no CA is trusted");
    }

    @Test
    void directoryThatIsGoneLeavesEverythingAsItWas() throws Exception {
        Path moved = directory.resolve("moved");
        Files.move(pki.trustDirectory(), moved);

        accepted(anna);
    }

    @Test
    void directoryWithoutAuthoritiesIsRefusedAtTheStart(@TempDir Path empty) throws Exception {
        assertThatThrownBy(() -> new TrustDirectory(empty, false, Duration.ZERO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no CA");
        assertThatThrownBy(() -> new TrustDirectory(empty.resolve("missing"), false, Duration.ZERO))
                .isInstanceOf(IOException.class);
        try (Stream<Path> files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
    }
}
