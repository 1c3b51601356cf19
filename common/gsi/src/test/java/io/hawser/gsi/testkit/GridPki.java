package io.hawser.gsi.testkit;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.ProxyInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A throw-away grid: a CA, a directory that trusts it, a host, users and proxies of every kind. Names, extensions and file names are
 * what Globus takes.
 *
 * <p>Thread: one.
 */
public final class GridPki {
    private static final Duration LIFE = Duration.ofDays(2);
    private static final AtomicLong SERIAL = new AtomicLong(1_702_345_600L);

    private final Path directory;
    private final X500Name caName;
    private final KeyPair caKeys;
    private final X509Certificate ca;

    private GridPki(Path directory, X500Name caName, KeyPair caKeys, X509Certificate ca) {
        this.directory = directory;
        this.caName = caName;
        this.caKeys = caKeys;
        this.ca = ca;
    }

    /** A grid whose CA is called {@code /O=Test Grid/CN=NAME}; its directory of trusted CAs trusts it. */
    public static GridPki in(Path directory, String caName) throws Exception {
        X500Name name = name("O=Test Grid", "CN=" + caName);
        KeyPair keys = rsa();
        X509v3CertificateBuilder builder = builder(
                name, name, keys, Instant.now().minus(LIFE), Instant.now().plus(LIFE));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        GridPki pki = new GridPki(directory, name, keys, signed(builder, keys.getPrivate()));
        Files.createDirectories(pki.trustDirectory());
        pki.writeTrust("\"/O=Test Grid/*\"");
        return pki;
    }

    /** A grid with the usual CA. */
    public static GridPki in(Path directory) throws Exception {
        return in(directory, "Test Grid CA");
    }

    public X509Certificate ca() {
        return ca;
    }

    public Path trustDirectory() {
        return directory.resolve("certificates");
    }

    /** Writes the CA and a signing policy with those patterns. */
    public void writeTrust(String patterns) throws Exception {
        writeTrust(ca, caName, patterns);
    }

    /** The same for a CA below this one; {@link #distrust} takes it away. */
    public void writeTrust(Credential below, String patterns) throws Exception {
        writeTrust(below.leaf(), subject(below), patterns);
    }

    /** Takes a CA below this one away. */
    public void distrust(Credential below) throws IOException {
        Files.delete(trustDirectory().resolve(hash(subject(below)) + ".0"));
        Files.delete(trustDirectory().resolve(hash(subject(below)) + ".signing_policy"));
    }

    private static X500Name subject(Credential authority) {
        return X500Name.getInstance(authority.leaf().getSubjectX500Principal().getEncoded());
    }

    private void writeTrust(X509Certificate authority, X500Name name, String patterns) throws Exception {
        Files.writeString(trustDirectory().resolve(hash(name) + ".0"), pem("CERTIFICATE", authority.getEncoded()));
        Files.writeString(trustDirectory().resolve(hash(name) + ".signing_policy"), """
                # the test grid
                access_id_CA  X509    '/O=Test Grid/CN=%s'
                pos_rights    globus  CA:sign
                cond_subjects globus  '%s'
                """.formatted(
                        name.getRDNs(BCStyle.CN)[0].getFirst().getValue(), patterns));
    }

    public Path policyFile() {
        return trustDirectory().resolve(hash() + ".signing_policy");
    }

    public Path listFile() {
        return trustDirectory().resolve(hash() + ".r0");
    }

