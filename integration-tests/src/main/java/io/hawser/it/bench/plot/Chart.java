package io.hawser.it.bench.plot;

import java.util.List;

/**
 * What is drawn: lines over the same values.
 *
 * @param title what it shows
 * @param subtitle under which conditions
 * @param xTitle with its unit
 * @param yTitle with its unit
 * @param bound a line that no other can pass
 * @param lines the one that matters most first
 */
record Chart(String title, String subtitle, String xTitle, String yTitle, Line bound, List<Line> lines) {
    /** A line, its points in the order of x. */
    record Line(String name, List<Point> points) {
        Line {
            points = List.copyOf(points);
        }
    }

    /**
     * What was measured at one place.
     *
     * @param xText what is written under it
     * @param least of all runs
     */
    record Point(double x, String xText, double y, double least, double most) {}

    Chart {
        lines = List.copyOf(lines);
    }
}
