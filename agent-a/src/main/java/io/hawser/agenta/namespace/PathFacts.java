package io.hawser.agenta.namespace;

import io.hawser.core.remote.RemoteFile;
import java.util.OptionalLong;

/**
 * What a client may know of a file or directory.
 *
 * @param name its last segment
 * @param directory whether it is a directory
 * @param sizeBytes a file's size, 0 for a directory
 * @param modifiedMillis when it was modified, milliseconds since the epoch; 0 if that is not known
 * @param mode the nine permission bits of POSIX
 * @param unique differs for different files (RFC 3659 section 7.5.4), or empty
 */
public record PathFacts(String name, boolean directory, long sizeBytes, long modifiedMillis, int mode, String unique) {
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;

    /** Of what the far end has. */
    static PathFacts of(RemoteFile file) {
        return new PathFacts(
                file.name(),
                file.isDirectory(),
                file.sizeBytes(),
                file.modifiedMillis(),
                file.mode(),
                RemoteFile.withoutLinks(file.fingerprint()).replaceAll("[^A-Za-z0-9.:_-]", "-"));
    }

    static PathFacts file(String name, long sizeBytes, long modifiedMillis) {
        return new PathFacts(name, false, sizeBytes, modifiedMillis, FILE_MODE, "");
    }

    /** Of a directory that this node knows of. */
    static PathFacts directory(String name, long modifiedMillis) {
        return new PathFacts(name, true, 0, modifiedMillis, DIRECTORY_MODE, "");
    }

    /** The same with another time, if one is given. */
    PathFacts modified(OptionalLong millis) {
        return new PathFacts(name, directory, sizeBytes, millis.orElse(modifiedMillis), mode, unique);
    }

    /** The same under another name. */
    PathFacts named(String other) {
        return new PathFacts(other, directory, sizeBytes, modifiedMillis, mode, unique);
    }
}
