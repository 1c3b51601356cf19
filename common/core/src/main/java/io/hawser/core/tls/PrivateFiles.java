package io.hawser.core.tls;

import io.hawser.core.config.ConfigException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Checks that only its owner can read or write a file with secrets.
 *
 * <p>Thread: any.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private PrivateFiles() {}

    /** {@link ConfigException} with a remedy if others can read or write that file. */
    public static void refuseShared(Path path) throws IOException {
        try {
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            permissions.addAll(Files.getPosixFilePermissions(path));
            String text = PosixFilePermissions.toString(permissions);
            permissions.retainAll(OTHERS);
            if (!permissions.isEmpty()) {
                throw new ConfigException(path + " can be read or written by others (" + text + "): chmod 600 " + path);
            }
        } catch (UnsupportedOperationException e) {
            return; // a file system without such permissions
        }
    }

    /**
     * The first line of the file with a secret that {@code flag} names; empty if the file is empty.
     *
     * @throws ConfigException if others can read or write the file, or it cannot be read
     */
    public static String firstLine(String flag, Path path) {
        try {
            refuseShared(path);
            return Files.readString(path).lines().findFirst().orElse("");
        } catch (NoSuchFileException e) {
            throw new ConfigException(flag + ": there is no " + path);
        } catch (AccessDeniedException e) {
            throw new ConfigException(flag + ": no permission to read " + path);
        } catch (CharacterCodingException e) {
            throw new ConfigException(flag + ": " + path + " is not UTF-8 text");
        } catch (IOException e) {
            throw new ConfigException(flag + ": cannot read " + path + ": " + e.getMessage());
        }
    }
}
