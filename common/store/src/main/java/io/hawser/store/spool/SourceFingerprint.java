package io.hawser.store.spool;

import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What binds a transfer to one version of a file that is read in place.
 *
 * @param path the file, absolute, symbolic links resolved
 * @param sizeBytes its length
 * @param modifiedNanos its modification time, nanoseconds since the epoch
 * @param fileKey device and inode, or empty where there is none
 */
public record SourceFingerprint(String path, long sizeBytes, long modifiedNanos, String fileKey) {
    static SourceFingerprint of(String path, FileFacts facts) {
        return new SourceFingerprint(path, facts.sizeBytes(), facts.modifiedNanos(), facts.fileKey());
    }

    /**
     * The fingerprint of the file that {@code path} leads to now, through symbolic links. Blocks.
     *
     * @throws StorageException if there is no regular file that can be read
     */
    public static SourceFingerprint of(Storage storage, Path path) throws StorageException {
        Path real;
        try {
            real = path.toRealPath();
        } catch (IOException e) {
            throw new StorageException(path + " cannot be read: it does not exist, or access is denied", e);
        }
        FileFacts facts = storage.facts(real);
        if (facts == null || !facts.isFile()) {
            throw new StorageException(
                    path + " is not a regular file. Send a directory's files one by one, and the output of"
                            + " a pipe as a stream");
        }
        return of(real.toString(), facts);
    }

    /** Whether a file that shows {@code facts} is still the same version. */
    public boolean matches(FileFacts facts) {
        return facts.isFile()
                && facts.sizeBytes() == sizeBytes
                && facts.modifiedNanos() == modifiedNanos
                && facts.fileKey().equals(fileKey);
    }
}
