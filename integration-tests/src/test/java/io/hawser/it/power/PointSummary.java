package io.hawser.it.power;

import io.hawser.it.ledger.Verdict;
import io.hawser.it.ledger.Violations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums of disk calls that killed or failed, as text. */
final class PointSummary {
    private PointSummary() {}

    /** Sums for a person: of each commit a line for each sweep, and one for all of them. */
    static String of(List<Point> points) {
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
        List<Point> hit = points.stream().filter(Trial::counts).toList();
        List<String> violations = Trial.violations(points);
        return text.append(String.format(
                        Locale.ROOT,
                        "%s: %d points, %s; %d objects sent, %d acknowledged; %s; %s%n",
                        commit,
                        hit.size(),
                        calls(hit),
                        points.stream().mapToInt(Point::attempts).sum(),
                        points.stream().mapToInt(Point::acked).sum(),
                        Violations.counts(violations),
                        Verdict.bound(hit.size(), "points", violations)))
                .toString();
    }

    private static Map<String, Long> calls(List<Point> points) {
        return points.stream().collect(Collectors.groupingBy(Point::call, TreeMap::new, Collectors.counting()));
    }

    private static String line(String name, List<Point> points) {
        List<Point> hit = points.stream().filter(Trial::counts).toList();
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
