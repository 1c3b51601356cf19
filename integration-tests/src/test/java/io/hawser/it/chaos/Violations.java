package io.hawser.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What did not hold, by kind: lost, duplicated, corrupt, order, void and so on. Thread: any. */
final class Violations {
    /** The kind of complaints that a run shows nothing. */
    static final String VOID = "void";

    private final Map<String, List<String>> found = new TreeMap<>();
    private final String prefix;

    /** @param prefix of what goes to standard error at once; nothing does if it is {@code control} */
    Violations(String prefix) {
        this.prefix = prefix;
    }

    synchronized void add(String kind, String what) {
        found.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
        if (!prefix.equals("control")) {
            System.err.println(prefix + ": " + java.time.Instant.now() + " " + kind + ": " + what);
        }
    }

    /** A thread of the harness ended in a way that nobody has foreseen: what it was to do or to see is missing. */
    void ended(Thread thread, Throwable why) {
        add(VOID, thread.getName() + " ended: " + why + " at " + List.of(why.getStackTrace()));
    }

    synchronized int count(String kind) {
        return found.getOrDefault(kind, List.of()).size();
    }

    synchronized Map<String, List<String>> all() {
        Map<String, List<String>> copy = new TreeMap<>();
        found.forEach((kind, list) -> copy.put(kind, List.copyOf(list)));
        return copy;
    }
}
