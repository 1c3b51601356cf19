package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarTime;
import io.hawser.core.remote.RemoteFile;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPFile;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a listing. Small, since large listings are on the heap.
 *
 * @param name the last segment
 * @param kind file, directory, or null for what needs a stat (a link)
 * @param sizeBytes 0 for a directory
 * @param modified as the server gave it
 * @param mode nine permission bits
 */
record FarEntry(String name, RemoteFile.@Nullable Kind kind, long sizeBytes, FarTime modified, int mode) {
    /** Marks a fingerprint of size and time, which a patch's delivery can compare. */
    private static final String COMPARABLE_PREFIX = "far:";
    /** Marks a time that came with a fraction. */
    private static final String FINE_SUFFIX = "f";

    /** The fact in a line of MLST; the name follows the first blank. */
    private static final Pattern MODIFY = Pattern.compile("(?i)(?:[^ ]*;)?modify=([0-9.]{14,99});.*", Pattern.DOTALL);

    private static final int DEFAULT_FILE_MODE = 0644;
    private static final int DEFAULT_DIRECTORY_MODE = 0755;
    private static final int[] WHO = {FTPFile.USER_ACCESS, FTPFile.GROUP_ACCESS, FTPFile.WORLD_ACCESS};
    private static final int[] WHAT = {FTPFile.READ_PERMISSION, FTPFile.WRITE_PERMISSION, FTPFile.EXECUTE_PERMISSION};

    /** From an entry that commons-net parsed. */
    static FarEntry of(String name, FTPFile file) {
        RemoteFile.Kind kind = file.isDirectory()
                ? RemoteFile.Kind.DIRECTORY
                : file.isFile() && file.getSize() >= 0 ? RemoteFile.Kind.FILE : null;
        return new FarEntry(
                name,
                kind,
                kind == RemoteFile.Kind.FILE ? file.getSize() : 0,
                modified(file),
                mode(file, kind == RemoteFile.Kind.DIRECTORY));
    }

    /** Parses MLST's time itself, since commons-net does not say whether it had a fraction. */
    private static FarTime modified(FTPFile file) {
        Matcher modify = MODIFY.matcher(file.getRawListing() == null ? "" : file.getRawListing());
        if (modify.matches()) {
            return FarTime.parse(modify.group(1));
        }
        Instant parsed = file.getTimestampInstant();
        return parsed == null ? FarTime.UNKNOWN : new FarTime(parsed.toEpochMilli(), false);
    }

    private static int mode(FTPFile file, boolean directory) {
        int mode = 0;
        for (int who : WHO) {
            for (int what : WHAT) {
                mode = mode << 1 | (file.hasPermission(who, what) ? 1 : 0);
            }
        }
        return mode != 0 ? mode : directory ? DEFAULT_DIRECTORY_MODE : DEFAULT_FILE_MODE;
    }

    /** A file without known permissions. */
    static FarEntry file(String name, long sizeBytes, FarTime modified) {
        return new FarEntry(name, RemoteFile.Kind.FILE, sizeBytes, modified, DEFAULT_FILE_MODE);
    }

    /** A directory of which only the name is known. */
    static FarEntry directory(String name) {
        return new FarEntry(name, RemoteFile.Kind.DIRECTORY, 0, FarTime.UNKNOWN, DEFAULT_DIRECTORY_MODE);
    }

    /** As agent-a gets it. The fingerprint is size and time, which is all that every FTP server gives. */
    RemoteFile remoteFile() {
        RemoteFile.Kind known = kind == null ? RemoteFile.Kind.FILE : kind;
        String prefix = modified.known() ? COMPARABLE_PREFIX : RemoteFile.WHOLE_ONLY_PREFIX;
        String fingerprint = prefix + sizeBytes + "-" + modified.millis() + (modified.fine() ? FINE_SUFFIX : "");
        return new RemoteFile(name, known, sizeBytes, modified.millis(), mode, fingerprint);
    }
}
