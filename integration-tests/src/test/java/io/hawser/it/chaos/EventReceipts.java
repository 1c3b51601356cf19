package io.hawser.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of one node as its webhook got them: their numbers ascend without a gap, whatever comes more than once. Thread: any.
 */
final class EventReceipts {
    private static final int MAX_COMPLAINTS = 20;

    /** By number. */
    private final TreeMap<Long, String> ids = new TreeMap<>();

    private final List<String> disorders = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();
    private String source = "";
    private long received;

    /**
     * One was delivered.
     *
     * @param from the node and its event log
     * @param sequence its number in that log
     * @param id of the event: the transfer's key, what has happened, and the far end
     */
    synchronized void take(String from, long sequence, String id) {
        received++;
        if (!source.isEmpty() && !source.equals(from)) {
            complain(contradictions, "events come of " + from + " after " + source + ": the event log began anew");
        }
        source = from;
        String before = ids.get(sequence);
        if (before == null) {
            if (!ids.isEmpty() && sequence < ids.lastKey()) {
                complain(disorders, "event " + sequence + " (" + id + ") came after event " + ids.lastKey());
            }
            ids.put(sequence, id);
        } else if (!before.equals(id)) {
            complain(contradictions, "event " + sequence + " was " + before + " and is " + id);
        }
    }

    private static void complain(List<String> to, String what) {
        if (to.size() < MAX_COMPLAINTS) {
            to.add(what);
        }
    }

    /** Numbers that never came, of events before the last one that did. */
    synchronized List<String> missing() {
        List<String> missing = new ArrayList<>();
        long next = 1;
        for (long sequence : ids.keySet()) {
            if (sequence > next) {
                complain(missing, "events " + next + " to " + (sequence - 1) + " never came");
            }
            next = sequence + 1;
        }
        return missing;
    }

    synchronized List<String> disorders() {
        return List.copyOf(disorders);
    }

    synchronized List<String> contradictions() {
        return List.copyOf(contradictions);
    }

    /** The id of the event with that number; empty if it did not come. */
    synchronized String id(long sequence) {
        return ids.getOrDefault(sequence, "");
    }

    /** By number, what came so far. */
    synchronized Map<Long, String> all() {
        return new TreeMap<>(ids);
    }

    /** How many different ones came. */
    synchronized long events() {
        return ids.size();
    }

    /** How many deliveries were repetitions. */
    synchronized long repeated() {
        return received - ids.size();
    }
}
