package io.hawser.gsi.file;

import io.hawser.gsi.name.DistinguishedName;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Reads a PEM file: certificates and private keys in any order, with any text between them. */
final class PemFile {
    private static final long MAX_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final List<X509Certificate> certificates = new ArrayList<>();
    private final List<PrivateKey> keys = new ArrayList<>();

    private PemFile(Path path) {
        this.path = path;
    }

    /** Throws {@link IOException} with a sentence if the file cannot be read. */
    static PemFile read(Path path) throws IOException {
        if (Files.size(path) > MAX_BYTES) {
            throw new IOException(path + " is larger than " + MAX_BYTES + " bytes: not a PEM file");
        }
        PemFile file = new PemFile(path);
        String text = new String(RegularFileReader.readAllBytes(path), StandardCharsets.ISO_8859_1);
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                file.add(object);
            }
        } catch (IOException | CertificateException | RuntimeException e) {
            // The parser throws many exceptions for malformed input, also NullPointerException.
            throw new IOException(path + " cannot be read: " + reason(e), e);
        }
        return file;
    }

    private static String reason(Exception e) {
        String message = e.getMessage();
        return e instanceof NullPointerException || message == null ? "it is malformed" : message;
    }

    private void add(Object object) throws IOException, CertificateException {
        if (object instanceof X509CertificateHolder certificate) {
            X509Certificate read = new JcaX509CertificateConverter().getCertificate(certificate);
            DistinguishedName.requireReadable(read);
            certificates.add(read);
        } else if (object instanceof PrivateKeyInfo key) {
            keys.add(new JcaPEMKeyConverter().getPrivateKey(key));
        } else if (object instanceof PEMKeyPair pair) {
            keys.add(new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo()));
        } else if (object instanceof PEMEncryptedKeyPair || object instanceof PKCS8EncryptedPrivateKeyInfo) {
            throw new IOException("its key has a pass phrase, which Hawser cannot ask for; remove the pass phrase");
        }
    }

    /** The certificates in the order of the file, one or more. */
    List<X509Certificate> certificates() throws IOException {
        if (certificates.isEmpty()) {
            throw new IOException(path + " holds no certificate");
        }
        return certificates;
    }

    /** The one key. Throws {@link IOException} also if others than its owner may read or write the file. */
    PrivateKey key() throws IOException {
        if (keys.size() != 1) {
            throw new IOException(path + " holds " + (keys.isEmpty() ? "no private key" : "more than one private key"));
        }
        refuseShared();
        return keys.get(0);
    }

    private void refuseShared() throws IOException {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(path);
        } catch (UnsupportedOperationException e) {
            return; // a file system without such permissions
        }
        if (!OWNER_ONLY.containsAll(permissions)) {
            throw new IOException(path + " holds a private key and can be used by others ("
                    + PosixFilePermissions.toString(permissions) + "): chmod 600 " + path);
        }
    }
}
