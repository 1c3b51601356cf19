package io.hawser.ops.observe;

import io.hawser.core.meter.DurationHistogram;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The metrics of a node, which {@code /metrics} shows. A metric is read when it is scraped; nothing is computed between two scrapes. Names are those
 * of Prometheus: a counter ends with {@code _total}, units are seconds and bytes.
 *
 * <p>Thread: one that registers, then one that scrapes.
 */
public final class NodeMetrics {
    private static final String TOTAL = "_total";
    private static final String INFO = "_info";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<Runnable> refreshes = new ArrayList<>();

    /**
     * A value and its labels.
     *
     * @param labels by name
     */
    public record Sample(Map<String, String> labels, double value) {
        /** Without labels. */
        public static List<Sample> of(double value) {
            return List.of(new Sample(Map.of(), value));
        }

        private Labels prometheusLabels() {
            String[] names = labels.keySet().toArray(String[]::new);
            String[] values = labels.values().toArray(String[]::new);
            return Labels.of(names, values);
        }
    }

    /** What several metrics are made of, such as a snapshot that the network loop makes. */
    @FunctionalInterface
    public interface Source<S> {
        S get() throws IOException;
    }

    /** Adds a value that may go up and down. */
    public NodeMetrics gauge(String name, String help, Supplier<? extends Number> value) {
        return gauges(name, help, () -> Sample.of(value.get().doubleValue()));
    }

    /** The same with labels. Samples with the same labels are added up. */
    public NodeMetrics gauges(String name, String help, Supplier<? extends Collection<Sample>> samples) {
        return add(() -> new GaugeSnapshot(
                metadata(name, help),
                byLabels(samples.get()).entrySet().stream()
                        .map(each -> new GaugeDataPointSnapshot(each.getValue(), each.getKey(), null))
                        .toList()));
    }

    /** Adds a value that only goes up. {@code name} ends with {@code _total}. */
    public NodeMetrics counter(String name, String help, Supplier<? extends Number> value) {
        return counters(name, help, () -> Sample.of(value.get().doubleValue()));
    }

    /** The same with labels, see {@link #gauges}. */
    public NodeMetrics counters(String name, String help, Supplier<? extends Collection<Sample>> samples) {
        String base = without(TOTAL, name);
        return add(() -> new CounterSnapshot(
                metadata(base, help),
                byLabels(samples.get()).entrySet().stream()
                        .map(each -> new CounterDataPointSnapshot(each.getValue(), each.getKey(), null, 0L))
                        .toList()));
    }

    /** Adds a metric that is always 1 and whose labels are what it says. {@code name} ends with {@code _info}. */
    public NodeMetrics info(String name, String help, Map<String, String> labels) {
        InfoSnapshot always = new InfoSnapshot(
                metadata(without(INFO, name), help),
                List.of(new InfoDataPointSnapshot(new Sample(labels, 1).prometheusLabels())));
        return add(() -> always);
    }

    /** The text format adds the suffix. */
    private static String without(String suffix, String name) {
        if (!name.endsWith(suffix)) {
            throw new IllegalArgumentException("the name " + name + " does not end with " + suffix);
        }
        return name.substring(0, name.length() - suffix.length());
    }

    private static Map<Labels, Double> byLabels(Collection<Sample> samples) {
        Map<Labels, Double> byLabels = new LinkedHashMap<>();
        samples.forEach(each -> byLabels.merge(each.prometheusLabels(), each.value(), Double::sum));
        return byLabels;
    }

    /** Adds durations by the values of one label. */
    public NodeMetrics histograms(String name, String help, String label, Map<String, DurationHistogram> byValue) {
        return add(() -> new HistogramSnapshot(
                metadata(name, help),
                byValue.entrySet().stream()
                        .map(each -> dataPoint(Labels.of(label, each.getKey()), each.getValue()))
                        .toList()));
    }

    private static HistogramDataPointSnapshot dataPoint(Labels labels, DurationHistogram durations) {
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(
                        ClassicHistogramBuckets.of(DurationHistogram.boundsSeconds(), durations.counts()))
                .sum(durations.sumSeconds())
                .build();
    }

    private static MetricMetadata metadata(String name, String help) {
        return new MetricMetadata(name, help);
    }

    private NodeMetrics add(Collector family) {
        registry.getPrometheusRegistry().register(family);
        return this;
    }

    /** Adds metrics of {@code source}, which is read once a scrape. */
    public <S> SampledMetrics<S> of(Source<S> source) {
        SampledMetrics<S> sampled = new SampledMetrics<>(this, source);
        refreshes.add(sampled::refresh);
        return sampled;
    }

    /** Adds metrics that Micrometer knows. */
    NodeMetrics bind(MeterBinder binder) {
        binder.bindTo(registry);
        return this;
    }

    /** All metrics in Prometheus' text format. */
    public String scrape() {
        refreshes.forEach(Runnable::run);
        return registry.scrape();
    }
}
