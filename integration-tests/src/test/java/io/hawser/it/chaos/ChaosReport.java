package io.hawser.it.chaos;

import io.hawser.it.ledger.Verdict;
import io.hawser.it.ledger.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * What a run, or several of one commit, have shown.
 *
 * @param fileSystem of the nodes' data, and of the ledger
 * @param store what the broker keeps its log in
 * @param drainMillis from the last fault until all was delivered, the longest
 * @param skipped kinds of faults that this machine cannot do, and why
 * @param notes what happened that is no violation
 * @param controls whether the oracle found what was planted before the run
 */
record ChaosReport(
        String commit,
        String machine,
        String fileSystem,
        String store,
        List<Long> seeds,
        String custody,
        long drainMillis,
        Map<Count, Long> counts,
        Map<String, Map<String, Integer>> faults,
        Map<String, String> skipped,
        Map<String, ResendMeter.Hop> resent,
        Map<String, Durations.Figures> readyMillis,
        Map<String, Durations.Figures> durableMillis,
        Map<String, Integer> notes,
        Map<String, Boolean> controls,
        Map<String, List<String>> violations) {
    /** What adds up over runs. Objects, bytes: acknowledged; attempts: of publishers; unanswered: these without an answer, or refused. */
    enum Count {
        SECONDS,
        OBJECTS,
        ATTEMPTS,
        UNANSWERED,
        BYTES,
        PUBLICATIONS,
        RECEIPTS,
        DOWNLOADS,
        DOWNLOADS_BROKEN,
        HISTORY_ROWS,
        EVENTS,
        EVENTS_REPEATED
    }

    long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Violations of a kind. */
    int violated(String kind) {
        return violations.getOrDefault(kind, List.of()).size();
    }

    int kills() {
        return total(Fault.KILL.word());
    }

    private int total(String fault) {
        return faults.getOrDefault(fault, Map.of()).values().stream()
                .mapToInt(i -> i)
                .sum();
    }

    boolean holds() {
        return violations.isEmpty();
    }

    int exitCode() {
        return Verdict.of(1, Violations.lines(violations));
    }

    /** This one and another of the same commit and store. */
    ChaosReport with(ChaosReport other) {
        requireEqual(commit, other.commit);
        requireEqual(store, other.store);
        return new ChaosReport(
                commit,
                machine,
                fileSystem,
                store,
                both(seeds, other.seeds),
                custody,
                Math.max(drainMillis, other.drainMillis),
                merged(counts, other.counts, Long::sum),
                merged(faults, other.faults, (a, b) -> merged(a, b, Integer::sum)),
                merged(skipped, other.skipped, (a, b) -> a),
                merged(resent, other.resent, ResendMeter.Hop::with),
                merged(readyMillis, other.readyMillis, Durations.Figures::with),
                merged(durableMillis, other.durableMillis, Durations.Figures::with),
                merged(notes, other.notes, Integer::sum),
                merged(controls, other.controls, (a, b) -> a && b),
                merged(violations, other.violations, ChaosReport::both));
    }

    private static void requireEqual(String one, String other) {
        if (!one.equals(other)) {
            throw new IllegalArgumentException("runs of " + one + " and of " + other + " do not add up");
        }
    }

    /** Nothing but one violation, to be added to runs of this commit and store. */
    ChaosReport onlyViolated(String kind, String what) {
        return new ChaosReport(
                commit,
                machine,
                fileSystem,
                store,
                List.of(),
                custody,
                0,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(kind, List.of(what)));
    }

    private static <T> List<T> both(List<T> a, List<T> b) {
        List<T> all = new ArrayList<>(a);
        all.addAll(b);
        return List.copyOf(all);
    }

    private static <K extends Comparable<K>, T> Map<K, T> merged(Map<K, T> a, Map<K, T> b, BinaryOperator<T> how) {
        Map<K, T> all = new TreeMap<>(a);
        b.forEach((key, value) -> all.merge(key, value, how));
        return all;
    }

    /** For a person. */
    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "chaos of %d s in %d runs, seeds %s, commit %s", count(Count.SECONDS), seeds.size(), seeds, commit);
        line(text, "%s; %s; %s", store, machine, fileSystem);
        line(
                text,
                "acknowledged at level %s: %d objects, %,d bytes, in %d attempts of which %d had no answer or a refusal",
                custody,
                count(Count.OBJECTS),
                count(Count.BYTES),
                count(Count.ATTEMPTS),
                count(Count.UNANSWERED));
        List<String> lines = Violations.lines(violations);
        line(text, "%s; %s", Violations.counts(lines), Verdict.bound(count(Count.OBJECTS), "objects", lines));
        line(
                text,
                "publications %d at 2 subscriptions; receipts at the API %d; downloads %d complete, %d broken off",
                count(Count.PUBLICATIONS),
                count(Count.RECEIPTS),
                count(Count.DOWNLOADS),
                count(Count.DOWNLOADS_BROKEN));
        line(
                text,
                "history rows %d; events %d, of which deliveries repeated %d, lost %d, out of order %d, contradictions %d",
                count(Count.HISTORY_ROWS),
                count(Count.EVENTS),
                count(Count.EVENTS_REPEATED),
                violated("events-lost"),
                violated("events-order"),
                violated("events-contradict") + violated("events-signature"));
        line(text, "everything was delivered %d ms after the last fault", drainMillis);
        line(text, "kill -9 of nodes %d, of programs and clients %d", kills(), total("program") + total("client"));
        faults.forEach((fault, victims) -> line(text, "fault %-9s %d %s", fault, total(fault), victims));
        skipped.forEach((fault, why) -> line(text, "fault %-9s not done: %s", fault, why));
        notes.forEach((what, times) -> line(text, "%d times: %s", times, what));
        resent.forEach((hop, figures) -> line(
                text,
                "sent again %-9s %,d bytes after %d faults, %,d for each; bound for one %,d",
                hop,
                figures.resentBytes(),
                figures.faults(),
                figures.resentBytes() / Math.max(1, figures.faults()),
                figures.creditBytes()));
        times(text, "ready", readyMillis);
        times(text, "durable", durableMillis);
        line(text, "controls (the oracle found what was planted): %s", controls);
        lines.forEach(what -> line(text, "VIOLATED %s", what));
        line(text, holds() ? "all holds" : "NOT all holds");
        return text.toString();
    }

    private static void times(StringBuilder text, String what, Map<String, Durations.Figures> all) {
        all.forEach((node, ms) -> line(
                text,
                "%-10s %-9s median %d, p99 %d, max %d ms of %d starts",
                what,
                node,
                ms.median(),
                ms.p99(),
                ms.max(),
                ms.count()));
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
