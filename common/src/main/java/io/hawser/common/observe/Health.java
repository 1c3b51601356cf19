package io.hawser.common.observe;

import java.util.Map;

/**
 * The JSON of {@code /health}. HTTP status 200 if {@code ok}, else 503.
 *
 * @param ok whether the node does its work
 * @param node its name
 * @param detail what stands in the way, or facts such as {@code broker=connected}
 *
 * <p>Thread: immutable.
 */
public record Health(boolean ok, String node, Map<String, String> detail) {
    public Health {
        detail = Map.copyOf(detail);
    }
}
