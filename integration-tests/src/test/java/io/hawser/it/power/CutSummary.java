package io.hawser.it.power;

import io.hawser.it.ledger.Verdict;
import io.hawser.it.ledger.Violations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums of power cuts as text. */
final class CutSummary {
    private CutSummary() {}

    /** Sums for a person, one line for each commit and file system. */
    static String of(List<Cut> cuts) {
        Map<String, List<Cut>> groups = cuts.stream()
                .collect(Collectors.groupingBy(
                        cut -> cut.commit() + " " + cut.fileSystem(), TreeMap::new, Collectors.toList()));
        return groups.entrySet().stream()
                .map(group -> line(group.getKey(), group.getValue()))
                .collect(Collectors.joining());
    }

    private static String line(String name, List<Cut> cuts) {
        List<String> violations = Trial.violations(cuts);
        Map<String, Long> victims = cuts.stream()
                .collect(Collectors.groupingBy(
                        cut -> cut.victims().size() > 1
                                ? "all three"
                                : cut.victims().get(0),
                        TreeMap::new,
                        Collectors.counting()));
        List<Long> ready = cuts.stream()
                .flatMap(cut -> cut.readyMillis().values().stream())
                .sorted()
                .toList();
        long acked = cuts.stream().mapToLong(Cut::acked).sum();
        List<Integer> exits =
                cuts.stream().flatMap(cut -> cut.exits().values().stream()).toList();
        return String.format(
                Locale.ROOT,
                "%s: %d power cuts %s, seeds %s; controls: forced writer lost %d of %d records, unforced %d of %d; files not forced lost at the"
                        + " cuts %d of %d%n  %d objects sent, %d acknowledged (%,d bytes), %d seen; %s%n  %s; %s; nodes that ended by themselves %d, exit codes %s; ready after median %d, max %d ms%n",
                name,
                cuts.size(),
                victims,
                cuts.stream().map(Cut::seed).distinct().toList(),
                cuts.stream().mapToInt(cut -> cut.controls().forcedLost()).max().orElse(0),
                cuts.stream().mapToInt(cut -> cut.controls().forced()).max().orElse(0),
                cuts.stream()
                        .mapToInt(cut -> cut.controls().unforcedLost())
                        .min()
                        .orElse(0),
                cuts.stream().mapToInt(cut -> cut.controls().unforced()).max().orElse(0),
                cuts.stream().mapToInt(Cut::canariesLost).sum(),
                cuts.stream().mapToInt(Cut::canaries).sum(),
                cuts.stream().mapToLong(Cut::attempts).sum(),
                acked,
                cuts.stream().mapToLong(Cut::ackedBytes).sum(),
                cuts.stream().mapToLong(Cut::published).sum(),
                Violations.counts(violations),
                Verdict.bound(cuts.size(), "cuts", violations),
                Verdict.bound(acked, "objects", violations),
                exits.size(),
                exits.stream().distinct().toList(),
                ready.isEmpty() ? 0 : ready.get(ready.size() / 2),
                ready.isEmpty() ? 0 : ready.get(ready.size() - 1));
    }
}