    /** A revocation list that holds {@code revoked} and is replaced at {@code nextUpdate}. */
    public void writeList(Instant nextUpdate, X509Certificate... revoked) throws Exception {
        X509v2CRLBuilder builder =
                new X509v2CRLBuilder(caName, Date.from(Instant.now().minus(LIFE)));
        builder.setNextUpdate(Date.from(nextUpdate));
        for (X509Certificate certificate : revoked) {
            builder.addCRLEntry(
                    certificate.getSerialNumber(), Date.from(Instant.now().minus(LIFE)), CRLReason.keyCompromise);
        }
        X509CRLHolder list = builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(caKeys.getPrivate()));
        Files.writeString(listFile(), pem("X509 CRL", list.getEncoded()));
    }

    /** The file name of the CA as OpenSSL computes it: SHA-1 over the name in its canonical form. */
    public String hash() {
        return hash(caName);
    }

    private static String hash(X500Name of) {
        try {
            ByteArrayOutputStream canonical = new ByteArrayOutputStream();
            for (RDN rdn : of.getRDNs()) {
                AttributeTypeAndValue part = rdn.getFirst();
                String value = ((ASN1String) part.getValue()).getString();
                ASN1EncodableVector pair = new ASN1EncodableVector();
                pair.add(part.getType());
                pair.add(new DERUTF8String(value.toLowerCase(Locale.ROOT)));
                canonical.write(new DERSet(new DERSequence(pair)).getEncoded(ASN1Encoding.DER));
            }
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(canonical.toByteArray());
            return String.format(Locale.ROOT, "%02x%02x%02x%02x", digest[3], digest[2], digest[1], digest[0]);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** {@code /O=Test Grid/OU=Users/CN=NAME}, valid. */
    public Credential user(String name) throws Exception {
        return entity(name("O=Test Grid", "OU=Users", "CN=" + name), rsa(), KeyPurposeId.id_kp_clientAuth);
    }

    /** The same without a word of what its key is for, as legacy proxies' owners need it with Globus. */
    public Credential plainUser(String name) throws Exception {
        KeyPair keys = rsa();
        X509v3CertificateBuilder builder = builder(
                caName,
                name("O=Test Grid", "OU=Users", "CN=" + name),
                keys,
                Instant.now().minus(LIFE),
                Instant.now().plus(LIFE));
        return new Credential(keys.getPrivate(), List.of(signed(builder, caKeys.getPrivate())));
    }

    /** The same with a key on P-256. */
    public Credential ecUser(String name) throws Exception {
        return entity(name("O=Test Grid", "OU=Users", "CN=" + name), p256(), KeyPurposeId.id_kp_clientAuth);
    }

    /** A host whose certificate names localhost and 127.0.0.1. */
    public Credential host() throws Exception {
        return host(
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.iPAddress, "::1"));
    }

    /** A host with those names; none gives a certificate without subjectAltName. */
    public Credential host(GeneralName... names) throws Exception {
        return entity(name("O=Test Grid", "OU=Hosts", "CN=localhost"), rsa(), KeyPurposeId.id_kp_serverAuth, names);
    }

    /** The same with a key on P-256. */
    public Credential ecHost() throws Exception {
        return entity(
                name("O=Test Grid", "OU=Hosts", "CN=localhost"),
                p256(),
                KeyPurposeId.id_kp_serverAuth,
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    }

    private static KeyPair p256() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private Credential entity(X500Name subject, KeyPair keys, KeyPurposeId purpose, GeneralName... names)
            throws Exception {
        X509v3CertificateBuilder builder = builder(
                caName, subject, keys, Instant.now().minus(LIFE), Instant.now().plus(LIFE));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(
                Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
        if (names.length > 0) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        }
        return new Credential(keys.getPrivate(), List.of(signed(builder, caKeys.getPrivate())));
    }

    /** A CA below this one; what it signs has its certificate in the chain. It is not in the directory of trusted CAs. */
    public Credential intermediate(String name) throws Exception {
        KeyPair keys = rsa();
        X509v3CertificateBuilder builder = builder(
                caName,
                name("O=Test Grid", "CN=" + name),
                keys,
                Instant.now().minus(LIFE),
                Instant.now().plus(LIFE));
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return new Credential(keys.getPrivate(), List.of(signed(builder, caKeys.getPrivate())));
    }

    /** A user of a CA below. */
    public Credential userOf(Credential authority, String name) throws Exception {
        KeyPair keys = rsa();
        X500Name issuer =
                X500Name.getInstance(authority.leaf().getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder = builder(
                issuer,
                name("O=Test Grid", "OU=Users", "CN=" + name),
                keys,
                Instant.now().minus(LIFE),
                Instant.now().plus(LIFE));
        return new Credential(keys.getPrivate(), List.of(signed(builder, authority.key()), authority.leaf()));
    }

    /** A proxy of {@code issuer}. */
    public Credential proxy(Credential issuer, ProxyForm form) throws Exception {
        KeyPair keys = rsa();
        X500Name issuerName =
                X500Name.getInstance(issuer.leaf().getSubjectX500Principal().getEncoded());
        Instant from = form == ProxyForm.NOT_YET_VALID
                ? Instant.now().plus(Duration.ofHours(1))
                : Instant.now().minus(Duration.ofHours(3));
        Instant to = form == ProxyForm.EXPIRED
                ? Instant.now().minus(Duration.ofHours(1))
                : Instant.now().plus(Duration.ofHours(12));
        X509v3CertificateBuilder builder = builder(issuerName, proxyName(issuerName, form), keys, from, to);
        addExtensions(builder, form);
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(signed(builder, issuer.key()));
        chain.addAll(issuer.chain());
        return new Credential(keys.getPrivate(), chain);
    }

    /** A full proxy of {@code issuer} that ends so soon. */
    public Credential proxyFor(Credential issuer, Duration validity) throws Exception {
        KeyPair keys = rsa();
        X500Name issuerName =
                X500Name.getInstance(issuer.leaf().getSubjectX500Principal().getEncoded());
        X509v3CertificateBuilder builder = builder(
                issuerName,
                proxyName(issuerName, ProxyForm.FULL),
                keys,
                Instant.now().minus(Duration.ofHours(1)),
                Instant.now().plus(validity));
        addExtensions(builder, ProxyForm.FULL);
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(signed(builder, issuer.key()));
        chain.addAll(issuer.chain());
        return new Credential(keys.getPrivate(), chain);
    }

    private static X500Name proxyName(X500Name issuer, ProxyForm form) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        for (RDN rdn : issuer.getRDNs()) {
            name.addMultiValuedRDN(rdn.getTypesAndValues());
        }
        return switch (form) {
            case LEGACY -> name.addRDN(BCStyle.CN, "proxy").build();
            case LEGACY_LIMITED -> name.addRDN(BCStyle.CN, "limited proxy").build();
            case STRANGE_NAME -> name("O=Test Grid", "CN=somebody else");
            default ->
                name.addRDN(BCStyle.CN, Long.toString(SERIAL.incrementAndGet())).build();
        };
    }

    private static void addExtensions(X509v3CertificateBuilder builder, ProxyForm form) throws IOException {
        if (form == ProxyForm.LEGACY || form == ProxyForm.LEGACY_LIMITED) {
            return;
        }
        int usage = KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
        builder.addExtension(
                Extension.keyUsage,
                true,
                new KeyUsage(form == ProxyForm.SIGNS_CERTIFICATES ? usage | KeyUsage.keyCertSign : usage));
        if (form == ProxyForm.CLAIMS_CA) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        }
        if (form == ProxyForm.OTHER_NAME) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, "other.example.org")));
        }
        if (form == ProxyForm.VOMS) {
            builder.addExtension(
                    new ASN1ObjectIdentifier("1.3.6.1.4.1.8005.100.100.5"),
                    false,
                    new DERSequence(new DERSequence(new DERUTF8String("/testvo/Role=production"))));
        }
        if (form == ProxyForm.UNKNOWN_CRITICAL) {
            builder.addExtension(new ASN1ObjectIdentifier("1.2.3.4.5"), true, DERNull.INSTANCE);
        }
        String language =
                switch (form) {
                    case LIMITED -> ProxyInfo.LIMITED;
                    case INDEPENDENT -> ProxyInfo.INDEPENDENT;
                    case UNKNOWN_LANGUAGE -> "1.2.3.4.6";
                    default -> ProxyInfo.INHERIT_ALL;
                };
        ASN1EncodableVector info = new ASN1EncodableVector();
        if (form == ProxyForm.LAST) {
            info.add(new ASN1Integer(0));
        }
        info.add(new DERSequence(new ASN1ObjectIdentifier(language)));
        builder.addExtension(
                new ASN1ObjectIdentifier(form == ProxyForm.DRAFT ? "1.3.6.1.4.1.3536.1.222" : ProxyInfo.OID),
                form != ProxyForm.NOT_CRITICAL,
                new DERSequence(info));
    }

    /** Writes a credential as Globus has them: leaf, key, issuers; its owner's alone. */
    public Path write(String name, Credential credential) throws Exception {
        StringBuilder text =
                new StringBuilder(pem("CERTIFICATE", credential.leaf().getEncoded()));
        text.append(pem("PRIVATE KEY", credential.key().getEncoded()));
        for (X509Certificate issuer :
                credential.chain().subList(1, credential.chain().size())) {
            text.append(pem("CERTIFICATE", issuer.getEncoded()));
        }
        Path file = directory.resolve(name);
        Files.writeString(file, text, StandardCharsets.US_ASCII);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** Writes a grid-mapfile of one name. */
    public Path map(Credential who, String accounts) throws IOException {
        return Files.writeString(directory.resolve("grid-mapfile"), "\"" + who.identity() + "\" " + accounts + "\n");
    }

    public static String pem(String kind, byte[] der) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(kind, der));
        }
        return text.toString();
    }

    public static KeyPair rsa() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    public static X500Name name(String... parts) {
        X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
        for (String part : parts) {
            int equals = part.indexOf('=');
            name.addRDN(BCStyle.INSTANCE.attrNameToOID(part.substring(0, equals)), part.substring(equals + 1));
        }
        return name.build();
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair keys, Instant from, Instant to) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(SERIAL.incrementAndGet()),
                Date.from(from),
                Date.from(to),
                subject,
                keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key) throws Exception {
        String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(key)));
    }
}
