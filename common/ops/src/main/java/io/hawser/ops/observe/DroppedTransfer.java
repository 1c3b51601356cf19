package io.hawser.ops.observe;

import java.util.List;

/**
 * A transfer that an operator dropped at the broker; the JSON answer of {@code /transfers/drop}.
 *
 * @param key its key
 * @param topic its topic
 * @param name its name
 * @param subscriptions those that were owed it; empty if there was none
 */
public record DroppedTransfer(String key, String topic, String name, List<String> subscriptions) {
    public DroppedTransfer {
        subscriptions = List.copyOf(subscriptions);
    }
}
