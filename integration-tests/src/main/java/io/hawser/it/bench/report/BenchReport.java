package io.hawser.it.bench.report;

import io.hawser.ops.cli.Version;
import io.hawser.ops.observe.Json;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a bench finds: a line for each figure as soon as it is there, or all as one JSON document at the end. What is said besides goes
 * to {@code lines}, which is standard error where standard output is the document's.
 *
 * <p>Thread: the one that measures.
 */
public final class BenchReport {
    private static final String HEADER = "%-70s %9s %19s %-7s %9s %6s %8s%n";

    private final String bench;
    private final String title;
    private final Map<String, String> parameters;
    private final Machine machine;
    private final PrintWriter out;
    private final PrintWriter lines;
    private final boolean json;
    private final String began = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final double loadBefore = Machine.load();
    private final List<Measurement> figures = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean inTable;

    /**
     * Begins a report, and prints what is known before.
     *
     * @param out for the document, or for people
     * @param lines for people meanwhile
     * @param json whether there is to be a document
     */
    public BenchReport(
            String bench,
            String title,
            Map<String, String> parameters,
            Machine machine,
            PrintWriter out,
            PrintWriter lines,
            boolean json) {
        this.bench = bench;
        this.title = title;
        this.parameters = parameters;
        this.machine = machine;
        this.out = out;
        this.lines = json ? lines : out;
        this.json = json;
        say("bench %s: %s", bench, title);
        say("on %s; load %.1f", machine, loadBefore);
        say(
                "%s",
                parameters.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", ")));
    }

    /** A line for people that is not in the document. */
    public void say(String format, Object... values) {
        inTable = false;
        lines.println(String.format(Locale.ROOT, format, values));
        lines.flush();
    }

    /** A line for people that is also in the document. */
    public void note(String format, Object... values) {
        String line = String.format(Locale.ROOT, format, values);
        notes.add(line);
        say("%s", line);
    }

    /** Notes whether all bytes arrived as they were sent; returns it. */
    public boolean noteEqual(boolean equal) {
        note(equal ? "all bytes compared equal" : "NOT EQUAL");
        return equal;
    }

    public void add(Measurement figure) {
        figures.add(figure);
        if (!inTable) {
            lines.printf(Locale.ROOT, HEADER, "", "median", "least..most", "", "limit", "of it", "aim");
            inTable = true;
        }
        lines.println(row(figure));
        lines.flush();
    }

    /** What a figure is for people: one line. */
    static String row(Measurement figure) {
        MedianAndRange spread = figure.spread();
        Measurement.Limit limit = figure.limit();
        Double share = figure.share();
        Double aim = figure.aim();
        String row = String.format(
                Locale.ROOT,
                HEADER.replace("%n", ""),
                figure.name(),
                number(spread.median()),
                number(spread.least()) + ".." + number(spread.most()),
                figure.unit(),
                limit == null ? "" : number(limit.value()),
                share == null ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * share),
                aim == null ? "" : number(aim));
        String also = figure.also().entrySet().stream()
                .map(each -> each.getKey() + " " + number(each.getValue()))
                .collect(Collectors.joining(", "));
        return (row + "   " + also).stripTrailing();
    }

    /** With as many decimals as mean something: 0.067, 6.53, 65.3, 653, 65312. */
    static String number(double value) {
        double size = Math.abs(value);
        if (value == Math.rint(value) && size >= 1000) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** The end: prints the document, or what the limits are. */
    public void end(boolean good) {
        if (json) {
            out.println(Json.text(new BenchDocument(
                    BenchDocument.VERSION,
                    bench,
                    title,
                    Version.text(),
                    System.getProperty("hawser.commit", BenchDocument.UNKNOWN),
                    began,
                    machine,
                    loadBefore,
                    Machine.load(),
                    parameters,
                    good,
                    figures,
                    notes)));
        } else {
            figures.stream()
                    .flatMap(figure -> Optional.ofNullable(figure.limit()).stream())
                    .map(Measurement.Limit::what)
                    .distinct()
                    .forEach(what -> say("limit: %s", what));
            say("load %.1f at the end", Machine.load());
        }
        out.flush();
    }
}
