package io.hawser.release.drill;

import io.hawser.core.config.ConfigException;
import io.hawser.release.process.ProcessChain.Part;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Flags that name nodes. What is wrong is told as ConfigException. Thread: any. */
final class NodeFlags {
    private static final String NODES =
            Arrays.stream(Part.values()).map(Part::command).collect(Collectors.joining(", "));

    private NodeFlags() {}

    /** {@code broker,agent-b}, or {@code all}, or {@code none}. */
    static Set<Part> nodes(String flag, String text) {
        if (text.equals("all")) {
            return EnumSet.allOf(Part.class);
        }
        Set<Part> nodes = EnumSet.noneOf(Part.class);
        if (!text.equals("none")) {
            for (String word : text.split(",", -1)) {
                nodes.add(find(word.strip())
                        .orElseThrow(() -> new ConfigException(
                                flag + ": '" + word.strip() + "' is not one of " + NODES + ", nor is it all or none")));
            }
        }
        return nodes;
    }

    /** One {@code NODE=VALUE} each. */
    static Map<Part, String> values(String flag, List<String> texts) {
        Map<Part, String> values = new EnumMap<>(Part.class);
        for (String text : texts) {
            int equals = text.indexOf('=');
            Optional<Part> node = equals < 0 ? Optional.empty() : find(text.substring(0, equals));
            String value = text.substring(equals + 1).strip();
            if (node.isEmpty() || value.isEmpty()) {
                throw new ConfigException(flag + ": '" + text + "' is not NODE=VALUE, where NODE is one of " + NODES);
            }
            if (values.put(node.get(), value) != null) {
                throw new ConfigException(flag + " names " + node.get().command() + " twice");
            }
        }
        return values;
    }

    private static Optional<Part> find(String word) {
        return Arrays.stream(Part.values())
                .filter(part -> part.command().equals(word))
                .findFirst();
    }
}
