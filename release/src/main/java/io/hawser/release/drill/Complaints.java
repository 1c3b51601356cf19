package io.hawser.release.drill;

import java.util.ArrayList;
import java.util.List;

/** What did not hold, as sentences: the first of them whole, the others counted. Thread: any. */
final class Complaints {
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
