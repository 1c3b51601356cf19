package io.hawser.ops.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;

/**
 * The metric {@code hawser_stalled_transfers}: the accepted transfers without progress for longer than {@code --warn-after}, by {@link
 * StallCause}.
 *
 * <p>Thread: the admin thread.
 */
public final class StalledGauge {
    private final MultiGauge gauge;

    public StalledGauge(MeterRegistry metrics) {
        gauge = MultiGauge.builder("hawser_stalled_transfers")
                .description("accepted transfers without progress for longer than --warn-after, by cause")
                .register(metrics);
    }

    /** Sets its values. */
    public void show(StalledTransfers stalled) {
        gauge.register(
                Arrays.stream(StallCause.values())
                        .<Row<?>>map(cause -> Row.of(Tags.of("cause", cause.word()), stalled.count(cause)))
                        .toList(),
                true);
    }
}
