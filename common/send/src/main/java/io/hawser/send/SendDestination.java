package io.hawser.send;

import io.hawser.core.model.Topic;
import java.util.Arrays;
import java.util.List;

/**
 * Where files are sent: a topic, and below it perhaps a directory, as in {@code site-b:in/2026/}.
 *
 * @param topic the topic
 * @param directory segments joined by {@code /}; empty for the top
 */
public record SendDestination(Topic topic, String directory) {
    private static final char SEPARATOR = ':';

    /** {@link IllegalArgumentException} with a sentence if it is neither TOPIC nor TOPIC:DIR. */
    public static SendDestination parse(String text) {
        int colon = text.indexOf(SEPARATOR);
        return colon < 0
                ? new SendDestination(new Topic(text), "")
                : new SendDestination(new Topic(text.substring(0, colon)), normalised(text.substring(colon + 1)));
    }

    /** A path at a far end without empty segments and slashes at its ends. */
    static String normalised(String path) {
        List<String> segments = Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                .toList();
        if (segments.contains("..")) {
            throw new IllegalArgumentException("a path at the far end has no '..': " + path);
        }
        return String.join("/", segments);
    }

    @Override
    public String toString() {
        return directory.isEmpty() ? topic.name() : topic.name() + SEPARATOR + directory + "/";
    }
}
