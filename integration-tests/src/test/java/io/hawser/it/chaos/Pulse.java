package io.hawser.it.chaos;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * When each node last made something durable, as others saw it, and so how long one that was killed took until it did again.
 *
 * <p>Thread: any.
 */
final class Pulse {
    private final Map<String, Integer> notes = new TreeMap<>();
    private long published;
    private final Map<String, Long> starts = new TreeMap<>();
    private final Map<String, Durations> ready = new TreeMap<>();
    private final Map<String, Durations> durable = new TreeMap<>();

    /** Something that is no violation, and that the report tells. */
    synchronized void note(String what) {
        notes.merge(what, 1, Integer::sum);
    }

    synchronized Map<String, Integer> notes() {
        return new TreeMap<>(notes);
    }

    /** A node that had been killed is started. */
    synchronized void started(String node, long atNanos) {
        starts.put(node, atNanos);
    }

    /** It says that it is ready. */
    synchronized void ready(String node, long millis) {
        ready.computeIfAbsent(node, n -> new Durations()).add(millis);
    }

    /** Something became visible at a far end. */
    synchronized void publication(String node) {
        published++;
        beat(node);
    }

    /** How much did. */
    synchronized long published() {
        return published;
    }

    /** Somebody has seen something new and durable of it. */
    synchronized void beat(String node) {
        Long start = starts.remove(node);
        if (start != null) {
            durable.computeIfAbsent(node, n -> new Durations())
                    .add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
    }

    synchronized Map<String, Durations.Figures> readyFigures() {
        return figures(ready);
    }

    synchronized Map<String, Durations.Figures> durableFigures() {
        return figures(durable);
    }

    private static Map<String, Durations.Figures> figures(Map<String, Durations> of) {
        Map<String, Durations.Figures> all = new TreeMap<>();
        of.forEach((node, durations) -> all.put(node, durations.figures()));
        return all;
    }
}
