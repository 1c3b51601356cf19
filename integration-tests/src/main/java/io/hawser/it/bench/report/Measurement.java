package io.hawser.it.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was measured, once or several times.
 *
 * @param of what it is of, by kind: the work, the link, who did it; in the order in which people read it
 * @param unit of the values, the spread, the limit and the aim: {@code s} or {@code KiB} (less is better), or a rate such as {@code MB/s}
 * @param values of each run, in their order
 * @param limit what nothing could beat here
 * @param share of the limit that the median reaches: 1 is all of it
 * @param aim what it ought to be
 * @param also other numbers of the same runs, their unit in their name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Measurement(
        Map<String, String> of,
        String unit,
        List<Double> values,
        MedianAndRange spread,
        @Nullable Limit limit,
        @Nullable Double share,
        @Nullable Double aim,
        Map<String, Double> also) {
    /** A time. Every other unit is a rate. */
    public static final String SECONDS = "s";

    /**
     * What nothing could beat.
     *
     * @param what it is, as a phrase
     */
    public record Limit(double value, String what) {}

    public Measurement {
        of = Collections.unmodifiableMap(new LinkedHashMap<>(of));
        values = List.copyOf(values);
        also = Collections.unmodifiableMap(new LinkedHashMap<>(also));
    }

    /** What a figure is of: kinds and names by turns. */
    public static Map<String, String> labels(String... kindsAndNames) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < kindsAndNames.length; i += 2) {
            labels.put(kindsAndNames[i], kindsAndNames[i + 1]);
        }
        return labels;
    }

    /** One without a limit. */
    public static Measurement of(Map<String, String> of, String unit, List<Double> values) {
        return new Measurement(of, unit, values, MedianAndRange.of(values), null, null, null, Map.of());
    }

    /** One without a limit, of what each run has shown. */
    public static <T> Measurement of(Map<String, String> of, String unit, List<T> runs, ToDoubleFunction<T> value) {
        return of(of, unit, runs.stream().mapToDouble(value).boxed().toList());
    }

    /** The same with its limit, and the share of it. */
    public Measurement limited(double value, String what) {
        double reached = unit.equals(SECONDS) ? value / spread.median() : spread.median() / value;
        return new Measurement(of, unit, values, spread, new Limit(value, what), reached, aim, also);
    }

    public Measurement aimed(double value) {
        return new Measurement(of, unit, values, spread, limit, share, value, also);
    }

    public Measurement also(String name, double value) {
        Map<String, Double> more = new LinkedHashMap<>(also);
        more.put(name, value);
        return new Measurement(of, unit, values, spread, limit, share, aim, more);
    }

    /** What it is of, for people. */
    String name() {
        return String.join(" | ", of.values());
    }
}
