package io.hawser.it.chaos;

import io.hawser.it.ledger.JsonLines;
import io.hawser.it.ledger.Verdict;
import io.hawser.it.ledger.Violations;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The directory of several runs of one commit: a ledger for each that was begun, and a line in {@code runs.jsonl} when it has ended. Thread: one. */
final class RunJournal {
    private static final String LEDGER = ".ledger.jsonl";

    private final Path directory;
    private final JsonLines<ChaosReport> ended;

    RunJournal(Path directory) {
        this.directory = directory;
        ended = new JsonLines<>(directory.resolve("runs.jsonl"), ChaosReport.class);
    }

    /** The reports of the runs that ended, in their order. */
    List<ChaosReport> reports() throws IOException {
        return ended.all();
    }

    /**
     * What they add up to. Runs that were begun and have not ended make it void: whatever they have met is not in it.
     *
     * @return empty if no run has ended
     * @throws IllegalArgumentException if they are of several commits
     */
    Optional<ChaosReport> sum() throws IOException {
        List<ChaosReport> reports = reports();
        int begun = begun();
        return reports.stream()
                .reduce(ChaosReport::with)
                .map(sum -> begun == reports.size()
                        ? sum
                        : sum.with(sum.onlyViolated(
                                Violations.VOID,
                                "of " + begun + " runs that were begun only " + reports.size() + " ended")));
    }

    /** Prints the sum; returns the exit code. */
    int publish() throws IOException {
        System.out.println("runs in " + directory + ": begun " + begun() + ", ended "
                + reports().size());
        Optional<ChaosReport> sum = sum();
        if (sum.isEmpty()) {
            System.out.println("void: no run has ended");
            return Verdict.VOID;
        }
        System.out.print(sum.get().text());
        System.out.println(Json.line(sum.get()));
        return sum.get().exitCode();
    }

    /** Makes the directory. @throws IOException if nothing can be written there */
    void checkWritable() throws IOException {
        Files.delete(Files.createTempFile(Files.createDirectories(directory), "probe", null));
    }

    /** How many runs were begun. */
    int begun() throws IOException {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return (int) files.filter(file -> file.toString().endsWith(LEDGER)).count();
        }
    }

    /** The file of the ledger of run {@code number}. */
    Path ledger(int number) {
        return directory.resolve("run-" + number + LEDGER);
    }

    void ended(ChaosReport report) {
        ended.add(report);
    }
}
