package io.hawser.it.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Times in ms. Thread: guarded by its owner. */
final class Durations {
    /** @param count how many; the others in ms */
    record Figures(int count, long median, long p99, long max, List<Long> all) {
        /** These and those. */
        Figures with(Figures others) {
            Durations both = new Durations();
            all.forEach(both::add);
            others.all.forEach(both::add);
            return both.figures();
        }
    }

    private final List<Long> millis = new ArrayList<>();

    void add(long value) {
        millis.add(value);
    }

    Figures figures() {
        List<Long> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        int last = sorted.size() - 1;
        return last < 0
                ? new Figures(0, 0, 0, 0, List.of())
                : new Figures(
                        sorted.size(), sorted.get(last / 2), sorted.get((int) (last * 0.99)), sorted.get(last), sorted);
    }
}
