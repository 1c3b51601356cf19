package io.hawser.agenta.sftp.ssh;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of accounts: a directory with a file for each account, named as it, in the format of OpenSSH's {@code authorized_keys}. It is
 * read at each login. A file that others may write is not used, nor is a key with an option that restricts it in a way that is not kept
 * here.
 *
 * <p>Thread: any.
 */
public final class AuthorizedKeys {
    private static final Logger LOG = LoggerFactory.getLogger(AuthorizedKeys.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    private static final long MAX_BYTES = 1 << 20;
    private static final int MIN_RSA_BITS = 2048;

    /** Options that forbid what nobody may do here. */
    private static final Set<String> KEPT_ANYWAY = Set.of(
            "restrict", "no-pty", "no-port-forwarding", "no-agent-forwarding", "no-x11-forwarding", "no-user-rc");

    private final Path directory;

    private AuthorizedKeys(Path directory) {
        this.directory = directory;
    }

    /** The keys in {@code directory}. {@link IOException} with a sentence for the operator if they cannot be used. */
    public static AuthorizedKeys in(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException("the directory of public keys (--sftp-keys) is not there: " + directory);
        }
        refuseWritable(directory);
        return new AuthorizedKeys(directory);
    }

    /** The keys that open {@code account}; none if there is no file for it, or it cannot be used. */
    List<PublicKey> of(String account) {
        if (!NAME.matcher(account).matches()) {
            return List.of();
        }
        Path file = directory.resolve(account);
        try {
            refuseWritable(directory);
            refuseWritable(file);
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is not a regular file"); // a pipe would never end
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
            }
            return read(file);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("a file with public keys is not used");
            return List.of();
        }
    }

    private static void refuseWritable(Path path) throws IOException {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(path, new LinkOption[0]);
        } catch (UnsupportedOperationException e) {
            return; // a file system without such permissions
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(path + " can be written by others: chmod go-w " + path);
        }
    }

    private static List<PublicKey> read(Path file) throws IOException {
        List<PublicKey> keys = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            try {
                for (AuthorizedKeyEntry entry : AuthorizedKeyEntry.readAuthorizedKeys(new StringReader(line), true)) {
                    keys.add(key(entry));
                }
            } catch (IOException | GeneralSecurityException | RuntimeException e) {
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("line", number)
                        .addKeyValue("reason", e.getMessage())
                        .log("a public key is not used");
            }
        }
        return keys;
    }

    private static PublicKey key(AuthorizedKeyEntry entry) throws IOException, GeneralSecurityException {
        for (String option : entry.getLoginOptions().keySet()) {
            if (!KEPT_ANYWAY.contains(option.toLowerCase(Locale.ROOT))) {
                throw new IOException("its option " + option + " is not supported");
            }
        }
        PublicKey key = entry.resolvePublicKey(null, PublicKeyEntryResolver.FAILING);
        if (key.getAlgorithm().equals("RSA") && KeyUtils.getKeySize(key) < MIN_RSA_BITS) {
            throw new IOException("it has less than " + MIN_RSA_BITS + " bits");
        }
        return key;
    }
}
