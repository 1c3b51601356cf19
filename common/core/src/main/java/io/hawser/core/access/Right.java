package io.hawser.core.access;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a peer may do with a topic. */
public enum Right {
    /** Send to it: files, messages, directories, renames, times and modes. */
    PUBLISH,
    /** Have subscriptions on it. */
    SUBSCRIBE,
    /** Answer questions about its files: what readers at the near edge get. */
    SERVE,
    /** Become a member of a group that others have on it. */
    JOIN,
    /** See that it exists: what is on its way, its subscriptions, listings and facts of its files. */
    LIST,
    /** Read its files, or checksums of them, from the far edge. */
    READ,
    /** Delete its files and directories at the far edge. */
    DELETE,
    /** Remove its subscriptions, or take them from their owners. */
    ADMIN,
    /** Cancel what other nodes are sending to it. */
    CANCEL;

    /** The right of that name, in lower case; {@link IllegalArgumentException} if there is none. */
    static Right of(String word) {
        for (Right right : values()) {
            if (right.word().equals(word)) {
                return right;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no right; there are " + words() + " and all");
    }

    private static String words() {
        return Stream.of(values()).map(Right::word).collect(Collectors.joining(", "));
    }

    /** How it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
