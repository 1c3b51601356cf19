package io.hawser.broker.relay;

import java.util.List;
import java.util.Map;

/**
 * What has come of an operator's drop of a transfer, by subscription.
 *
 * @param dropped those that were owed it and, durably, are no longer; empty also if no subscription had come for it
 * @param asked those whose consumer was told to drop it and has not answered: they are still owed it
 * @param kept those that are still owed it or have got it, each with the reason
 */
public record DropResult(List<String> dropped, List<String> asked, Map<String, String> kept) {
    public DropResult {
        dropped = List.copyOf(dropped);
        asked = List.copyOf(asked);
        kept = Map.copyOf(kept);
    }
}
