package io.hawser.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A name that publishers send to and subscriptions bind to, such as {@code site-b}. One path segment of 1 to 128 bytes, so that
 * agent-a can show it as a directory: letters, digits, dot, dash and underscore, not beginning with a dot.
 */
public record Topic(String name) {
    /** The longest name, in bytes. */
    public static final int MAX_LENGTH_BYTES = 128;

    /** The prefix of topics for replies. */
    public static final String REPLIES = "_reply.";
    /** The first name after all that have that prefix. */
    public static final String AFTER_REPLIES = "_reply/";

    public Topic {
        if (!isValid(name)) {
            throw new IllegalArgumentException("a topic is 1 to " + MAX_LENGTH_BYTES
                    + " letters, digits, dots, dashes and underscores, not beginning with a dot: \"" + name + "\"");
        }
    }

    /** The topic for replies to requests of {@code node}. Only that node may subscribe to it. */
    public static Topic repliesTo(NodeId node) {
        return new Topic(REPLIES + node);
    }

    /** Whether it is a node's topic for replies. */
    public boolean isOfReplies() {
        return name.startsWith(REPLIES);
    }

    public static boolean isValid(String name) {
        int length = name.length();
        if (length == 0 || length > MAX_LENGTH_BYTES || name.charAt(0) == '.') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (!isAllowed(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-'
                || c == '_';
    }

    // Written out, since what a record has by default is linked at run time: the maps of each hop ask for it all the
    // time.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Topic that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
