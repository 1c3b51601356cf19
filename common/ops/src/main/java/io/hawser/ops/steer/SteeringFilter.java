package io.hawser.ops.steer;

import io.hawser.core.model.NamePattern;
import io.hawser.ops.observe.TransferStatus;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of a node's transfers are meant: by key, or all that have each of the other properties.
 *
 * @param key the key of one; empty for any
 * @param topic its topic; empty for any
 * @param name a pattern of its name; null for any
 * @param state its state, as {@code /transfers} shows it; empty for any
 */
public record SteeringFilter(
        String key, String topic, @Nullable NamePattern name, String state) {
    /** The most keys of one request, which fit into its first line. */
    private static final int MOST_KEYS = 128;

    private static final Pattern COMMA = Pattern.compile(",");

    /** Reads the parameters of a request: a filter for each key, or one. IllegalArgumentException if they name no transfers, or contradict each other. */
    static List<SteeringFilter> of(Map<String, String> query) {
        String key = query.getOrDefault("key", "");
        String topic = query.getOrDefault("topic", "");
        String name = query.getOrDefault("name", "");
        String state = query.getOrDefault("state", "");
        boolean filters = !(topic.isEmpty() && name.isEmpty() && state.isEmpty());
        if (key.isEmpty() != filters) {
            throw new IllegalArgumentException(
                    filters
                            ? "give the keys of transfers, or topic, name and state, not both"
                            : "which transfers? Give their keys, or topic, name or state");
        }
        return filters
                ? List.of(new SteeringFilter("", topic, name.isEmpty() ? null : new NamePattern(name), state))
                : ofKeys(COMMA.splitAsStream(key).distinct().toList());
    }

    private static List<SteeringFilter> ofKeys(List<String> keys) {
        if (keys.size() > MOST_KEYS || keys.contains("")) {
            throw new IllegalArgumentException("give 1 to " + MOST_KEYS + " keys, with a comma between them");
        }
        return keys.stream().map(SteeringFilter::ofOne).toList();
    }

    /** The transfer of that key. */
    public static SteeringFilter ofOne(String key) {
        return new SteeringFilter(key, "", null, "");
    }

    /** Whether it means that one transfer. */
    public boolean isOfOne() {
        return !key.isEmpty();
    }

    /** Whether a transfer of that topic and name may be meant. */
    public boolean mayMean(String ofTopic, String ofName) {
        NamePattern pattern = name;
        return (topic.isEmpty() || topic.equals(ofTopic)) && (pattern == null || pattern.matches(ofName));
    }

    /** Whether that transfer is meant. */
    public boolean means(TransferStatus status) {
        return (key.isEmpty() || key.equals(status.key()))
                && mayMean(status.object().topic(), status.object().name())
                && (state.isEmpty() || state.equals(status.state()));
    }
}
