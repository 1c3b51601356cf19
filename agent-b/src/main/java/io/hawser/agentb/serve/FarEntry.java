package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarTime;
import io.hawser.core.remote.RemoteFile;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPFile;
import org.jspecify.annotations.Nullable;

/**
 * One line of a listing. Small: a listing of many is on the heap.
 *
 * @param name the last segment
 * @param kind file, directory, or null for what has to be looked at (a link)
 * @param sizeBytes 0 for a directory
 * @param modifiedMillis since the epoch, 0 if the server does not tell
 * @param fine whether that came with a fraction of the second
 * @param dated whether the server tells the time
 * @param mode nine permission bits
 */
record FarEntry(
        String name,
        RemoteFile.@Nullable Kind kind,
        long sizeBytes,
        long modifiedMillis,
        boolean fine,
        boolean dated,
        int mode) {
    /** Before a size and a time that a patch's delivery can compare. */
    private static final String COMPARABLE_PREFIX = "far:";
    /** Behind a time that came with a fraction. */
    private static final String FINE_SUFFIX = "f";

    /** Of a line of MLST; the name is behind its first blank. */
    private static final Pattern MODIFY = Pattern.compile("(?i)(?:[^ ]*;)?modify=([0-9.]{14,99});.*", Pattern.DOTALL);

    private static final int USUAL_FILE = 0644;
    private static final int USUAL_DIRECTORY = 0755;
    private static final int[] WHO = {FTPFile.USER_ACCESS, FTPFile.GROUP_ACCESS, FTPFile.WORLD_ACCESS};
    private static final int[] WHAT = {FTPFile.READ_PERMISSION, FTPFile.WRITE_PERMISSION, FTPFile.EXECUTE_PERMISSION};

    /** What commons-net has read. */
    static FarEntry of(String name, FTPFile file) {
        RemoteFile.Kind kind = file.isDirectory()
                ? RemoteFile.Kind.DIRECTORY
                : file.isFile() && file.getSize() >= 0 ? RemoteFile.Kind.FILE : null;
        FarTime modified = modified(file);
        return new FarEntry(
                name,
                kind,
                kind == RemoteFile.Kind.FILE ? file.getSize() : 0,
                modified.millis(),
                modified.fine(),
                modified.known(),
                mode(file, kind == RemoteFile.Kind.DIRECTORY));
    }

    /** commons-net does not tell whether there was a fraction. */
    private static FarTime modified(FTPFile file) {
        Matcher modify = MODIFY.matcher(file.getRawListing() == null ? "" : file.getRawListing());
        if (modify.matches()) {
            return FarTime.parse(modify.group(1));
        }
        Instant told = file.getTimestampInstant();
        return told == null ? FarTime.UNKNOWN : new FarTime(told.toEpochMilli(), false);
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
    static FarEntry file(String name, long sizeBytes, FarTime modified) {
        return new FarEntry(
                name,
                RemoteFile.Kind.FILE,
                sizeBytes,
                modified.millis(),
                modified.fine(),
                modified.known(),
                USUAL_FILE);
    }

    /** A directory of which nothing else is known. */
    static FarEntry directory(String name) {
        return new FarEntry(name, RemoteFile.Kind.DIRECTORY, 0, 0, false, false, USUAL_DIRECTORY);
    }

    /** As the near edge gets it. The fingerprint is size and time: FTP tells nothing else that every server knows. */
    RemoteFile remoteFile() {
        RemoteFile.Kind known = kind == null ? RemoteFile.Kind.FILE : kind;
        String prefix = dated ? COMPARABLE_PREFIX : RemoteFile.WHOLE_ONLY_PREFIX;
        String fingerprint = prefix + sizeBytes + "-" + modifiedMillis + (fine ? FINE_SUFFIX : "");
        return new RemoteFile(name, known, sizeBytes, modifiedMillis, mode, fingerprint);
    }
}
