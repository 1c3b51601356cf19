package io.hawser.it.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The median, minimum and maximum of the values of several runs.
 *
 * @param median of an even number the mean of the two in the middle
 */
public record MedianAndRange(double median, double least, double most) {
    /** Of one value or more. */
    public static MedianAndRange of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new MedianAndRange(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** The median of what each run has shown. */
    public static <T> double median(List<T> runs, ToDoubleFunction<T> value) {
        return of(runs.stream().mapToDouble(value).boxed().toList()).median();
    }

    /** The median of the ratios of runs that belong together. */
    public static double medianRatio(List<Double> dividends, List<Double> divisors) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < dividends.size(); i++) {
            ratios.add(dividends.get(i) / divisors.get(i));
        }
        return of(ratios).median();
    }
}
