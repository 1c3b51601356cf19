package io.hawser.it.chaos;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run has shown.
 *
 * @param bound95 0 failures in n objects: with 95 % confidence the share of lost, duplicated or corrupt ones is below it
 */
record ChaosReport(
        String commit,
        String machine,
        long seed,
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
        double bound95,
        Map<String, Map<String, Integer>> faults,
        Map<String, ResendMeter.Hop> resent,
        Map<String, Durations.Figures> readyMillis,
        Map<String, Durations.Figures> durableMillis,
        Map<String, List<String>> violations) {
    boolean holds() {
        return violations.isEmpty();
    }

    /** For a person. */
    String text() {
        StringBuilder text = new StringBuilder();
        line(text, "chaos of %d s, seed %d, commit %s, %s", seconds, seed, commit, machine);
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
                "lost %d, duplicated %d, corrupt %d, out of order %d; below %.2g of the objects with 95 %% confidence (3/n)",
                lost,
                duplicated,
                corrupt,
                outOfOrder,
                bound95);
        line(
                text,
                "publications %d at 2 subscriptions; receipts at the API %d; downloads %d complete, %d broken off",
                publications,
                receipts,
                downloads,
                downloadsBroken);
        line(text, "everything was delivered %d ms after the last fault", drainMillis);
        faults.forEach((fault, victims) -> line(text, "fault %-9s %s", fault, victims));
        resent.forEach((hop, figures) -> line(
                text,
                "sent again %-9s %,d bytes after %d faults; bound for one %,d",
                hop,
                figures.resentBytes(),
                figures.faults(),
                figures.creditBytes()));
        readyMillis.forEach((node, ms) -> line(
                text,
                "ready      %-9s median %d, p99 %d, max %d ms of %d starts",
                node,
                ms.median(),
                ms.p99(),
                ms.max(),
                ms.count()));
        durableMillis.forEach((node, ms) -> line(
                text,
                "durable    %-9s median %d, p99 %d, max %d ms of %d starts",
                node,
                ms.median(),
                ms.p99(),
                ms.max(),
                ms.count()));
        violations.forEach((kind, all) -> all.forEach(what -> line(text, "VIOLATED %s: %s", kind, what)));
        line(text, holds() ? "all holds" : "NOT all holds");
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
