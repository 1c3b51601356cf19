package io.hawser.it.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Checks that failed, by kind: one word, such as lost, duplicated, corrupt, order, exit, liveness or void. Thread: any. */
public final class Violations {
    /** The kind of complaints that say that trials show nothing. */
    public static final String VOID = "void";

    private final Map<String, List<String>> found = new TreeMap<>();
    private final boolean silent;

    /** Prints each to standard error at once. */
    public Violations() {
        this(false);
    }

    private Violations(boolean silent) {
        this.silent = silent;
    }

    /** Prints nothing: for what is planted. */
    public static Violations silent() {
        return new Violations(true);
    }

    public synchronized void add(String kind, String what) {
        found.computeIfAbsent(kind, k -> new ArrayList<>()).add(what);
        if (!silent) {
            System.err.println("VIOLATED " + Instant.now() + " " + kind + ": " + what);
        }
    }

    /** A thread of the harness ended by an unforeseen exception: its work or its observations are missing. */
    public void ended(Thread thread, Throwable why) {
        add(VOID, thread.getName() + " ended: " + why + " at " + List.of(why.getStackTrace()));
    }

    public synchronized boolean isEmpty() {
        return found.isEmpty();
    }

    public synchronized int count(String kind) {
        return found.getOrDefault(kind, List.of()).size();
    }

    /** By kind. */
    public synchronized Map<String, List<String>> all() {
        Map<String, List<String>> copy = new TreeMap<>();
        found.forEach((kind, list) -> copy.put(kind, List.copyOf(list)));
        return copy;
    }

    /** As lines {@code kind: what}. */
    public List<String> lines() {
        return lines(all());
    }

    /** The same of some that were kept by kind. */
    public static List<String> lines(Map<String, List<String>> byKind) {
        return byKind.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(what -> entry.getKey() + ": " + what))
                .toList();
    }

    /** How many lines are of a kind. */
    public static int count(List<String> lines, String kind) {
        return (int) lines.stream().filter(line -> line.startsWith(kind + ":")).count();
    }

    /** The counts of the kinds of damage, and of all others together, for a person. */
    public static String counts(List<String> lines) {
        int lost = count(lines, "lost");
        int duplicated = count(lines, "duplicated");
        int corrupt = count(lines, "corrupt");
        return String.format(
                Locale.ROOT,
                "lost %d, duplicated %d, corrupt %d, other violations %d",
                lost,
                duplicated,
                corrupt,
                lines.size() - lost - duplicated - corrupt);
    }
}
