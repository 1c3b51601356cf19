package io.hawser.it.bench.plot;

import io.hawser.it.bench.plot.Chart.Line;
import io.hawser.it.bench.plot.Chart.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A chart as SVG 1.1: a line for each name with its name beside its end, marks where something was measured, bars from the least to
 * the most of the runs, and a dashed line for the bound.
 *
 * <p>Thread: one.
 */
final class SvgChart {
    private static final int WIDTH = 820;
    private static final int HEIGHT = 440;
    private static final int LEFT = 64;
    private static final int RIGHT = 620;
    private static final int TOP = 88;
    private static final int BOTTOM = 384;
    private static final double LABEL_GAP = 17;
    private static final String INK = "#24292f";
    private static final String FAINT = "#6e7781";
    private static final String GRID = "#e4e7eb";
    /** Told apart also by those who see no red or no green; the first is the darkest. */
    private static final List<String> COLOURS =
            List.of("#0b4f9c", "#d55e00", "#009e73", "#b04fa0", "#a67c00", "#4ba3c7");

    private final Chart chart;
    private final Axis x;
    private final Axis y;
    private final StringBuilder svg = new StringBuilder();

    private SvgChart(Chart chart) {
        this.chart = chart;
        List<Point> all = Stream.concat(Stream.of(chart.bound()), chart.lines().stream())
                .flatMap(line -> line.points().stream())
                .toList();
        x = Axis.logarithmic(all.stream().map(Point::x).distinct().toList(), LEFT + 14, RIGHT - 14);
        y = Axis.linear(all.stream().mapToDouble(Point::most).max().orElseThrow(), BOTTOM, TOP);
    }

    static String of(Chart chart) {
        return new SvgChart(chart).draw();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        text(16, 26, "start", INK, "font-size=\"17\" font-weight=\"bold\"", chart.title());
        text(16, 47, "start", FAINT, "", chart.subtitle());
        axes();
        line(chart.bound(), FAINT, "stroke-width=\"1.5\" stroke-dasharray=\"5 4\"");
        for (int i = chart.lines().size() - 1; i >= 0; i--) {
            Line line = chart.lines().get(i);
            line(line, colour(i), i == 0 ? "stroke-width=\"3\"" : "stroke-width=\"1.8\"");
            for (Point point : line.points()) {
                mark(point, colour(i), i == 0 ? 5 : 4);
            }
        }
        names();
        add("</svg>");
        return svg.toString();
    }

    private static String colour(int line) {
        return COLOURS.get(line % COLOURS.size());
    }

    private void axes() {
        for (double mark : y.marks()) {
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                    LEFT, RIGHT, y.at(mark), y.at(mark), GRID);
            text(LEFT - 8, y.at(mark) + 4, "end", FAINT, "", number(mark));
        }
        Map<Double, String> places = new LinkedHashMap<>();
        chart.bound().points().forEach(point -> places.put(point.x(), point.xText()));
        places.forEach((at, text) -> {
            add(
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>",
                    x.at(at), x.at(at), BOTTOM, BOTTOM + 5, FAINT);
            text(x.at(at), BOTTOM + 20, "middle", FAINT, "", text);
        });
        add("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>", LEFT, RIGHT, BOTTOM, BOTTOM, FAINT);
        text((LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", INK, "", chart.xTitle());
        text(16, TOP - 16, "start", INK, "", chart.yTitle());
    }

    private void line(Line line, String colour, String how) {
        String points = line.points().stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x.at(point.x()), y.at(point.y())))
                .collect(Collectors.joining(" "));
        add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-linejoin=\"round\" %s/>", points, colour, how);
    }

    private void mark(Point point, String colour, int radius) {
        double at = x.at(point.x());
        if (point.most() > point.least()) {
            add(
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                    at, at, y.at(point.least()), y.at(point.most()), colour);
        }
        add(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.5\"/>",
                at, y.at(point.y()), radius, colour);
    }

    /** Beside the lines' ends. */
    private void names() {
        List<Line> named = new ArrayList<>(chart.lines());
        named.add(chart.bound());
        List<Double> wanted = named.stream()
                .map(line -> y.at(line.points().get(line.points().size() - 1).y()))
                .toList();
        List<Double> places = LabelPlaces.of(wanted, LABEL_GAP, BOTTOM);
        for (int i = 0; i < named.size(); i++) {
            boolean bound = i == chart.lines().size();
            Line line = named.get(i);
            Point end = line.points().get(line.points().size() - 1);
            add(
                    "<polyline points=\"%.1f,%.1f %d,%.1f %d,%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\"/>",
                    x.at(end.x()) + 6,
                    y.at(end.y()),
                    RIGHT + 6,
                    places.get(i),
                    RIGHT + 14,
                    places.get(i),
                    bound ? FAINT : colour(i));
            text(
                    RIGHT + 18,
                    places.get(i) + 4,
                    "start",
                    bound ? FAINT : colour(i),
                    i == 0 ? "font-weight=\"bold\"" : "",
                    line.name());
        }
    }

    private void text(double atX, double atY, String anchor, String colour, String how, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" %s>%s</text>",
                atX, atY, anchor, colour, how, escaped(text));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : String.valueOf(value);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
