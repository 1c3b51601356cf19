package io.hawser.agentb.serve;

import io.hawser.common.remote.RemoteFile;
import java.time.Instant;
import org.apache.commons.net.ftp.FTPFile;
import org.jspecify.annotations.Nullable;

/**
 * One line of a listing. Small: a listing of many is on the heap.
 *
 * @param name the last segment
 * @param kind file, directory, or null for what has to be looked at (a link)
 * @param sizeBytes 0 for a directory
 * @param modifiedMillis since the epoch, 0 if the server does not tell
 * @param mode nine permission bits
 */
record FarEntry(String name, RemoteFile.@Nullable Kind kind, long sizeBytes, long modifiedMillis, int mode) {
    /** Before a size and a time that a patch's delivery can compare. */
    private static final String COMPARABLE_PREFIX = "far:";

    private static final int USUAL_FILE = 0644;
    private static final int USUAL_DIRECTORY = 0755;
    private static final int[] WHO = {FTPFile.USER_ACCESS, FTPFile.GROUP_ACCESS, FTPFile.WORLD_ACCESS};
    private static final int[] WHAT = {FTPFile.READ_PERMISSION, FTPFile.WRITE_PERMISSION, FTPFile.EXECUTE_PERMISSION};

    /** What commons-net has read. */
    static FarEntry of(String name, FTPFile file) {
        RemoteFile.Kind kind = file.isDirectory()
                ? RemoteFile.Kind.DIRECTORY
                : file.isFile() && file.getSize() >= 0 ? RemoteFile.Kind.FILE : null;
        Instant modified = file.getTimestampInstant();
        return new FarEntry(
                name,
                kind,
                kind == RemoteFile.Kind.FILE ? file.getSize() : 0,
                modified == null ? 0 : modified.toEpochMilli(),
                mode(file, kind == RemoteFile.Kind.DIRECTORY));
    }

    private static int mode(FTPFile file, boolean directory) {
        int mode = 0;
        for (int who : WHO) {
            for (int what : WHAT) {
                mode = mode << 1 | (file.hasPermission(who, what) ? 1 : 0);
            }
        }
        return mode != 0 ? mode : directory ? USUAL_DIRECTORY : USUAL_FILE;
    }

    /** A file of which only this is known. */
    static FarEntry file(String name, long sizeBytes, long modifiedMillis) {
        return new FarEntry(name, RemoteFile.Kind.FILE, sizeBytes, modifiedMillis, USUAL_FILE);
    }

    /** A directory of which nothing else is known. */
    static FarEntry directory(String name) {
        return new FarEntry(name, RemoteFile.Kind.DIRECTORY, 0, 0, USUAL_DIRECTORY);
    }

    /** As the near edge gets it. The fingerprint is size and time: FTP tells nothing else that every server knows. */
    RemoteFile remoteFile() {
        RemoteFile.Kind known = kind == null ? RemoteFile.Kind.FILE : kind;
        String prefix = modifiedMillis == 0 ? RemoteFile.WHOLE_ONLY_PREFIX : COMPARABLE_PREFIX;
        String fingerprint = prefix + sizeBytes + "-" + modifiedMillis;
        return new RemoteFile(name, known, sizeBytes, modifiedMillis, mode, fingerprint);
    }
}
