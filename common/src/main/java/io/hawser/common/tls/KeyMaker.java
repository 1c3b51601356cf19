package io.hawser.common.tls;

import io.hawser.common.config.ConfigException;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Makes a CA and a certificate for each role: EC P-256, signed with ECDSA and SHA-256 (RFC 5280). It never writes over a
 * file.
 *
 * <p>Thread: one.
 */
public final class KeyMaker {
    /** The CA's own life. */
    static final Duration CA_LIFE = Duration.ofDays(3650);

    private static final String SIGNATURE = "SHA256withECDSA";

    /** A node whose clock is behind must not refuse a certificate that was made just now. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private final SecureRandom random = new SecureRandom();
    private final Set<String> hosts;
    private final Duration life;
    private final Instant now;

    /**
     * @param hosts names and addresses under which the nodes are reached; they stand in every certificate
     * @param life how long the nodes' certificates hold
     */
    public KeyMaker(Set<String> hosts, Duration life, Instant now) {
        this.hosts = Set.copyOf(hosts);
        this.life = life;
        this.now = now;
    }

    /**
     * Fills a directory, which is made with access for its owner only if it is not there. Returns the files.
     *
     * @throws ConfigException if the directory has keys already
     */
    public List<Path> fill(KeyDirectory directory) throws IOException {
        refuseToOverwrite(directory);
        if (!Files.isDirectory(directory.path())) {
            Files.createDirectories(
                    directory.path(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        try {
            List<Path> written = new ArrayList<>();
            KeyPair ca = newKeyPair();
            X500Name caName = new X500Name("CN=Hawser CA " + Long.toHexString(now.toEpochMilli()));
            X509CertificateHolder caCertificate = selfSigned(ca, caName);
            written.add(writePrivate(directory.caKey(), ca));
            written.add(write(directory.caCertificate(), "CERTIFICATE", caCertificate.getEncoded(), "rw-r--r--"));
            for (Role role : Role.values()) {
                KeyPair pair = newKeyPair();
                X509CertificateHolder certificate = signed(pair, role, ca, caCertificate);
                written.add(writePrivate(directory.key(role), pair));
                written.add(write(directory.certificate(role), "CERTIFICATE", certificate.getEncoded(), "rw-r--r--"));
            }
            return written;
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("this JVM cannot make EC keys: " + e.getMessage(), e);
        }
    }

    private static void refuseToOverwrite(KeyDirectory directory) {
        List<Path> paths = new ArrayList<>(List.of(directory.caCertificate(), directory.caKey()));
        for (Role role : Role.values()) {
            paths.add(directory.certificate(role));
            paths.add(directory.key(role));
        }
        for (Path path : paths) {
            if (Files.exists(path)) {
                throw new ConfigException(
                        path + " exists: keys are never written over; choose another directory or move it away");
            }
        }
    }

    private KeyPair newKeyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private X509CertificateHolder selfSigned(KeyPair ca, X500Name name)
            throws GeneralSecurityException, OperatorCreationException, CertIOException {
        X509v3CertificateBuilder builder = builder(name, CA_LIFE, name, ca);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(ca.getPublic()));
        return builder.build(new JcaContentSignerBuilder(SIGNATURE).build(ca.getPrivate()));
    }

    private X509CertificateHolder signed(KeyPair pair, Role role, KeyPair ca, X509CertificateHolder caCertificate)
            throws GeneralSecurityException, OperatorCreationException, CertIOException {
        X500Name name = new X500Name("O=Hawser,CN=" + role.fileName());
        X509v3CertificateBuilder builder = builder(caCertificate.getSubject(), life, name, pair);
        JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
            KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
        }));
        builder.addExtension(
                Extension.authorityKeyIdentifier, false, extensions.createAuthorityKeyIdentifier(caCertificate));
        builder.addExtension(
                Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(pair.getPublic()));
        builder.addExtension(Extension.subjectAlternativeName, false, alternativeNames());
        return builder.build(new JcaContentSignerBuilder(SIGNATURE).build(ca.getPrivate()));
    }

    private X509v3CertificateBuilder builder(X500Name issuer, Duration validity, X500Name subject, KeyPair pair) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, random).setBit(120),
                Date.from(now.minus(CLOCK_SKEW)),
                Date.from(now.plus(validity)),
                subject,
                pair.getPublic());
    }

    private GeneralNames alternativeNames() {
        return new GeneralNames(hosts.stream()
                .sorted()
                .map(host ->
                        new GeneralName(IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new));
    }

    private static Path writePrivate(Path path, KeyPair pair) throws IOException {
        return write(path, "PRIVATE KEY", pair.getPrivate().getEncoded(), "rw-------");
    }

    private static Path write(Path path, String type, byte[] der, String permissions) throws IOException {
        StringWriter pem = new StringWriter();
        try (PemWriter writer = new PemWriter(pem)) {
            writer.writeObject(new PemObject(type, der));
        }
        // Made with its final permissions: a private key is at no moment readable by others.
        var attributes = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        try (var channel = Files.newByteChannel(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            channel.write(java.nio.ByteBuffer.wrap(pem.toString().getBytes(StandardCharsets.US_ASCII)));
        }
        return path;
    }
}
