package io.hawser.ops.keys;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.CheckedKeys;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;
import org.jspecify.annotations.Nullable;

/**
 * Signs certificates of nodes and the revocation list. EC P-256, ECDSA with SHA-256 (RFC 5280).
 *
 * <p>Thread: one.
 */
final class CertificateAuthority {
    /** How long the CA's certificate is valid. */
    static final Duration VALIDITY = Duration.ofDays(3650);

    private static final String SIGNATURE = "SHA256withECDSA";

    /** Certificates are valid from so long ago, for nodes with slow clocks. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final ExtendedKeyUsage EITHER_SIDE =
            new ExtendedKeyUsage(new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});

    private static final SecureRandom RANDOM = new SecureRandom();

    private final PrivateKey key;
    private final X509Certificate certificate;

    private CertificateAuthority(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /**
     * The subject of a node's certificate.
     *
     * @param role the node's role
     * @param name its own name; null for one that has only its role
     * @param hosts names and addresses by which others reach it
     * @param grants its rights on topics; none for those in the broker's ACL file
     */
    public record Subject(Role role, @Nullable String name, Collection<String> hosts, Grants grants) {
        public Subject {
            if (name != null && !isName(name)) {
                throw new ConfigException("a node's name is 1 to 63 letters, digits, dots, dashes, underscores and @,"
                        + " beginning with a letter or digit, not '" + name + "'");
            }
        }

        private X500Name distinguishedName() {
            return new X500Name(
                    name == null ? "O=Hawser,CN=" + role.fileName() : "O=Hawser,OU=" + role.fileName() + ",CN=" + name);
        }
    }

    /** Whether a node may have that name. */
    static boolean isName(String word) {
        return word.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");
    }

    static KeyPair newKeyPair() {
        return signing(() -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        });
    }

    /** A new CA. */
    static CertificateAuthority create(KeyPair pair, Instant now) {
        X500Name name = new X500Name("CN=Hawser CA " + Long.toHexString(now.toEpochMilli()));
        return signing(() -> {
            X509v3CertificateBuilder builder = builder(name, now, VALIDITY, name, pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            return new CertificateAuthority(pair.getPrivate(), signed(builder, pair.getPrivate()));
        });
    }

    /**
     * The CA of a key directory: its first certificate, and {@code ca.key}.
     *
     * @throws ConfigException if the directory has no such key, or one that others can read
     */
    public static CertificateAuthority open(KeyDirectory directory) {
        X509Certificate certificate =
                CheckedKeys.certificates(directory.caCertificate()).get(0);
        if (Files.notExists(directory.caKey())) {
            throw new ConfigException("there is no " + directory.caKey()
                    + ": give the directory with the CA's key, which 'hawser keys init' made");
        }
        PrivateKey key = CheckedKeys.readKey(
                directory.caKey(), certificate.getPublicKey().getAlgorithm());
        return new CertificateAuthority(key, certificate);
    }

    X509Certificate certificate() {
        return certificate;
    }

    public X509Certificate issue(PublicKey owner, Subject subject, Instant now, Duration validity) {
        return issue(owner, subject.distinguishedName(), alternativeNames(subject), EITHER_SIDE, now, validity);
    }

    /** Signs the certificate of the enrolment server; no session accepts it. */
    X509Certificate issueEnrolment(PublicKey owner, Instant now, Duration validity) {
        X500Name name = new X500Name("O=Hawser,CN=" + JoinServer.NAME);
        return issue(
                owner, name, new GeneralName[0], new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth), now, validity);
    }

    private X509Certificate issue(
            PublicKey owner,
            X500Name subject,
            GeneralName[] names,
            ExtendedKeyUsage purpose,
            Instant now,
            Duration validity) {
        return signing(() -> {
            X500Name issuer = new JcaX509CertificateHolder(certificate).getSubject();
            X509v3CertificateBuilder builder = builder(issuer, now, validity, subject, owner);
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, purpose);
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, extensions.createAuthorityKeyIdentifier(certificate));
            builder.addExtension(Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(owner));
            if (names.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            return signed(builder, key);
        });
    }

    private static GeneralName[] alternativeNames(Subject subject) {
        List<GeneralName> names = new ArrayList<>();
        subject.hosts().stream()
                .sorted()
                .map(host ->
                        new GeneralName(IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .forEach(names::add);
        CertificateIdentity.grantNames(subject.grants())
                .forEach(uri -> names.add(new GeneralName(GeneralName.uniformResourceIdentifier, uri)));
        return names.toArray(GeneralName[]::new);
    }

    /** Signs a list of {@code before} and newly revoked {@code serials}. */
    X509CRL revoke(List<X509CRL> before, Set<BigInteger> serials, Instant now) {
        return signing(() -> {
            X500Name issuer = new JcaX509CertificateHolder(certificate).getSubject();
            X509v2CRLBuilder builder = new X509v2CRLBuilder(issuer, Date.from(now));
            builder.setNextUpdate(Date.from(now.plus(VALIDITY)));
            for (X509CRL list : before) {
                if (list.getRevokedCertificates() != null) {
                    list.getRevokedCertificates()
                            .forEach(entry -> builder.addCRLEntry(
                                    entry.getSerialNumber(), entry.getRevocationDate(), CRLReason.unspecified));
                }
            }
            serials.forEach(serial -> builder.addCRLEntry(serial, Date.from(now), CRLReason.unspecified));
            return new JcaX509CRLConverter().getCRL(builder.build(signer(key)));
        });
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, Instant now, Duration validity, X500Name subject, PublicKey owner) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM).setBit(120),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(validity)),
                subject,
                owner);
    }

    private static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
        return new JcaContentSignerBuilder(SIGNATURE).build(key);
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, CertificateException {
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
    }

    private interface Signing<T> {
        T sign() throws GeneralSecurityException, OperatorCreationException, CertIOException, IOException;
    }

    private static <T> T signing(Signing<T> step) {
        try {
            return step.sign();
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JVM cannot sign with EC keys: " + e.getMessage(), e);
        }
    }
}
