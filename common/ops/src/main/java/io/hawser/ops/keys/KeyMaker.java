package io.hawser.ops.keys;

import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.CheckedKeys;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.CertificateAuthority.Subject;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;

/**
 * Fills key directories: makes a CA and a certificate for each role, certificates for single nodes, renews them, and revokes them. Signed certificates
 * are kept beside the CA's key, in {@code issued}, so that they can be revoked by name.
 *
 * <p>Only {@link #renew} and {@link #revoke} replace files, by renaming, so that a node never reads half a file. New directories are filled completely or
 * not at all ({@link KeyDirectoryWriter}).
 *
 * <p>Thread: one.
 */
public final class KeyMaker {
    private static final String PRIVATE = "rw-------";
    private static final String PUBLIC = "rw-r--r--";
    private static final String ISSUED = "issued";

    private final Set<String> hosts;
    private final Duration validity;
    private final Instant now;

    /**
     * @param hosts names and addresses of the nodes, for every certificate
     * @param validity how long the nodes' certificates are valid
     */
    public KeyMaker(Set<String> hosts, Duration validity, Instant now) {
        this.hosts = Set.copyOf(hosts);
        this.validity = validity;
        this.now = now;
    }

    /**
     * Completes a {@link #fill}, {@link #add} or join that was cut off after all files were made; whether there was one.
     */
    public static boolean finish(KeyDirectory directory) throws IOException {
        return KeyDirectoryWriter.finish(directory);
    }

    /**
     * Fills a directory; creates a missing one with access for its owner only.
     *
     * @throws ConfigException if the directory has keys already
     */
    public void fill(KeyDirectory directory) throws IOException {
        try (KeyDirectoryWriter draft = KeyDirectoryWriter.begin(directory)) {
            KeyPair caPair = CertificateAuthority.newKeyPair();
            CertificateAuthority ca = CertificateAuthority.create(caPair, now);
            draft.addPrivate(directory.caKey(), privateKey(caPair.getPrivate()));
            draft.addPublic(directory.caCertificate(), pem(ca.certificate()));
            for (Role role : Role.values()) {
                KeyPair pair = CertificateAuthority.newKeyPair();
                X509Certificate certificate =
                        ca.issue(pair.getPublic(), new Subject(role, null, hosts, Grants.NONE), now, validity);
                draft.addPrivate(directory.key(role), privateKey(pair.getPrivate()));
                draft.addPublic(directory.certificate(role), pem(certificate));
            }
            draft.publish();
        }
    }

    /**
     * Makes the key directory of one node.
     *
     * @param authority the directory with the CA's key
     * @param target is created; refused if it has keys already
     */
    public X509Certificate add(KeyDirectory authority, KeyDirectory target, Role role, String name, Grants grants)
            throws IOException {
        CertificateAuthority ca = CertificateAuthority.open(authority);
        try (KeyDirectoryWriter draft = KeyDirectoryWriter.begin(target)) {
            KeyPair pair = CertificateAuthority.newKeyPair();
            X509Certificate certificate =
                    ca.issue(pair.getPublic(), new Subject(role, name, hosts, grants), now, validity);
            draft.addPrivate(target.key(role), privateKey(pair.getPrivate()));
            draft.addPublic(target.certificate(role), pem(certificate));
            draft.addPublic(target.caCertificate(), Files.readString(authority.caCertificate()));
            if (Files.exists(authority.revocations())) {
                draft.addPublic(target.revocations(), Files.readString(authority.revocations()));
            }
            keep(authority, certificate); // before anybody can use it
            draft.publish();
            return certificate;
        }
    }

    /** Keeps a signed certificate, to be revoked by name. */
    public static void keep(KeyDirectory authority, X509Certificate certificate) throws IOException {
        Path issued = authority.path().resolve(ISSUED);
        makePrivate(issued);
        write(issued.resolve(certificate.getSerialNumber().toString(16) + ".crt"), pem(certificate), PUBLIC);
    }

    /** Replaces the keys and certificates of a directory by new ones with the same names and rights. Returns the certificates. */
    public List<X509Certificate> renew(KeyDirectory authority, KeyDirectory target) throws IOException {
        CertificateAuthority ca = CertificateAuthority.open(authority);
        List<X509Certificate> made = new ArrayList<>();
        for (Role role : Role.values()) {
            if (Files.exists(target.certificate(role))) {
                X509Certificate old =
                        CheckedKeys.certificates(target.certificate(role)).get(0);
                Identity identity = CertificateIdentity.identity(old);
                Set<String> names = new LinkedHashSet<>(CertificateIdentity.hosts(old));
                names.addAll(hosts);
                String own = identity.name().equals(role.fileName()) ? null : identity.name();
                KeyPair pair = CertificateAuthority.newKeyPair();
                Subject subject =
                        new Subject(role, own, names, identity.grants().orElse(Grants.NONE));
                X509Certificate certificate = ca.issue(pair.getPublic(), subject, now, validity);
                keep(authority, certificate); // before anybody can use it
                replace(target.key(role), privateKey(pair.getPrivate()), PRIVATE);
                replace(target.certificate(role), pem(certificate), PUBLIC);
                made.add(certificate);
            }
        }
        if (made.isEmpty()) {
            throw new ConfigException("there is no certificate of a node in " + target.path());
        }
        return made;
    }

