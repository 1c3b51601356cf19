package io.hawser.core.access;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A right on a topic. */
public enum Right {
    /** Publish to it: files, messages, directories, renames, times and modes. */
    PUBLISH,
    /** Subscribe to it. */
    SUBSCRIBE,
    /** Answer remote calls about its files. */
    SERVE,
    /** Join another owner's group on it. */
    JOIN,
    /** See it: its transfers, its subscriptions, listings and facts of its files. */
    LIST,
    /** Read its files, or checksums of them, from the far end. */
    READ,
    /** Delete its files and directories at the far end. */
    DELETE,
    /** Remove its subscriptions, or release them from their owners. */
    ADMIN,
    /** Cancel other publishers' transfers to it. */
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

    /** The name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
