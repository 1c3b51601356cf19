package io.hawser.release.drill;

import java.util.ArrayList;
import java.util.List;

/** Collects the violations that a drill found: the first 20 as sentences, the rest as a number. Thread: any. */
final class DrillViolations {
    private static final int KEPT = 20;

    private final List<String> texts = new ArrayList<>();
    private int more;

    synchronized void add(String text) {
        if (texts.size() < KEPT) {
            texts.add(text);
        } else {
            more++;
        }
    }

    synchronized boolean isEmpty() {
        return texts.isEmpty();
    }

    synchronized List<String> all() {
        List<String> all = new ArrayList<>(texts);
        if (more > 0) {
            all.add("and " + more + " more");
        }
        return all;
    }
}
