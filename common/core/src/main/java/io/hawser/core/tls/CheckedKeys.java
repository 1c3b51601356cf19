package io.hawser.core.tls;

import io.hawser.core.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the files of a key directory and checks them: they are there, keys are private, the key belongs to the certificate, the
 * certificate is of the CA and valid now, the revocation list is the CA's.
 *
 * @param key of the role
 * @param certificate of the role
 * @param ca that made the certificate
 * @param trusted all certificates of {@code ca.crt}, including the own CA's: two while one CA replaces another
 * @param revoked the revocation lists of {@code ca.crl}; none if there is no such file
 *
 * <p>Thread: immutable.
 */
public record CheckedKeys(
        PrivateKey key,
        X509Certificate certificate,
        X509Certificate ca,
        List<X509Certificate> trusted,
        List<X509CRL> revoked) {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    /**
     * Reads the keys of {@code role}.
     *
     * @throws ConfigException with the problem and its remedy
     */
    public static CheckedKeys read(KeyDirectory files, Role role, Instant now) {
        List<X509Certificate> trusted = certificates(files.caCertificate());
        X509Certificate certificate = certificates(files.certificate(role)).get(0);
        PrivateKey key = readKey(files.key(role), certificate.getPublicKey().getAlgorithm());
        X509Certificate ca = trusted.stream()
                .filter(each -> isSigned(certificate, each))
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        files.certificate(role) + " was not made by the CA of " + files.caCertificate()));
        checkDates(files.caCertificate(), ca, now);
        checkDates(files.certificate(role), certificate, now);
        checkPair(files, role, key, certificate);
        return new CheckedKeys(key, certificate, ca, trusted, revocations(files.revocations(), trusted));
    }

    /** Whether a certificate is in the revocation list of its CA. */
    public boolean isRevoked(X509Certificate peer) {
        return revoked.stream().anyMatch(list -> list.isRevoked(peer));
    }

    private static boolean isSigned(X509Certificate certificate, X509Certificate by) {
        try {
            certificate.verify(by.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The certificates of a PEM file, at least one. */
    public static List<X509Certificate> certificates(Path path) {
        try {
            List<X509Certificate> found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(read(path)))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException e) {
            throw new ConfigException(path + " is not a certificate in PEM form");
        }
        throw new ConfigException(path + " is not a certificate in PEM form");
    }

    private static List<X509CRL> revocations(Path path, List<X509Certificate> trusted) {
        if (Files.notExists(path)) {
            return List.of();
        }
        List<X509CRL> lists = lists(path);
        for (X509CRL list : lists) {
            Optional<X509Certificate> signer =
                    trusted.stream().filter(ca -> isSigned(list, ca)).findFirst();
            if (signer.isEmpty()) {
                throw new ConfigException(path + " was not signed by the CA of this directory");
            }
        }
        return lists;
    }

    /** The revocation lists of a PEM file. */
    public static List<X509CRL> lists(Path path) {
        try {
            return CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(read(path))).stream()
                    .map(X509CRL.class::cast)
                    .toList();
        } catch (CertificateException | CRLException e) {
            throw new ConfigException(path + " is not a revocation list in PEM form");
        }
    }

    private static boolean isSigned(X509CRL list, X509Certificate by) {
        try {
            list.verify(by.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    public static PrivateKey readKey(Path path, String algorithm) {
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
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new ConfigException("--tls: " + path + " is not a regular file"); // a pipe would be waited for
        }
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

    public static void refuseSharedKey(Path path) {
        try {
            PrivateFiles.refuseShared(path);
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
                    + certificate.getNotBefore().toInstant() + " on; check this machine's clock");
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
}
