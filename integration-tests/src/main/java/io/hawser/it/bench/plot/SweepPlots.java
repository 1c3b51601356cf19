package io.hawser.it.bench.plot;

import io.hawser.core.config.ByteSize;
import io.hawser.it.bench.links.SweepRaces;
import io.hawser.it.bench.plot.Chart.Line;
import io.hawser.it.bench.plot.Chart.Point;
import io.hawser.it.bench.report.BenchDocument;
import io.hawser.it.bench.report.Measurement;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The drawings of what {@code hawser bench sweep --json} has printed. */
public final class SweepPlots {
    private static final String SWEEP = "sweep";
    private static final String DOCUMENT = ".json";

    private SweepPlots() {}

    /**
     * Draws every document of a directory, {@code NAME.json} as {@code NAME.svg} beside it; returns the drawings.
     *
     * @throws CommandException if there is none, or one is something else
     */
    public static List<Path> in(Path directory) throws IOException {
        List<Path> documents;
        try (Stream<Path> files = Files.list(directory)) {
            documents = files.filter(file -> file.toString().endsWith(DOCUMENT))
                    .sorted()
                    .toList();
        }
        List<Path> drawings = new ArrayList<>();
        for (Path file : documents) {
            BenchDocument document = Json.read(Files.readAllBytes(file), BenchDocument.class);
            if (document.version() == BenchDocument.VERSION && document.bench().equals(SWEEP)) {
                String name = file.toString();
                Path drawing = Path.of(name.substring(0, name.length() - DOCUMENT.length()) + ".svg");
                drawings.add(Files.writeString(drawing, SvgChart.of(chart(document))));
            }
        }
        if (drawings.isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    directory + " holds no document of a sweep: hawser bench sweep --json > " + directory
                            + "/NAME.json");
        }
        return drawings;
    }

    /** The rates that a sweep has found, and what the links could carry. */
    static Chart chart(BenchDocument document) {
        SweepRaces.Over over = SweepRaces.Over.valueOf(
                document.parameters().getOrDefault("--over", "RTT").toUpperCase(Locale.ROOT));
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        Map<Double, Point> bound = new LinkedHashMap<>();
        for (Measurement figure : document.figures()) {
            String text = Objects.requireNonNull(figure.of().get(over.word()));
            double x = Double.parseDouble(text);
            String xText = over == SweepRaces.Over.SIZE ? ByteSize.human((long) x) : text;
            double bits =
                    figure.also().getOrDefault("Mbit/s", 0.0) * figure.spread().median();
            lines.computeIfAbsent(Objects.requireNonNull(figure.of().get("by")), by -> new ArrayList<>())
                    .add(new Point(
                            x,
                            xText,
                            bits / figure.spread().median(),
                            bits / figure.spread().most(),
                            bits / figure.spread().least()));
            Measurement.Limit limit = figure.limit();
            if (limit != null) {
                double most = bits / limit.value();
                bound.put(x, new Point(x, xText, most, most, most));
            }
        }
        List<Line> drawn = lines.entrySet().stream()
                .map(line -> line(
                        over == SweepRaces.Over.STREAMS ? withoutNumber(line.getKey()) : line.getKey(),
                        line.getValue()))
                .toList();
        Measurement first = document.figures().get(0);
        return new Chart(
                title(over)
                        + (document.parameters().getOrDefault("--down", "false").equals("true") ? ", down" : ", up"),
                subtitle(over, first, document),
                xTitle(over),
                "Mbit/s of the file's bytes, start to end",
                line("what the link allows", new ArrayList<>(bound.values())),
                joined(drawn));
    }

    private static Line line(String name, List<Point> points) {
        return new Line(
                name,
                points.stream().sorted(Comparator.comparingDouble(Point::x)).toList());
    }

    /** Where the number of streams is what differs, one program is one line. */
    private static String withoutNumber(String by) {
        return by.replaceFirst(", \\d+ streams?$", "");
    }

    private static List<Line> joined(List<Line> lines) {
        Map<String, List<Point>> byName = new LinkedHashMap<>();
        lines.forEach(line ->
                byName.computeIfAbsent(line.name(), name -> new ArrayList<>()).addAll(line.points()));
        return byName.entrySet().stream()
                .map(each -> line(each.getKey(), each.getValue()))
                .toList();
    }

    private static String title(SweepRaces.Over over) {
        return "Throughput against "
                + switch (over) {
                    case RTT -> "round-trip time";
                    case STREAMS -> "streams";
                    case LOSS -> "loss";
                    case SIZE -> "size";
                };
    }

    private static String xTitle(SweepRaces.Over over) {
        return switch (over) {
            case RTT -> "round-trip time, ms (logarithmic)";
            case STREAMS -> "streams (logarithmic)";
            case LOSS -> "packets lost of a hundred, each by itself (logarithmic; 0 stands apart)";
            case SIZE -> "size of the file (logarithmic)";
        };
    }

    private static String subtitle(SweepRaces.Over over, Measurement first, BenchDocument document) {
        String work = first.of().getOrDefault("work", "").replaceFirst(" (up|down)$", "");
        String conditions =
                switch (over) {
                    case RTT -> work + ", 100 Mbit/s, no loss";
                    case STREAMS -> work + ", 100 Mbit/s, 80 ms, 0.1 % loss, cubic";
                    case LOSS -> work + ", 100 Mbit/s, 80 ms, cubic";
                    case SIZE -> "100 Mbit/s, 600 ms, no loss";
                };
        String began = document.began();
        return conditions + "; " + began.substring(0, Math.min(10, began.length())) + ", load "
                + String.format(Locale.ROOT, "%.1f to %.1f", document.loadBefore(), document.loadAfter());
    }
}
