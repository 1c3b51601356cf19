package io.hawser.agentb;

import io.hawser.ops.node.ForecastBoard;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the disk of the landing area for the forecasts, with the reason why it fills.
 *
 * <p>Thread: the loop.
 *
 * @param headRoomBytes what must stay free
 */
record LandingForecast(LandingArea landing, long headRoomBytes) implements ForecastBoard.Source {
    @Override
    public void measure(Consumer<List<ForecastBoard.Space>> done) {
        LandingStatus status = landing.status();
        long held = landing.transfers().stream()
                .mapToLong(LandingTransferStatus::durableBytes)
                .sum();
        long free = status.usableBytes() - status.reservedBytes() - headRoomBytes;
        done.accept(List.of(new ForecastBoard.Space("landing area's disk", held, free, because())));
    }

    private String because() {
        long failing = landing.transfers().stream()
                .filter(transfer -> !transfer.problem().isEmpty())
                .count();
        return failing == 0
                ? "more is delivered than is taken away"
                : failing + (failing == 1 ? " transfer is" : " transfers are") + " here and cannot be delivered";
    }
}
