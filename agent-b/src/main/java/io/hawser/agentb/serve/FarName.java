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

    /** Whether listings leave it out: the directory itself, its parent, and temporary files of uploads. */
    static boolean isHidden(String entry) {
        return entry.equals(".") || entry.equals("..") || entry.startsWith(HIDDEN_PREFIX);
    }

    /** Whether agent-a can show it, and ask for it by that name. */
    static boolean isPossibleEntry(String entry) {
        return isPossible(entry)
                && entry.indexOf(NOT_UTF_8) < 0
                && entry.indexOf('/') < 0
                && Utf8.length(entry) <= RemoteFileCodec.MAX_NAME_LENGTH_BYTES;
    }

    /** A tab does no harm. A backslash is a letter, but where a server takes it for a separator it must not lead up either. */
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
