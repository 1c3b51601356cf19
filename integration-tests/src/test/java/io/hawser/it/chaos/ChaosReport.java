package io.hawser.it.chaos;

import io.hawser.it.ledger.Verdict;
import io.hawser.it.ledger.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a run, or several of one commit, have shown.
 *
 * @param fileSystem of the nodes' data, and of the publishers' journal
 * @param store what the broker keeps its log in
 * @param drainMillis from the last fault until all was delivered, the longest
 * @param bound95 0 failures in n objects: with 95 % confidence the share of lost, duplicated or corrupt ones is below it; null if
 *     anything was violated
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
        long seconds,
        long drainMillis,
        int objects,
        int attempts,
        int unanswered,
        long bytes,
        long publications,
        long receipts,
        int downloads,
        int downloadsBroken,
        int lost,
        int duplicated,
        int corrupt,
        int outOfOrder,
        @Nullable Double bound95,
        Map<String, Map<String, Integer>> faults,
        Map<String, String> skipped,
        Map<String, ResendMeter.Hop> resent,
        Map<String, Durations.Figures> readyMillis,
        Map<String, Durations.Figures> durableMillis,
        Map<String, Integer> notes,
        Map<String, Boolean> controls,
        Map<String, List<String>> violations) {
    boolean holds() {
        return violations.isEmpty();
    }

    int kills() {
        return total(Fault.KILL.word());
    }

    private int total(String fault) {
        return faults.getOrDefault(fault, Map.of()).values().stream()
                .mapToInt(i -> i)
                .sum();
    }

    /** 0 if all holds; 3 if the only complaint is that the run shows nothing; else 1. */
    int exitCode() {
        return Verdict.of(1, Violations.lines(violations));
    }

    /** Of n objects; only if nothing was violated. */
    static @Nullable Double bound95(int objects, Map<String, List<String>> violations) {
        return objects > 0 && violations.isEmpty() ? 3.0 / objects : null;
    }

    /** This one and another of the same commit. */
    ChaosReport with(ChaosReport other) {
        if (!commit.equals(other.commit)) {
            throw new IllegalArgumentException("runs of " + commit + " and of " + other.commit + " do not add up");
        }
        if (!store.equals(other.store)) {
            throw new IllegalArgumentException("runs of " + store + " and of " + other.store + " do not add up");
        }
        Map<String, List<String>> allViolations = merged(violations, other.violations, ChaosReport::both);
        return new ChaosReport(
                commit,
                machine,
                fileSystem,
                store,
                both(seeds, other.seeds),
                custody,
                seconds + other.seconds,
                Math.max(drainMillis, other.drainMillis),
                objects + other.objects,
                attempts + other.attempts,
                unanswered + other.unanswered,
                bytes + other.bytes,
                publications + other.publications,
                receipts + other.receipts,
                downloads + other.downloads,
                downloadsBroken + other.downloadsBroken,
                lost + other.lost,
                duplicated + other.duplicated,
                corrupt + other.corrupt,
                outOfOrder + other.outOfOrder,
                bound95(objects + other.objects, allViolations),
                merged(faults, other.faults, (a, b) -> merged(a, b, Integer::sum)),
                merged(skipped, other.skipped, (a, b) -> a),
                merged(resent, other.resent, ResendMeter.Hop::with),
                merged(readyMillis, other.readyMillis, Durations.Figures::with),
                merged(durableMillis, other.durableMillis, Durations.Figures::with),
                merged(notes, other.notes, Integer::sum),
                merged(controls, other.controls, (a, b) -> a && b),
                allViolations);
    }

    /** The same, with one thing more that was violated. */
    ChaosReport violated(String kind, String what) {
        Map<String, List<String>> more = merged(violations, Map.of(kind, List.of(what)), ChaosReport::both);
        return new ChaosReport(
                commit,
                machine,
                fileSystem,
                store,
                seeds,
                custody,
                seconds,
                drainMillis,
                objects,
                attempts,
                unanswered,
                bytes,
                publications,
                receipts,
                downloads,
                downloadsBroken,
                lost,
                duplicated,
                corrupt,
                outOfOrder,
                null,
                faults,
                skipped,
                resent,
                readyMillis,
                durableMillis,
                notes,
                controls,
                more);
    }

    private static <T> List<T> both(List<T> a, List<T> b) {
        List<T> all = new ArrayList<>(a);
        all.addAll(b);
        return List.copyOf(all);
    }

    private static <T> Map<String, T> merged(Map<String, T> a, Map<String, T> b, BinaryOperator<T> how) {
        Map<String, T> all = new TreeMap<>(a);
        b.forEach((key, value) -> all.merge(key, value, how));
        return all;
    }

    /** For a person. */
    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "chaos of %d s in %d runs, seeds %s, commit %s", seconds, seeds.size(), seeds, commit);
        line(text, "%s; %s; %s", store, machine, fileSystem);
        line(
                text,
                "acknowledged at level %s: %d objects, %,d bytes, in %d attempts of which %d had no answer or a refusal",
                custody,
                objects,
                bytes,
                attempts,
                unanswered);
        line(
                text,
                "lost %d, duplicated %d, corrupt %d, out of order %d; %s",
                lost,
                duplicated,
                corrupt,
                outOfOrder,
                Verdict.bound(objects, "objects", Violations.lines(violations)));
        line(
                text,
                "publications %d at 2 subscriptions; receipts at the API %d; downloads %d complete, %d broken off",
                publications,
                receipts,
                downloads,
                downloadsBroken);
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
        violations.forEach((kind, all) -> all.forEach(what -> line(text, "VIOLATED %s: %s", kind, what)));
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
