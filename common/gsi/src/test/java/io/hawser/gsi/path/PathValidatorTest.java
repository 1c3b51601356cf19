package io.hawser.gsi.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParamsExt;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PathValidatorTest {
    @TempDir
    static Path directory;

    private static GridPki pki;
    private static Credential anna;

    @BeforeAll
    static void grid() throws Exception {
        pki = GridPki.in(directory);
        anna = pki.user("Anna");
    }

    private static TrustDirectory trust(boolean legacy) throws Exception {
        return new TrustDirectory(pki.trustDirectory(), legacy, Duration.ZERO);
    }

    private static ValidatedPeer validate(Credential who) throws Exception {
        return trust(true).validate(who.chain(), CertificatePurpose.CLIENT);
    }

    private static void refused(Credential who, String why) throws Exception {
        TrustDirectory trust = trust(false);
        assertThatThrownBy(() -> trust.validate(who.chain(), CertificatePurpose.CLIENT))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining(why);
    }

    /** Java takes such a certificate. */
    @Test
    void aNameWithAnEmptyPartIsRefused() throws Exception {
        X500Name issuer =
                X500Name.getInstance(anna.leaf().getSubjectX500Principal().getEncoded());
        List<RDN> parts = new ArrayList<>(List.of(issuer.getRDNs()));
        parts.add(RDN.getInstance(new DERSet()));
        X509Certificate leaf = new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                issuer,
                                BigInteger.TEN,
                                Date.from(Instant.now().minusSeconds(60)),
                                Date.from(Instant.now().plusSeconds(3600)),
                                new X500Name(parts.toArray(RDN[]::new)),
                                anna.leaf().getPublicKey())
                        .build(new JcaContentSignerBuilder("SHA256withRSA").build(anna.key())));
        TrustDirectory trust = trust(false);

        assertThatThrownBy(() -> trust.validate(List.of(leaf, anna.leaf()), CertificatePurpose.CLIENT))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining("a name that cannot be read");
    }

    @Test
    void endEntityIsWhoItsCertificateSays() throws Exception {
        ValidatedPeer peer = validate(anna);

        assertThat(peer.identity()).hasToString("/O=Test Grid/OU=Users/CN=Anna");
        assertThat(peer.kind()).isEqualTo(ProxyKind.NONE);
        assertThat(peer.limited()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "FULL, RFC, false",
        "LIMITED, RFC, true",
        "VOMS, RFC, false",
        "LEGACY, LEGACY, false",
        "LEGACY_LIMITED, LEGACY, true",
        "LAST, RFC, false"
    })
    void proxyIsItsOwner(ProxyForm form, ProxyKind kind, boolean limited) throws Exception {
        ValidatedPeer peer = validate(pki.proxy(anna, form));

        assertThat(peer.identity()).isEqualTo(anna.identity());
        assertThat(peer.endEntity()).isEqualTo(1);
        assertThat(peer.kind()).isEqualTo(kind);
        assertThat(peer.limited()).isEqualTo(limited);
        assertThat(peer.notAfter()).isBefore(anna.notAfter());
    }

    @Test
    void proxiesMayFollowEachOther() throws Exception {
        Credential second = pki.proxy(pki.proxy(anna, ProxyForm.LIMITED), ProxyForm.FULL);

        ValidatedPeer peer = validate(second);

        assertThat(peer.identity()).isEqualTo(anna.identity());
        assertThat(peer.limited()).as("limited once, limited always").isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "LEGACY, is a legacy proxy",
        "LEGACY_LIMITED, is a legacy proxy",
        "EXPIRED, has expired",
        "NOT_YET_VALID, not valid before",
        "INDEPENDENT, none of its issuer",
        "UNKNOWN_LANGUAGE, unknown language",
        "CLAIMS_CA, claims to be a CA",
        "SIGNS_CERTIFICATES, sign as a CA",
        "OTHER_NAME, other names",
        "STRANGE_NAME, one more CN",
        "NOT_CRITICAL, not critical",
        "UNKNOWN_CRITICAL, unknown critical extension",
        "DRAFT, draft of RFC 3820"
    })
    void proxiesThatBreakARuleAreRefused(ProxyForm form, String why) throws Exception {
        refused(pki.proxy(anna, form), why);
    }

    @Test
    void lastProxyIsTheLast() throws Exception {
        refused(pki.proxy(pki.proxy(anna, ProxyForm.LAST), ProxyForm.FULL), "than one of them allows");
    }

    @Test
    void kindsOfProxiesAreNotMixed() throws Exception {
        TrustDirectory trust = trust(true);
        Credential mixed = pki.proxy(pki.proxy(anna, ProxyForm.LEGACY), ProxyForm.FULL);

        assertThatThrownBy(() -> trust.validate(mixed.chain(), CertificatePurpose.CLIENT))
                .hasMessageContaining("different kinds");
    }

    @Test
    void anotherSignersProxyIsRefused() throws Exception {
        Credential ben = pki.user("Ben");
        Credential proxy = pki.proxy(anna, ProxyForm.FULL);
        List<X509Certificate> wrongOwner = new ArrayList<>(List.of(proxy.leaf()));
        wrongOwner.addAll(ben.chain());
        Credential twin = pki.user("Anna"); // the same name, another key
        List<X509Certificate> wrongKey = new ArrayList<>(List.of(proxy.leaf()));
        wrongKey.addAll(twin.chain());
        TrustDirectory trust = trust(false);

        assertThatThrownBy(() -> trust.validate(wrongOwner, CertificatePurpose.CLIENT))
                .hasMessageContaining("its issuer is missing");
        assertThatThrownBy(() -> trust.validate(wrongKey, CertificatePurpose.CLIENT))
                .hasMessageContaining("signature is not");
        assertThatThrownBy(() -> trust.validate(List.of(proxy.leaf()), CertificatePurpose.CLIENT))
                .hasMessageContaining("without the certificate of its owner");
    }

    @Test
    void foreignAuthorityIsNotBelieved(@TempDir Path elsewhere) throws Exception {
        GridPki rogue = GridPki.in(elsewhere, "Rogue CA");
        GridPki twin = GridPki.in(elsewhere.resolve("twin")); // the CA's name, another key

        refused(rogue.proxy(rogue.user("Anna"), ProxyForm.FULL), "no way leads");
        refused(twin.user("Anna"), "no way leads");
    }

    @Test
    void purposeOfAnEndEntityCounts() throws Exception {
        TrustDirectory trust = trust(false);
        Credential host = pki.host();

        assertThat(trust.validate(host.chain(), CertificatePurpose.SERVER).identity())
                .isEqualTo(host.identity());
        assertThat(trust.validate(host.chain(), CertificatePurpose.DATA).identity())
                .isEqualTo(host.identity());
        assertThatThrownBy(() -> trust.validate(host.chain(), CertificatePurpose.CLIENT))
                .hasMessageContaining("not for a client");
        assertThatThrownBy(() -> trust.validate(anna.chain(), CertificatePurpose.SERVER))
                .hasMessageContaining("not for a server");
        assertThatThrownBy(() -> trust.validate(List.of(pki.ca()), CertificatePurpose.DATA))
                .hasMessageContaining("is a CA's");
    }

    @Test
    void authorityBelowATrustedOneNeedsItsOwnSigningPolicy() throws Exception {
        Credential below = pki.intermediate("CA below");
        Credential user = pki.userOf(below, "Carl");

        refused(user, "CA below is not among the trusted ones");
    }

    @Test
    void usersOfAnAuthorityBelowThatIsTrustedAreBelievedAsFarAsItsPolicyGoes() throws Exception {
        Credential below = pki.intermediate("CA trusted below");
        try {
            pki.writeTrust(below, "/O=Test Grid/OU=Users/*");
            Credential user = pki.userOf(below, "Carl");
            assertThat(validate(user).identity()).hasToString("/O=Test Grid/OU=Users/CN=Carl");
            assertThat(validate(pki.proxy(user, ProxyForm.FULL)).identity()).isEqualTo(user.identity());

            pki.writeTrust(below, "/O=Test Grid/OU=Others/*");
            refused(user, "Carl");
        } finally {
            pki.distrust(below);
        }
    }

    @Test
    void noCertificateAndTooManyAreRefused() throws Exception {
        TrustDirectory trust = trust(false);
        List<X509Certificate> many = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            many.add(anna.leaf());
        }

        assertThatThrownBy(() -> trust.validate(List.of(), CertificatePurpose.CLIENT))
                .isInstanceOf(GsiException.class);
        assertThatThrownBy(() -> trust.validate(many, CertificatePurpose.CLIENT))
                .isInstanceOf(GsiException.class);
    }

    /** The authority that most grid sites' Java programs ask. What it refuses is refused here; here more is. */
    @ParameterizedTest
    @EnumSource(ProxyForm.class)
    void whatCanlRefusesIsRefused(ProxyForm form) throws Exception {
        Credential proxy = pki.proxy(anna, form);
        OpensslCertChainValidator canl = new OpensslCertChainValidator(
                pki.trustDirectory().toString(),
                true,
                NamespaceCheckingMode.GLOBUS_REQUIRE,
                -1,
                new ValidatorParamsExt());
        boolean canlAccepts;
        try {
            canlAccepts =
                    canl.validate(proxy.chain().toArray(X509Certificate[]::new)).isValid();
        } finally {
            canl.dispose();
        }
        boolean accepted;
        try {
            accepted = validate(proxy).identity().equals(anna.identity());
        } catch (GsiException e) {
            accepted = false;
        }

        assertThat(!accepted || canlAccepts).as("canl accepts: " + canlAccepts).isTrue();
        boolean good =
                switch (form) {
                    case FULL, LIMITED, VOMS, LEGACY, LEGACY_LIMITED, LAST -> true;
                    default -> false;
                };
        assertThat(accepted).isEqualTo(good);
    }

    @Test
    void expiryOfTheWholeChainIsTold() throws Exception {
        assertThat(validate(anna).notAfter()).isBetween(Instant.now(), anna.notAfter());
    }
}
