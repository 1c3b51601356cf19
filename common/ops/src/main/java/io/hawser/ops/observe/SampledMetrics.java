package io.hawser.ops.observe;

import io.hawser.ops.observe.NodeMetrics.Sample;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that are made of one snapshot, which is read once a scrape. They have no samples while the node stops.
 *
 * <p>Thread: that of {@link NodeMetrics}.
 */
public final class SampledMetrics<S> {
    private static final Logger LOG = LoggerFactory.getLogger(SampledMetrics.class);

    private final NodeMetrics metrics;
    private final NodeMetrics.Source<S> source;
    private @Nullable S latest;

    SampledMetrics(NodeMetrics metrics, NodeMetrics.Source<S> source) {
        this.metrics = metrics;
        this.source = source;
    }

    void refresh() {
        try {
            latest = source.get();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no metrics while the node is stopping");
            latest = null;
        }
    }

    /** See {@link NodeMetrics#gauge}. */
    public SampledMetrics<S> gauge(String name, String help, ToDoubleFunction<S> value) {
        return gauges(name, help, from -> Sample.of(value.applyAsDouble(from)));
    }

    /** See {@link NodeMetrics#gauges}. */
    public SampledMetrics<S> gauges(String name, String help, Function<S, ? extends Collection<Sample>> samples) {
        metrics.gauges(name, help, () -> now(samples));
        return this;
    }

    /** See {@link NodeMetrics#counter}. */
    public SampledMetrics<S> counter(String name, String help, ToDoubleFunction<S> value) {
        return counters(name, help, from -> Sample.of(value.applyAsDouble(from)));
    }

    /** See {@link NodeMetrics#counters}. */
    public SampledMetrics<S> counters(String name, String help, Function<S, ? extends Collection<Sample>> samples) {
        metrics.counters(name, help, () -> now(samples));
        return this;
    }

    private Collection<Sample> now(Function<S, ? extends Collection<Sample>> samples) {
        S current = latest;
        return current == null ? List.of() : samples.apply(current);
    }
}
