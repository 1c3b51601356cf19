package io.hawser.it.power;

import java.util.ArrayList;
import java.util.List;

/** What must not have happened. Thread: any. */
final class Violations {
    private final List<String> all = new ArrayList<>();

    /** @param kind one word, such as lost, duplicated, corrupt, exit, liveness */
    synchronized void add(String kind, String what) {
        String line = kind + ": " + what;
        all.add(line);
        System.err.println("VIOLATED " + line);
    }

    synchronized List<String> all() {
        return List.copyOf(all);
    }

    /** Violations of a kind. */
    static int count(List<String> violations, String kind) {
        return (int)
                violations.stream().filter(line -> line.startsWith(kind + ":")).count();
    }
}
