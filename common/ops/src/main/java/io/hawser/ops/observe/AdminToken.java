package io.hawser.ops.observe;

import io.hawser.core.config.ConfigException;
import io.hawser.core.config.FileChangeDetector;
import io.hawser.core.tls.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret in the first line of a file that only its owner can read. It is read again when the file changes; if the new file cannot be used, the
 * old secret stays valid.
 *
 * <p>Thread: any.
 */
public final class AdminToken {
    private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
    private static final int MIN_LENGTH = 16;
    private static final int SECRET_BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path path;
    private final FileChangeDetector detector;
    private String secret;

    private AdminToken(Path path, FileChangeDetector detector, String secret) {
        this.path = path;
        this.detector = detector;
        this.secret = secret;
    }

    /**
     * @throws ConfigException if it does not exist, others can read it, or its first line is too short
     */
    public static AdminToken open(Path path) {
        FileChangeDetector detector = new FileChangeDetector(List.of(path));
        return new AdminToken(path, detector, read(path));
    }

    /**
     * Makes the file with a random secret if there is none, then opens it.
     *
     * @throws ConfigException as {@link #open}
     * @throws IOException if it cannot be made
     */
    public static AdminToken openOrMake(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        if (Files.size(path) == 0) { // also after a crash between the two
            byte[] secret = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(secret);
            Files.writeString(path, HexFormat.of().formatHex(secret) + "\n");
        }
        return open(path);
    }

    private static String read(Path path) {
        try {
            PrivateFiles.refuseShared(path);
            String line = Files.readString(path).lines().findFirst().orElse("").strip();
            if (line.length() < MIN_LENGTH) {
                throw new ConfigException("--admin-token-file " + path + ": its first line has fewer than " + MIN_LENGTH
                        + " characters; 'openssl rand -hex 32' makes a good one");
            }
            return line;
        } catch (IOException e) {
            throw new ConfigException("--admin-token-file " + path
                    + " cannot be read; 'umask 077; openssl rand -hex 32 > " + path + "' makes one");
        }
    }

    /** Reading a pipe would wait, perhaps for ever. */
    private static String readAgain(Path path) {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new ConfigException("--admin-token-file " + path + " is not a regular file");
        }
        return read(path);
    }

    /** The secret, for a client that sends it. */
    public synchronized String secret() {
        if (detector.hasChanged()) {
            try {
                secret = readAgain(path);
                LOG.atInfo().addKeyValue("file", path).log("read the admin token again");
            } catch (ConfigException e) {
                LOG.atWarn()
                        .addKeyValue("problem", e.getMessage())
                        .log("cannot use the new admin token file; the old token stays valid");
            }
        }
        return secret;
    }

    /** Its file, as an absolute path. */
    public Path file() {
        return path.toAbsolutePath().normalize();
    }

    /** Compares in constant time for equal lengths. */
    public boolean is(String shown) {
        return MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), secret().getBytes(StandardCharsets.UTF_8));
    }
}
