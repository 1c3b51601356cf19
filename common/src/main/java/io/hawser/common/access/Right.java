package io.hawser.common.access;

import java.util.Locale;

/** What may be done with a topic. */
public enum Right {
    /** Send to it: files, messages, directories, renames, times and modes. */
    PUBLISH,
    /** Have subscriptions on it, and answer questions about its files. */
    SUBSCRIBE,
    /** See that it exists: what is on its way, its subscriptions, listings and facts of its files. */
    LIST,
    /** Read its files, or checksums of them, from the far edge. */
    READ,
    /** Delete its files and directories at the far edge. */
    DELETE,
    /** Remove its subscriptions. */
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
        throw new IllegalArgumentException(
                "'" + word + "' is no right; there are publish, subscribe, list, read, delete, admin, cancel and all");
    }

    /** How it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
