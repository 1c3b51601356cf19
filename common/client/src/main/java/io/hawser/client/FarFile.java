package io.hawser.client;

import io.hawser.core.remote.RemoteFile;
import java.time.Instant;

/**
 * A file or directory at a far end.
 *
 * @param name the last segment of its name; empty for the top
 * @param isDirectory whether it is a directory
 * @param sizeBytes a file's size; 0 for a directory
 * @param modified when it was modified last
 * @param mode the nine permission bits of POSIX
 * @param version changes when the content may have changed
 */
public record FarFile(String name, boolean isDirectory, long sizeBytes, Instant modified, int mode, String version) {
    static FarFile of(RemoteFile file) {
        return new FarFile(
                file.name(),
                file.kind() == RemoteFile.Kind.DIRECTORY,
                file.sizeBytes(),
                Instant.ofEpochMilli(file.modifiedMillis()),
                file.mode(),
                file.fingerprint());
    }
}
