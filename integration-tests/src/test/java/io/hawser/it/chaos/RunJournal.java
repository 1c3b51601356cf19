package io.hawser.it.chaos;

import io.hawser.common.observe.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The directory of several runs of one commit: {@code run-N.journal} of the publishers, {@code run-N.json} when it has ended. Thread: one. */
final class RunJournal {
    private final Path directory;

    RunJournal(Path directory) {
        this.directory = directory;
    }

    /** The reports of the runs that ended, in their order. */
    List<ChaosReport> reports() throws IOException {
        List<ChaosReport> all = new ArrayList<>();
        for (int i = 0; i < begun(); i++) {
            Path file = file(i, "json");
            if (Files.exists(file)) {
                all.add(Json.read(Files.readAllBytes(file), ChaosReport.class));
            }
        }
        return all;
    }

    /** @throws IllegalArgumentException if no run has ended, or they are of several commits */
    ChaosReport sum() throws IOException {
        return reports().stream()
                .reduce(ChaosReport::with)
                .orElseThrow(() -> new IllegalArgumentException("no run in " + directory + " has ended"));
    }

    /** How many runs were begun. */
    int begun() throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            return (int)
                    files.filter(file -> file.toString().endsWith(".journal")).count();
        }
    }

    /** Where the publishers of run {@code number} keep their journal. */
    Path publishers(int number) {
        return file(number, "journal");
    }

    void ended(int number, ChaosReport report) throws IOException {
        Files.writeString(file(number, "json"), Json.line(report) + "\n");
    }

    private Path file(int number, String kind) {
        return directory.resolve("run-" + number + "." + kind);
    }
}
