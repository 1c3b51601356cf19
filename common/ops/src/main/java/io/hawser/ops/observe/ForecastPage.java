package io.hawser.ops.observe;

import java.util.List;
import java.util.Objects;

/**
 * The JSON of {@code /forecasts}: what is full soon if it fills on as it does.
 *
 * @param node the name of the node that answers
 * @param forecasts the nearest first; empty if nothing fills
 */
public record ForecastPage(String node, List<ForecastLine> forecasts) {
    public ForecastPage {
        forecasts = List.copyOf(Objects.requireNonNullElse(forecasts, List.of()));
    }

    /**
     * One resource.
     *
     * @param resource such as {@code spool}, {@code store}, {@code quota paris on *} or {@code landing}
     * @param sentence the forecast for people
     * @param secondsLeft until nothing more fits
     * @param because why it fills, as a clause; empty if that is not known
     */
    public record ForecastLine(String resource, String sentence, long secondsLeft, String because) {}
}
