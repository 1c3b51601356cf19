package io.hawser.store.storage;

import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A file or directory of a {@link ServedTree}.
 *
 * @param facts what it is, links followed
 * @param mode the nine permission bits
 * @param links what of its path is a symbolic link
 */
public record ServedEntry(FileFacts facts, int mode, Links links) {
    /** Where in a path below the root there are symbolic links; all of them lead to places inside. */
    public enum Links {
        NONE,
        /** It is one itself, and no directory above it is. */
        ITSELF,
        /** A directory above it is one. */
        ABOVE
    }

    /** This entry as found by a path with links. */
    ServedEntry through(Links found) {
        return new ServedEntry(facts, mode, found);
    }

    /** What these attributes say; {@link AccessDeniedException} if it is neither a file nor a directory. */
    static ServedEntry of(Path path, PosixFileAttributes attributes) throws AccessDeniedException {
        if (!attributes.isDirectory() && !attributes.isRegularFile()) {
            throw new ServedTree.NoFileException(path.toString());
        }
        FileFacts facts = new FileFacts(
                attributes.isDirectory() ? 0 : attributes.size(),
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                String.valueOf(attributes.fileKey()),
                attributes.isDirectory() ? FileFacts.Kind.DIRECTORY : FileFacts.Kind.FILE);
        return new ServedEntry(facts, mode(attributes.permissions()), Links.NONE);
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (PosixFilePermission permission :
                PosixFilePermission.values()) { // from the owner's read to the others' execute
            mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
        }
        return mode;
    }
}
