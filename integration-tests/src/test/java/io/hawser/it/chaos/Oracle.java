package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Compares what the publishers know with what became visible. Thread: one. */
final class Oracle {
    private final Deployment deployment;
    private final Ledger ledger;
    private final Map<String, Publications> publications;
    private final Violations violations;

    Oracle(Deployment deployment, Ledger ledger, Map<String, Publications> publications, Violations violations) {
        this.deployment = deployment;
        this.ledger = ledger;
        this.publications = publications;
        this.violations = violations;
    }

    /** What is still missing, at most some of it; empty if all that was acknowledged is there. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Ledger.Expectation path : ledger.expectations()) {
            publications.forEach((subscription, seen) -> {
                if (seen.newest(path.path()) < path.lastAcked() || seen.count(path.path()) < path.acked()) {
                    missing.add(path.path() + " at " + subscription + ": version " + seen.newest(path.path()) + " of "
                            + path.lastAcked() + ", " + seen.count(path.path()) + " publications of " + path.acked());
                }
            });
        }
        return missing;
    }

    /** The verdict, when nothing more is to come. */
    void judge() throws IOException {
        missing().forEach(what -> violations.add("lost", what));
        for (Ledger.Expectation path : ledger.expectations()) {
            publications.forEach((subscription, seen) -> {
                if (seen.count(path.path()) > path.attempts()) {
                    violations.add(
                            "duplicated",
                            path.path() + " was published " + seen.count(path.path()) + " times at " + subscription
                                    + ", and tried " + path.attempts() + " times");
                }
            });
        }
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            judgeVisible(subscription);
        }
    }

    /** What can be seen at the end is what was written last, and whole. */
    private void judgeVisible(String subscription) throws IOException {
        Path target = deployment.target(subscription);
        List<Path> files;
        try (Stream<Path> paths = Files.walk(target)) {
            files = paths.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String path = target.relativize(file).toString();
            if (!path.startsWith(".hawser") && !path.startsWith("seed/")) {
                judgeFile(subscription, path, file);
            }
        }
    }

    private void judgeFile(String subscription, String path, Path file) throws IOException {
        int shown = ledger.find(path, Ledger.sha256(Files.readAllBytes(file)))
                .map(version -> version.number)
                .orElse(0);
        int wanted = ledger.expectations().stream()
                .filter(e -> e.path().equals(path))
                .mapToInt(Ledger.Expectation::lastAcked)
                .findFirst()
                .orElse(0);
        if (shown == 0) {
            violations.add("corrupt", path + " at " + subscription + " is no version that anybody published");
        } else if (shown < wanted) {
            violations.add(
                    "order",
                    path + " at " + subscription + " is version " + shown + ", and " + wanted + " was the last");
        }
    }
}
