package io.hawser.it.power;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All points that were ever swept, a line of JSON each; runs add to it, and it says what they add up to. Thread: one. */
final class PointJournal {
    private static final String END = "none";

    private final JsonLines<Point> lines;

    PointJournal(Path file) {
        lines = new JsonLines<>(file, Point.class);
    }

    /** Asked before the first point. @throws IOException if nothing can be added */
    void checkWritable() throws IOException {
        lines.checkWritable();
    }

    void add(Point point) {
        lines.add(point);
    }

    List<Point> points() throws IOException {
        return lines.all();
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

    /** Calls that were made to kill or to fail in one sweep of a commit. */
    static int hits(List<Point> points, String node, String phase, String fault) {
        return (int) points.stream()
                .filter(PointJournal::isHit)
                .filter(point -> point.node().equals(node)
                        && point.phase().equals(phase)
                        && point.fault().equals(fault))
                .count();
    }

    /** Calls that were made to kill or to fail. */
    static int hits(List<Point> points) {
        return (int) points.stream().filter(PointJournal::isHit).count();
    }

    static List<String> violations(List<Point> points) {
        return points.stream().flatMap(point -> point.violations().stream()).toList();
    }

    /** Sums for a person: of each commit a line for each sweep, and one for all of them. */
    static String summary(List<Point> points) {
        StringBuilder text = new StringBuilder();
        points.stream()
                .collect(Collectors.groupingBy(Point::commit, TreeMap::new, Collectors.toList()))
                .forEach((commit, ofCommit) -> text.append(ofOne(commit, ofCommit)));
        return text.toString();
    }

    private static String ofOne(String commit, List<Point> points) {
        Map<String, List<Point>> groups = points.stream()
                .collect(Collectors.groupingBy(
                        point -> commit + " " + point.node() + " " + point.phase() + " " + point.fault(),
                        TreeMap::new,
                        Collectors.toList()));
        StringBuilder text = new StringBuilder();
        groups.forEach((name, group) -> text.append(line(name, group)));
        List<Point> hit = points.stream().filter(PointJournal::isHit).toList();
        List<String> violations = violations(points);
        int lost = Violations.count(violations, "lost");
        int duplicated = Violations.count(violations, "duplicated");
        int corrupt = Violations.count(violations, "corrupt");
        return text.append(String.format(
                        Locale.ROOT,
                        "%s: %d points, %s; %d objects sent, %d acknowledged; lost %d, duplicated %d, corrupt %d, other violations"
                                + " %d; %s%n",
                        commit,
                        hit.size(),
                        calls(hit),
                        points.stream().mapToInt(Point::attempts).sum(),
                        points.stream().mapToInt(Point::acked).sum(),
                        lost,
                        duplicated,
                        corrupt,
                        violations.size() - lost - duplicated - corrupt,
                        Verdict.bound(hit.size(), "points", violations)))
                .toString();
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
