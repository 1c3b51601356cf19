package io.hawser.ops.event;

import java.util.List;

/**
 * A finished transfer; an element of {@code /history}.
 *
 * @param sequence the number of the event that ended it
 * @param key the transfer's key; empty for a download
 * @param topic its topic
 * @param name the object's name below the topic
 * @param kind {@code file}, {@code message}, the name of a namespace operation, or {@code download}
 * @param sizeBytes the size, -1 if not known
 * @param outcome the word of the {@link io.hawser.store.event.EventType} that tells how it ended
 * @param reason why, of what is not a success; else empty
 * @param who the account or certificate; empty if not known
 * @param from the client's address; empty if not known
 * @param startedAt when its publisher began it, ISO 8601 in UTC
 * @param endedAt when it ended here
 * @param durationMillis the time between
 * @param resentBytes bytes that were sent again, -1 if not known
 * @param bytesPerSecond the size by the duration; 0 if not known
 * @param digest the tree digest; empty if not known
 * @param hops when each hop ended, in their order
 */
public record HistoryRow(
        long sequence,
        String key,
        String topic,
        String name,
        String kind,
        long sizeBytes,
        String outcome,
        String reason,
        String who,
        String from,
        String startedAt,
        String endedAt,
        long durationMillis,
        long resentBytes,
        long bytesPerSecond,
        String digest,
        List<HistoryHop> hops) {
    public HistoryRow {
        hops = List.copyOf(hops);
    }
}
