package io.hawser.gsi.credential;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ProxyInfo;
import io.hawser.gsi.path.ProxyKind;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;

/**
 * Grants a delegation: signs a proxy certificate for a peer's key (RFC 3820 section 3). The proxy is of the kind of the issuer's own, such as GT2.
 *
 * <p>Thread: immutable.
 */
public final class ProxySigner {
    /** Proxies are valid from so long ago, for peers with slow clocks. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final int DIGITAL_SIGNATURE = 0;
    private static final int KEY_ENCIPHERMENT = 2;
    private static final int DATA_ENCIPHERMENT = 3;

    private final Credential issuer;
    private final boolean limited;
    private final Duration lifetime;

    /**
     * Makes proxies of one credential.
     *
     * @param issuer the credential
     * @param limited whether the proxies may only move data
     * @param lifetime how long they are valid; at most as long as the issuer
     */
    public ProxySigner(Credential issuer, boolean limited, Duration lifetime) {
        this.issuer = issuer;
        this.limited = limited;
        this.lifetime = lifetime;
    }

    /** Signs a request (PKCS#10 in DER); one certificate in DER. */
    public byte[] sign(byte[] request, Instant now) throws GsiException {
        try {
            PKCS10CertificationRequest parsed = new PKCS10CertificationRequest(request);
            SubjectPublicKeyInfo key = parsed.getSubjectPublicKeyInfo();
            if (!parsed.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
                throw new GsiException("a delegation request has a wrong signature");
            }
            return certificate(key, now);
        } catch (IOException | OperatorCreationException | PKCSException | IllegalArgumentException e) {
            throw new GsiException("a delegation request is malformed", e);
        }
    }

    private byte[] certificate(SubjectPublicKeyInfo key, Instant now)
            throws GsiException, IOException, OperatorCreationException {
        X509Certificate leaf = issuer.leaf();
        boolean legacy = ProxyKind.of(leaf) == ProxyKind.LEGACY;
        long serial = serial(key);
        X500Name issuerName =
                X500Name.getInstance(leaf.getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                issuerName,
                BigInteger.valueOf(serial),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(end(now)),
                subject(issuerName, legacy ? (limited ? "limited proxy" : "proxy") : Long.toString(serial)),
                key);
        if (!legacy) {
            builder.addExtension(Extension.keyUsage, true, usage(leaf.getKeyUsage()));
            builder.addExtension(
                    new ASN1ObjectIdentifier(ProxyInfo.OID),
                    true,
                    ProxyInfo.encoded(limited ? ProxyInfo.LIMITED : ProxyInfo.INHERIT_ALL));
        }
        return builder.build(new JcaContentSignerBuilder(issuer.signatureAlgorithm()).build(issuer.key()))
                .getEncoded();
    }

    private Instant end(Instant now) {
        Instant wanted = now.plus(lifetime);
        return wanted.isBefore(issuer.notAfter()) ? wanted : issuer.notAfter();
    }

    private static X500Name subject(X500Name issuer, String added) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        for (var rdn : issuer.getRDNs()) {
            name.addMultiValuedRDN(rdn.getTypesAndValues());
        }
        return name.addRDN(BCStyle.CN, added).build();
    }

    /** 31 bits of the key's digest, as in Globus: a key always gets the same name. */
    private static long serial(SubjectPublicKeyInfo key) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return Math.max(1, ByteBuffer.wrap(digest).getInt() & Integer.MAX_VALUE);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The issuer's key usage, without what only end entities and CAs may do. */
    private static KeyUsage usage(boolean @Nullable [] ofIssuer) {
        if (ofIssuer == null) {
            return new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment);
        }
        return new KeyUsage((ofIssuer[DIGITAL_SIGNATURE] ? KeyUsage.digitalSignature : 0)
                | (ofIssuer[KEY_ENCIPHERMENT] ? KeyUsage.keyEncipherment : 0)
                | (ofIssuer[DATA_ENCIPHERMENT] ? KeyUsage.dataEncipherment : 0));
    }
}
