package io.hawser.it.chaos;

import java.util.Map;
import java.util.TreeMap;

/** How often each fault befell whom. Thread: any. */
final class FaultCounts {
    private final Map<Fault, Map<String, Integer>> counts = new TreeMap<>();

    synchronized void add(Fault fault, String victim, int times) {
        if (times > 0) {
            counts.computeIfAbsent(fault, f -> new TreeMap<>()).merge(victim, times, Integer::sum);
        }
    }

    synchronized int of(Fault fault) {
        return counts.getOrDefault(fault, Map.of()).values().stream()
                .mapToInt(i -> i)
                .sum();
    }

    /** Faults that can have made somebody send again on the hop between the broker and {@code agent}. */
    synchronized int onHopOf(String agent) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().resends)
                .map(Map.Entry::getValue)
                .mapToInt(victims -> victims.getOrDefault(agent, 0) + victims.getOrDefault("broker", 0))
                .sum();
    }

    synchronized Map<String, Map<String, Integer>> all() {
        Map<String, Map<String, Integer>> copy = new TreeMap<>();
        counts.forEach((fault, victims) -> copy.put(fault.word(), new TreeMap<>(victims)));
        return copy;
    }
}
