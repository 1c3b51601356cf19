package io.hawser.ops.event;

/**
 * One hop of a finished transfer.
 *
 * @param hop its name, such as {@code publisher->broker} or {@code broker->site-b}
 * @param endedAt when it ended, ISO 8601 in UTC
 */
public record HistoryHop(String hop, String endedAt) {}
