package io.hawser.agenta;

import io.hawser.core.hop.HopSender;
import io.hawser.core.transport.ConnectionState;
import io.hawser.ops.node.ForecastBoard;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolUsage;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the spool for the forecasts, with the reason why it fills.
 *
 * <p>Thread: the loop.
 */
record SpoolForecast(Spool spool, HopSender sender, ConnectionState broker) implements ForecastBoard.Source {
    private static final long STOPPED_MILLIS = 5_000;

    @Override
    public void measure(Consumer<List<ForecastBoard.Space>> done) {
        SpoolUsage usage = spool.usage();
        done.accept(List.of(new ForecastBoard.Space("spool", usage.contentBytes(), usage.availableBytes(), because())));
    }

    private String because() {
        if (!broker.isConnected()) {
            return "the broker is away";
        }
        return sender.longestStopped()
                .filter(stopped -> stopped.millis() >= STOPPED_MILLIS)
                .map(stopped ->
                        "the broker takes nothing: " + stopped.progress().reason())
                .orElse("more comes from clients than the broker takes");
    }
}
