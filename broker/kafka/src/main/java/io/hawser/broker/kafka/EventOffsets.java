package io.hawser.broker.kafka;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the latest readings of a topic ended, so that whoever reads on need not begin at the segment's start.
 *
 * <p>Thread: any.
 */
final class EventOffsets {
    private static final int MAX = 32;

    private final LinkedHashMap<Long, Long> offsets = new LinkedHashMap<>();

    /** The record whose first event has that number begins there. */
    synchronized void put(long firstSequence, long offset) {
        offsets.remove(firstSequence);
        offsets.put(firstSequence, offset);
        if (offsets.size() > MAX) {
            offsets.remove(offsets.keySet().iterator().next());
        }
    }

    /** The last known offset at or before the event with that number; 0 if there is none. */
    synchronized long before(long sequence) {
        return offsets.entrySet().stream()
                .filter(each -> each.getKey() <= sequence)
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(0);
    }
}
