package io.hawser.it.power;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All cuts that were ever done, a line of JSON each; runs add to it, and it says what they add up to. Thread: one. */
final class CutJournal {
    private final JsonLines<Cut> lines;

    CutJournal(Path file) {
        lines = new JsonLines<>(file, Cut.class);
    }

    /** Asked before the first cut. @throws IOException if nothing can be added */
    void checkWritable() throws IOException {
        lines.checkWritable();
    }

    void add(Cut cut) {
        lines.add(cut);
    }

    List<Cut> cuts() throws IOException {
        return lines.all();
    }

    /** The cuts of one commit. */
    List<Cut> of(String commit) throws IOException {
        return cuts().stream().filter(cut -> cut.commit().equals(commit)).toList();
    }

    static List<String> violations(List<Cut> cuts) {
        return cuts.stream().flatMap(cut -> cut.violations().stream()).toList();
    }

    /** The number of the last cut of such a run; 0 if there was none. */
    int last(String commit, String fileSystem, long seed) throws IOException {
        return cuts().stream()
                .filter(cut -> cut.commit().equals(commit) && cut.fileSystem().equals(fileSystem) && cut.seed() == seed)
                .mapToInt(Cut::number)
                .max()
                .orElse(0);
    }

    /** Sums for a person, one line for each commit and file system. */
    static String summary(List<Cut> cuts) {
        Map<String, List<Cut>> groups = cuts.stream()
                .collect(Collectors.groupingBy(
                        cut -> cut.commit() + " " + cut.fileSystem(), TreeMap::new, Collectors.toList()));
        return groups.entrySet().stream()
                .map(group -> line(group.getKey(), group.getValue()))
                .collect(Collectors.joining());
    }

    private static String line(String name, List<Cut> cuts) {
        List<String> violations = violations(cuts);
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
                        + " cuts %d of %d%n  %d objects sent, %d acknowledged (%,d bytes), %d seen; lost %d, duplicated %d, corrupt %d, other"
                        + " violations %d%n  %s; %s; nodes that ended by themselves %d, exit codes %s; ready after median %d, max %d ms%n",
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
                Violations.count(violations, "lost"),
                Violations.count(violations, "duplicated"),
                Violations.count(violations, "corrupt"),
                violations.size()
                        - Violations.count(violations, "lost")
                        - Violations.count(violations, "duplicated")
                        - Violations.count(violations, "corrupt"),
                Verdict.bound(cuts.size(), "cuts", violations),
                Verdict.bound(acked, "objects", violations),
                exits.size(),
                exits.stream().distinct().toList(),
                ready.isEmpty() ? 0 : ready.get(ready.size() / 2),
                ready.isEmpty() ? 0 : ready.get(ready.size() - 1));
    }
}
