package io.hawser.ops.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The JSON of {@code /health}. HTTP status 200 if {@code ok}, else 503, by which watchdogs restart a node; so {@code ok} is about the node alone. What a
 * restart would not mend, such as a server that refuses the node's login, is a warning.
 *
 * @param ok whether the node itself can do its work
 * @param node its name
 * @param detail facts such as {@code broker=connected}: texts, and numbers as numbers
 * @param warnings what needs an operator; empty if nothing does
 */
public record Health(boolean ok, String node, Map<String, Object> detail, List<HealthWarning> warnings) {
    public Health {
        detail = Map.copyOf(detail);
        warnings = List.copyOf(warnings);
    }

    /** Without warnings. */
    public static Health of(boolean ok, String node, Map<String, ?> detail) {
        return new Health(ok, node, Map.copyOf(detail), List.of());
    }

    /** The same with more warnings. */
    public Health with(Collection<HealthWarning> more) {
        List<HealthWarning> all = new ArrayList<>(warnings);
        all.addAll(more);
        return new Health(ok, node, detail, all);
    }
}
