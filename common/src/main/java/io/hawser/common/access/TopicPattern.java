package io.hawser.common.access;

import io.hawser.common.model.Topic;

/**
 * Topics as an ACL file names them: by a name, or by the beginning of names with {@code *} behind it.
 *
 * <p>Thread: any.
 */
final class TopicPattern {
    /** Every topic. */
    static final String ANY = "*";

    private TopicPattern() {}

    /** Throws {@link IllegalArgumentException} with a sentence that says what is wrong with it. */
    static void check(String pattern) {
        String name = pattern.endsWith(ANY) ? pattern.substring(0, pattern.length() - 1) : pattern;
        if (!name.isEmpty() || !pattern.equals(ANY)) {
            new Topic(name);
        }
    }

    static boolean covers(String pattern, String topic) {
        return pattern.endsWith(ANY)
                ? topic.startsWith(pattern.substring(0, pattern.length() - 1))
                : topic.equals(pattern);
    }
}
