package io.hawser.ops.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The latest durable events, so that those who follow the log need not read the disk.
 *
 * <p>Thread: any.
 */
final class EventTail {
    private static final int MAX_EVENTS = 1024;

    private final ArrayDeque<Event> events = new ArrayDeque<>();

    synchronized void add(List<Event> more) {
        events.addAll(more);
        while (events.size() > MAX_EVENTS) {
            events.removeFirst();
        }
    }

    /** Events from that number on; empty if that one is not here. */
    synchronized List<Event> from(long sequence, int limit) {
        if (events.isEmpty() || events.peekFirst().sequence() > sequence) {
            return List.of();
        }
        List<Event> found = new ArrayList<>();
        for (Iterator<Event> each = events.iterator(); each.hasNext() && found.size() < limit; ) {
            Event event = each.next();
            if (event.sequence() >= sequence) {
                found.add(event);
            }
        }
        return found;
    }
}
