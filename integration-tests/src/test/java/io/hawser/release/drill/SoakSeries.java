package io.hawser.release.drill;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What was measured of one thing over a run, and whether it grows: by the slope of Theil and Sen, the median of the slopes of all pairs,
 * which a third of wild values does not move.
 *
 * <p>Thread: one.
 */
final class SoakSeries {
    /** What comes before this share of the run is warming up. */
    private static final double WARM_UP = 0.25;

    private static final int FEWEST = 8;

    private final List<double[]> samples = new ArrayList<>();

    void add(double seconds, double value) {
        samples.add(new double[] {seconds, value});
    }

    /** What is judged, in the order of time. */
    private List<double[]> warm() {
        if (samples.isEmpty()) {
            return List.of();
        }
        double last = samples.get(samples.size() - 1)[0];
        return samples.stream().filter(s -> s[0] >= WARM_UP * last).toList();
    }

    /** How many samples are judged. */
    int count() {
        return warm().size();
    }

    /** Whether there are enough of them to say anything. */
    boolean isEnough() {
        return count() >= FEWEST;
    }

    double median() {
        return median(warm().stream().map(s -> s[1]).toList());
    }

    double largest() {
        return samples.stream().mapToDouble(s -> s[1]).max().orElse(0);
    }

    /** Growth per second. */
    double slope() {
        List<double[]> all = warm();
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                double seconds = all.get(j)[0] - all.get(i)[0];
                if (seconds > 0) {
                    slopes.add((all.get(j)[1] - all.get(i)[1]) / seconds);
                }
            }
        }
        return median(slopes);
    }

    /** What the slope makes of the time that is judged. */
    double growth() {
        List<double[]> all = warm();
        return all.isEmpty() ? 0 : slope() * (all.get(all.size() - 1)[0] - all.get(0)[0]);
    }

    private static double median(List<Double> values) {
        if (values.isEmpty()) {
            return 0;
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