    /**
     * Revokes all valid certificates of a name. Returns them.
     *
     * @param who {@code ROLE:NAME}, a role for those without a name of their own, or a serial number in hex
     */
    public List<X509Certificate> revoke(KeyDirectory authority, String who) throws IOException {
        CertificateAuthority ca = CertificateAuthority.open(authority);
        List<X509Certificate> found = issued(authority).stream()
                .filter(each -> each.getNotAfter().toInstant().isAfter(now))
                .filter(each -> isOf(each, who))
                .toList();
        if (found.isEmpty()) {
            throw new ConfigException("no certificate of " + who + " is known in " + authority.path()
                    + "; 'hawser keys list' shows them");
        }
        List<X509CRL> before =
                Files.exists(authority.revocations()) ? CheckedKeys.lists(authority.revocations()) : List.of();
        Set<BigInteger> serials = found.stream()
                .map(X509Certificate::getSerialNumber)
                .filter(serial -> before.stream().allMatch(list -> list.getRevokedCertificate(serial) == null))
                .collect(Collectors.toSet());
        X509CRL list = ca.revoke(before, serials, now);
        replace(authority.revocations(), pem(list), PUBLIC);
        return found;
    }

    private static boolean isOf(X509Certificate certificate, String who) {
        Identity identity = CertificateIdentity.identity(certificate);
        return identity.text().equals(who)
                || (identity.role().equals(who) && identity.name().equals(who))
                || certificate.getSerialNumber().toString(16).equalsIgnoreCase(who);
    }

    /** The certificates that a CA's directory knows: those of the roles and those in {@code issued}, by serial number. */
    public static List<X509Certificate> issued(KeyDirectory authority) throws IOException {
        Map<BigInteger, X509Certificate> found = new TreeMap<>();
        for (Role role : Role.values()) {
            if (Files.exists(authority.certificate(role))) {
                add(found, authority.certificate(role));
            }
        }
        Path issued = authority.path().resolve(ISSUED);
        if (Files.isDirectory(issued)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(issued, "*.crt")) {
                for (Path file : files) {
                    add(found, file);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static void add(Map<BigInteger, X509Certificate> found, Path file) {
        X509Certificate certificate = CheckedKeys.certificates(file).get(0);
        found.put(certificate.getSerialNumber(), certificate);
    }

    /** Whether the directory's revocation list has that certificate. */
    public static boolean isRevoked(KeyDirectory authority, X509Certificate certificate) {
        return Files.exists(authority.revocations())
                && CheckedKeys.lists(authority.revocations()).stream().anyMatch(list -> list.isRevoked(certificate));
    }

    static void refuseToOverwrite(KeyDirectory directory) {
        List<Path> paths = new ArrayList<>(List.of(directory.caCertificate(), directory.caKey()));
        for (Role role : Role.values()) {
            paths.add(directory.certificate(role));
            paths.add(directory.key(role));
        }
        Optional<Path> existing = paths.stream().filter(Files::exists).findFirst();
        if (existing.isPresent()) {
            throw new ConfigException(
                    existing.get() + " exists: keys are never overwritten; choose another directory or move it away");
        }
    }

    static void makePrivate(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    static String privateKey(PrivateKey key) throws IOException {
        return pem(new PemObject("PRIVATE KEY", key.getEncoded()));
    }

    /** A certificate, a revocation list or what else Bouncy Castle knows. */
    static String pem(Object what) throws IOException {
        StringWriter pem = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
            writer.writeObject(what);
        }
        return pem.toString();
    }

    static Path writePrivate(Path path, String text) throws IOException {
        return write(path, text, PRIVATE);
    }

    static Path writePublic(Path path, String text) throws IOException {
        return write(path, text, PUBLIC);
    }

    private static void replace(Path path, String text, String permissions) throws IOException {
        Path made = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(made);
        write(made, text, permissions);
        Files.move(made, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static Path write(Path path, String text, String permissions) throws IOException {
        // Created with its final permissions, so that others can never read a private key.
        var attributes = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        try (FileChannel channel =
                FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true); // before the rename, or a power cut may leave an empty file
        }
        return path;
    }
}
