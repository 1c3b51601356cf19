package io.hawser.common.spool;

import io.hawser.common.storage.FileFacts;

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

    /** Whether a file that shows {@code facts} is still the same version. */
    public boolean matches(FileFacts facts) {
        return facts.isFile()
                && facts.sizeBytes() == sizeBytes
                && facts.modifiedNanos() == modifiedNanos
                && facts.fileKey().equals(fileKey);
    }
}
