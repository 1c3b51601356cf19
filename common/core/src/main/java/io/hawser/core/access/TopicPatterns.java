package io.hawser.core.access;

import io.hawser.core.model.Topic;

/**
 * The topics of an ACL line: one name, or a prefix followed by {@code *}.
 *
 * <p>Thread: any.
 */
final class TopicPatterns {
    static final String ANY = "*";

    private TopicPatterns() {}

    /** {@link IllegalArgumentException} with a sentence for the user if the pattern is invalid. */
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
