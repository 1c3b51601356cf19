package io.hawser.common.tls;

import io.hawser.common.config.ConfigException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * The keys of one role, read and checked: files are there, keys are private, the key belongs to the certificate, the
 * certificate is of the CA and valid now. Gives contexts for both sides of PTCP and for the admin pages.
 *
 * <p>TLS 1.3 with AES-GCM only (RFC 8446 §9.1): every machine that moves files has AES in hardware, and ChaCha20 would be
 * several times slower there.
 *
 * <p>Thread: immutable.
 */
public final class NodeTls {
    /** The cipher suites, best first. */
    public static final List<String> CIPHERS = List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");

    /** How long before its certificate's end a node warns. */
    public static final Duration WARN_BEFORE = Duration.ofDays(30);

    private static final String PROTOCOL = "TLSv1.3";
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final PrivateKey key;
    private final X509Certificate certificate;
    private final X509Certificate ca;

    private NodeTls(PrivateKey key, X509Certificate certificate, X509Certificate ca) {
        this.key = key;
        this.certificate = certificate;
        this.ca = ca;
    }

    /**
     * Reads the keys of {@code role}.
     *
     * @throws ConfigException with a sentence that says what is wrong and what to do
     */
    public static NodeTls load(Path directory, Role role) {
        return load(directory, role, Instant.now());
    }

    static NodeTls load(Path directory, Role role, Instant now) {
        KeyDirectory files = new KeyDirectory(directory);
        X509Certificate ca = readCertificate(files.caCertificate());
        X509Certificate certificate = readCertificate(files.certificate(role));
        PrivateKey key = readKey(files.key(role), certificate.getPublicKey().getAlgorithm());
        checkDates(files.caCertificate(), ca, now);
        checkDates(files.certificate(role), certificate, now);
        try {
            certificate.verify(ca.getPublicKey());
        } catch (GeneralSecurityException e) {
            throw new ConfigException(files.certificate(role) + " was not made by the CA of " + files.caCertificate());
        }
        checkPair(files, role, key, certificate);
        return new NodeTls(key, certificate, ca);
    }

    /** For the side that listens; asks the other for a certificate of the CA. */
    public SslContext serverContext() {
        try {
            return common(SslContextBuilder.forServer(key, certificate, ca))
                    .clientAuth(ClientAuth.REQUIRE)
                    .build();
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For the server side of protocols whose clients have no keys of ours, such as FTPS. */
    public SslContext openServerContext() {
        try {
            return OpenServerTls.context(SslContextBuilder.forServer(key, certificate, ca));
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /**
     * For the side that dials; shows its certificate, and checks the other's name against the host that was dialled:
     * make the handler with {@code newHandler(alloc, host, port)}.
     */
    public SslContext clientContext() {
        try {
            return common(SslContextBuilder.forClient().keyManager(key, certificate, ca))
                    .endpointIdentificationAlgorithm("HTTPS")
                    .build();
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For the admin pages and their readers. */
    public SSLContext jdkContext() {
        try {
            char[] none = new char[0];
            KeyStore own = emptyStore();
            own.setKeyEntry("node", key, none, new X509Certificate[] {certificate, ca});
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(own, none);
            KeyStore trusted = emptyStore();
            trusted.setCertificateEntry("ca", ca);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(e);
        }
    }

    /** Subject of the own certificate (RFC 2253). */
    public String principal() {
        return certificate.getSubjectX500Principal().getName();
    }

    /** When the own certificate ends. */
    public Instant validUntil() {
        return certificate.getNotAfter().toInstant();
    }

    /** What an operator is told when the own certificate has ended or ends within {@link #WARN_BEFORE}; else empty. */
    public Optional<String> warning(Instant now) {
        Duration left = Duration.between(now, validUntil());
        if (left.compareTo(WARN_BEFORE) > 0) {
            return Optional.empty();
        }
        String when = left.isNegative() ? "ended on " : "ends in " + left.toDays() + " days, on ";
        return Optional.of(
                when + validUntil() + "; make new keys with 'hawser keys init DIR', and start the nodes with them");
    }

    private SslContextBuilder common(SslContextBuilder builder) {
        return builder.trustManager(ca)
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOL)
                .ciphers(CIPHERS);
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static X509Certificate readCertificate(Path path) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(read(path)));
        } catch (CertificateException e) {
            throw new ConfigException(path + " is not a certificate in PEM form");
        }
    }

    private static PrivateKey readKey(Path path, String algorithm) {
        byte[] pem = read(path);
        refuseSharedKey(path);
        Matcher matcher = PRIVATE_KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!matcher.find()) {
            throw new ConfigException(path + " is not a private key in PKCS#8 PEM form (BEGIN PRIVATE KEY)");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new ConfigException(
                    path + " is damaged, or not a key of the kind " + algorithm + " that its certificate has");
        }
    }

    private static byte[] read(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw new ConfigException("--tls: there is no " + path + "; 'hawser keys init DIR' makes the keys");
        } catch (AccessDeniedException e) {
            throw new ConfigException("--tls: no permission to read " + path);
        } catch (IOException e) {
            throw new ConfigException("--tls: cannot read " + path + ": " + e.getMessage());
        }
    }

    static void refuseSharedKey(Path path) {
        try {
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            permissions.addAll(Files.getPosixFilePermissions(path));
            String text = PosixFilePermissions.toString(permissions);
            permissions.retainAll(OTHERS);
            if (!permissions.isEmpty()) {
                throw new ConfigException(path + " can be read or written by others (" + text + "): chmod 600 " + path);
            }
        } catch (UnsupportedOperationException e) {
            // A file system without such permissions: there is nothing to check.
            return;
        } catch (IOException e) {
            throw new ConfigException("--tls: cannot read the permissions of " + path + ": " + e.getMessage());
        }
    }

    private static void checkDates(Path path, X509Certificate certificate, Instant now) {
        try {
            certificate.checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            throw new ConfigException(path + " expired on "
                    + certificate.getNotAfter().toInstant() + "; make new keys with 'hawser keys init DIR'");
        } catch (CertificateNotYetValidException e) {
            throw new ConfigException(path + " is valid from "
                    + certificate.getNotBefore().toInstant() + " on only; is this machine's clock right?");
        }
    }

    private static void checkPair(KeyDirectory files, Role role, PrivateKey key, X509Certificate certificate) {
        String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256with" + key.getAlgorithm();
        byte[] sample = role.fileName().getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(sample);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(sample);
            if (verifier.verify(signature)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new ConfigException(files.key(role) + " cannot be used: " + e.getMessage());
        }
        throw new ConfigException(files.key(role) + " does not belong to " + files.certificate(role));
    }

    private static IllegalStateException unusable(Exception e) {
        return new IllegalStateException("this JVM cannot use the keys: " + e.getMessage(), e);
    }
}
