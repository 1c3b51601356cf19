package io.hawser.ops.node;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.DurationText;
import io.hawser.core.why.Forecast;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures every {@value Forecast#SAMPLE_MILLIS} ms how much space a node's resources have, and says when each is full.
 *
 * <p>Thread: the node's loop; {@link #latest} and {@link #warnings} any.
 */
public final class ForecastBoard {
    /** Nearer than that it is a warning on {@code /health}. */
    static final long NEAR_SECONDS = 30 * 60;

    private static final Logger LOG = LoggerFactory.getLogger(ForecastBoard.class);

    private final Source source;
    private final Map<String, Forecast> forecasts = new HashMap<>();
    private volatile List<ForecastLine> latest = List.of();

    /**
     * A resource now.
     *
     * @param resource its name
     * @param usedBytes what it holds
     * @param freeBytes what it would still take
     * @param because why it fills if it does, as a clause; empty if that is not known
     */
    public record Space(String resource, long usedBytes, long freeBytes, String because) {}

    /** Measures. Asked on the loop; may answer later, on the loop. */
    @FunctionalInterface
    public interface Source {
        void measure(Consumer<List<Space>> done);
    }

    public ForecastBoard(Source source) {
        this.source = source;
    }

    /** Begins to measure. */
    public void start(ScheduledExecutorService loop) {
        var unused = loop.scheduleAtFixedRate(
                this::measure, Forecast.SAMPLE_MILLIS, Forecast.SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A failure of one measurement must not end the others: an executor would not run them again. */
    private void measure() {
        try {
            source.measure(spaces -> add(spaces, System.nanoTime()));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("Free space could not be measured for the forecasts. The next try follows");
        }
    }

    void add(List<Space> spaces, long nowNanos) {
        forecasts.keySet().retainAll(spaces.stream().map(Space::resource).collect(Collectors.toSet()));
        List<ForecastLine> lines = new ArrayList<>();
        for (Space space : spaces) {
            Forecast forecast = forecasts.computeIfAbsent(space.resource(), unused -> new Forecast());
            forecast.sample(nowNanos, space.freeBytes());
            OptionalLong seconds = forecast.secondsLeft();
            if (seconds.isPresent()) {
                lines.add(line(space, seconds.getAsLong(), forecast.fallBytesPerSecond()));
            }
        }
        lines.sort(Comparator.comparingLong(ForecastLine::secondsLeft));
        latest = List.copyOf(lines);
    }

    /** What it says of a resource that is full in so many seconds. */
    public static ForecastLine line(Space space, long seconds, double bytesPerSecond) {
        String because = space.because().isEmpty() ? "" : ", because " + space.because();
        String sentence =
                space.resource() + " full in " + DurationText.text(TimeUnit.SECONDS.toMillis(seconds)) + " at "
                        + ByteSize.human((long) bytesPerSecond) + "/s" + because + "; holds "
                        + ByteSize.human(space.usedBytes());
        return new ForecastLine(space.resource(), sentence, seconds, space.because());
    }

    /** What fills, the nearest end first. */
    public List<ForecastLine> latest() {
        return latest;
    }

    /** Those that are near, as warnings. */
    public List<HealthWarning> warnings() {
        return latest.stream()
                .filter(line -> line.secondsLeft() <= NEAR_SECONDS)
                .map(line -> WarningCode.FORECAST.about(line.resource(), line.sentence()))
                .toList();
    }
}
