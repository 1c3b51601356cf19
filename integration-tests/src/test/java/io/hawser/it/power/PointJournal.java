package io.hawser.it.power;

import io.hawser.common.observe.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All points that were ever swept, a line of JSON each; runs add to it, and it says what they add up to. Thread: one. */
final class PointJournal {
    private static final String END = "none";

    private final Path file;

    PointJournal(Path file) {
        this.file = file;
    }

    void add(Point point) {
        try {
            Files.writeString(file, Json.line(point) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Point> points() throws IOException {
        List<Point> points = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                if (!line.isBlank()) {
                    points.add(Json.read(line.getBytes(StandardCharsets.UTF_8), Point.class));
                }
            }
        }
        return points;
    }

    /** The N with which a sweep goes on; 0 if it has come to its end. */
    int next(String commit, String node, String phase, String fault) throws IOException {
        int next = 1;
        for (Point point : points()) {
            if (point.commit().equals(commit)
                    && point.node().equals(node)
                    && point.phase().equals(phase)
                    && point.fault().equals(fault)) {
                if (point.call().equals(END)) {
                    return 0;
                }
                next = Math.max(next, point.number() + 1);
            }
        }
        return next;
    }

    /** Sums for a person: a line for each sweep, and one for all. */
    static String summary(List<Point> points) {
        Map<String, List<Point>> groups = points.stream()
                .collect(Collectors.groupingBy(
                        point -> point.commit() + " " + point.node() + " " + point.phase() + " " + point.fault(),
                        TreeMap::new,
                        Collectors.toList()));
        StringBuilder text = new StringBuilder();
        groups.forEach((name, group) -> text.append(line(name, group)));
        List<Point> hit = points.stream().filter(PointJournal::isHit).toList();
        List<String> violations =
                points.stream().flatMap(point -> point.violations().stream()).toList();
        text.append(String.format(
                Locale.ROOT,
                "%d points, %s; %d objects sent, %d acknowledged; lost %d, duplicated %d, corrupt %d, other violations %d; below %.2g of the"
                        + " points with 95 %% confidence (3/n)%n",
                hit.size(),
                calls(hit),
                points.stream().mapToInt(Point::attempts).sum(),
                points.stream().mapToInt(Point::acked).sum(),
                Violations.count(violations, "lost"),
                Violations.count(violations, "duplicated"),
                Violations.count(violations, "corrupt"),
                violations.size()
                        - Violations.count(violations, "lost")
                        - Violations.count(violations, "duplicated")
                        - Violations.count(violations, "corrupt"),
                3.0 / Math.max(1, hit.size())));
        return text.toString();
    }

    private static boolean isHit(Point point) {
        return !point.call().equals(END);
    }

    private static Map<String, Long> calls(List<Point> points) {
        return points.stream().collect(Collectors.groupingBy(Point::call, TreeMap::new, Collectors.counting()));
    }

    private static String line(String name, List<Point> points) {
        List<Point> hit = points.stream().filter(PointJournal::isHit).toList();
        Map<Integer, Long> exits =
                hit.stream().collect(Collectors.groupingBy(Point::exit, TreeMap::new, Collectors.counting()));
        boolean ended = hit.size() < points.size();
        return String.format(
                Locale.ROOT,
                "%s: %d points%s %s, exit codes %s, violations %d%n",
                name,
                hit.size(),
                ended ? "" : " (not at its end)",
                calls(hit),
                exits,
                points.stream().mapToInt(point -> point.violations().size()).sum());
    }
}
