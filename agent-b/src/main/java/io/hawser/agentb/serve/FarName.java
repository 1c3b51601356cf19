package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.Utf8;
import io.hawser.core.remote.RemoteFileCodec;
import java.util.Collections;
import java.util.List;

/**
 * Maps names below the URL's directory, segments joined by {@code /}, to paths of the server. No name leads outside of that directory (unless a
 * link on the server does).
 */
final class FarName {
    /** Temporary files of uploads. */
    private static final String HIDDEN_PREFIX = ".hawser-";
    /** Replaces bytes that are not UTF-8: the server would not find such a name. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private FarName() {}

    /** The server's path of a name. */
    static String path(FarSession session, String name) throws NotServedException {
        if (name.isEmpty()) {
            String root = session.path("");
            return root.length() > 1 ? root.substring(0, root.length() - 1) : root;
        }
        for (String segment : name.split("/", -1)) {
            if (segment.startsWith(HIDDEN_PREFIX)) {
                throw NotServedException.notFound();
            }
            if (!isPossible(segment)) {
                throw new NotServedException(ErrorCode.BAD_NAME, "Invalid argument");
            }
        }
        return session.path(name);
    }

    /** Whether it is the name of something in a directory that is served: not of the directory itself, nor of a temporary file. */
    static boolean isEntry(String entry) {
        return !entry.isEmpty()
                && !entry.equals(".")
                && !entry.equals("..")
                && !entry.startsWith(HIDDEN_PREFIX)
                && entry.indexOf('/') < 0;
    }

    /** Whether the entry can be asked for by that name. */
    static boolean isShown(String entry) {
        return isEntry(entry)
                && isPossible(entry)
                && entry.indexOf(NOT_UTF_8) < 0
                && Utf8.length(entry) <= RemoteFileCodec.MAX_NAME_LENGTH_BYTES;
    }

    /** A backslash is a letter, but where a server takes it for a separator it must not lead up either. */
    private static boolean isPossible(String segment) {
        return !segment.isEmpty()
                && segment.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t')
                && Collections.disjoint(List.of(segment.split("\\\\", -1)), List.of(".", ".."));
    }

    static String last(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }
}
