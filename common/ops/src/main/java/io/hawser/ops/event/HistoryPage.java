package io.hawser.ops.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code /history}.
 *
 * @param node the node's name
 * @param rows finished transfers, the newest first
 * @param next {@code before} of the query for the rows after these; null if there are none
 * @param notIndexed events that are durable and not in the rows yet, while very many come
 */
public record HistoryPage(
        String node, List<HistoryRow> rows, @Nullable String next, long notIndexed) {
    public HistoryPage {
        rows = List.copyOf(rows);
    }
}
