package io.hawser.it.bench.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a value stands on a line of the drawing. On a logarithmic one 0 has a place of its own, before the least value.
 *
 * @param least a value; more than 0 on a logarithmic axis
 * @param most a value, more than {@code least}
 * @param from where {@code least} stands
 * @param to where {@code most} stands
 */
record Axis(boolean logarithmic, double least, double most, double from, double to) {
    /** How many marks there are at most. */
    private static final int MARKS = 7;

    Axis {
        if (least >= most || (logarithmic && least <= 0)) {
            throw new IllegalArgumentException("no axis from " + least + " to " + most);
        }
    }

    /** From 0 to a round number that is not less than {@code most}. */
    static Axis linear(double most, double from, double to) {
        double step = step(most);
        return new Axis(false, 0, Math.ceil(most / step) * step, from, to);
    }

    /** From the least to the most of two values or more, none of them negative. */
    static Axis logarithmic(List<Double> values, double from, double to) {
        double least = values.stream()
                .filter(value -> value > 0)
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        // 0 is drawn where a third of the least value would be.
        return new Axis(true, values.contains(0.0) ? least / 3 : least, most, from, to);
    }

    double at(double value) {
        double share = logarithmic
                ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
                : (value - least) / (most - least);
        return from + share * (to - from);
    }

    /** Round values along a linear axis, both ends among them. */
    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        double step = step(most);
        for (int i = 0; i * step <= most * (1 + 1e-9); i++) {
            marks.add(i * step);
        }
        return marks;
    }

    /** 1, 2 or 5 times a power of ten, such that few reach as far as {@code most}. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / (MARKS - 1))));
        for (double factor : new double[] {1, 2, 5}) {
            if (most / (factor * power) <= MARKS - 1) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
