package io.hawser.receive;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A file or directory at a far end, as {@code TOPIC:PATH} or, for its top, {@code TOPIC}.
 *
 * @param topic the topic's name
 * @param path segments joined by {@code /}; empty for the top
 */
record FarPath(String topic, String path) {
    static FarPath parse(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new FarPath(text, "")
                : new FarPath(text.substring(0, colon), normalised(text.substring(colon + 1)));
    }

    private static String normalised(String path) {
        return Arrays.stream(path.split("/"))
                .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                .collect(Collectors.joining("/"));
    }

    /** The last segment; empty for the top. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return path.isEmpty() ? topic : topic + ":" + path;
    }
}
