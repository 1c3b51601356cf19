package io.hawser.ops.observe;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What came of an operator's drop of a transfer at the broker; the JSON answer of {@code /transfers/drop}.
 *
 * @param key its key
 * @param topic its topic
 * @param name its name
 * @param subscriptions those that were owed it and no longer are; empty also if there was none
 * @param asked those whose consumer was told to drop it and has not answered: they are still owed it
 * @param kept those that have not dropped it, each with the reason
 */
public record DroppedTransfer(
        String key,
        String topic,
        String name,
        List<String> subscriptions,
        List<String> asked,
        Map<String, String> kept) {
    public DroppedTransfer {
        subscriptions = List.copyOf(subscriptions);
        asked = List.copyOf(Objects.requireNonNullElse(asked, List.of())); // an older broker names none
        kept = Map.copyOf(Objects.requireNonNullElse(kept, Map.of()));
    }

    /** Whether no subscription is owed it any more. */
    public boolean complete() {
        return asked.isEmpty() && kept.isEmpty();
    }
}
