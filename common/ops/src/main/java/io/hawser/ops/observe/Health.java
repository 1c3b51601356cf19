package io.hawser.ops.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of {@code /health}. HTTP status 200 if {@code ok}, else 503, by which watchdogs restart a node; so {@code ok} is about the node alone. What a
 * restart would not mend, such as a server that refuses the node's login, is a warning.
 *
 * @param ok whether the node itself can do its work
 * @param node its name
 * @param detail facts such as {@code broker=connected}
 * @param warnings what needs an operator, a sentence each; empty if nothing does
 */
public record Health(boolean ok, String node, Map<String, String> detail, List<String> warnings) {
    public Health {
        detail = Map.copyOf(detail);
        warnings = List.copyOf(warnings);
    }

    /** Without warnings. */
    public static Health of(boolean ok, String node, Map<String, String> detail) {
        return new Health(ok, node, detail, List.of());
    }

    /** The same with more warnings: a sentence by its subject. They are added to the facts, too. */
    public Health with(Map<String, String> more) {
        Map<String, String> facts = new LinkedHashMap<>(detail);
        facts.putAll(more);
        List<String> sentences = new ArrayList<>(warnings);
        more.forEach((what, sentence) -> sentences.add(what + ": " + sentence));
        return new Health(ok, node, facts, sentences);
    }
}
