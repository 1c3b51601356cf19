package io.hawser.ops.node;

import io.hawser.core.thread.DaemonThreads;
import io.hawser.ops.event.EventFacts;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import io.hawser.store.event.EventType;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an event of each warning that comes to {@code /health}, and of each that goes.
 *
 * <p>Thread: {@code hawser-health-watch}.
 */
final class HealthWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);
    private static final long INTERVAL_SECONDS = 5;
    private static final Set<String> AWAY =
            Set.of(WarningCode.STALLED_SUBSCRIPTION.word(), WarningCode.STALLED_MEMBER_AWAY.word());

    private final Source health;
    private final Notes notes;
    private final ScheduledExecutorService timer = DaemonThreads.timer("hawser-health-watch");
    private Map<String, HealthWarning> known = Map.of();

    /** Tells how the node is. */
    @FunctionalInterface
    interface Source {
        /** Blocks shortly. */
        Health now() throws IOException;
    }

    /** Takes events. */
    @FunctionalInterface
    interface Notes {
        void note(EventType type, String subject, EventFacts facts);
    }

    HealthWatch(Source health, Notes notes) {
        this.health = health;
        this.notes = notes;
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    /** Compares the warnings with those of the last time. */
    void look() {
        try {
            Map<String, HealthWarning> now = new LinkedHashMap<>();
            health.now().warnings().forEach(warning -> now.putIfAbsent(subject(warning), warning));
            now.forEach((subject, warning) -> {
                if (!known.containsKey(subject)) {
                    notes.note(type(warning), subject, EventFacts.of(warning.sentence()));
                }
            });
            known.forEach((subject, warning) -> {
                if (!now.containsKey(subject)) {
                    notes.note(EventType.HEALTH_CHANGED, subject, EventFacts.of("over: " + warning.sentence()));
                }
            });
            known = now;
        } catch (IOException | RuntimeException e) {
            LOG.atDebug().setCause(e).log("The node's warnings could not be looked at");
        }
    }

    private static String subject(HealthWarning warning) {
        return warning.subject().isEmpty() ? warning.code() : warning.code() + " " + warning.subject();
    }

    private static EventType type(HealthWarning warning) {
        if (warning.code().equals(WarningCode.CERTIFICATE.word())) {
            return EventType.CERTIFICATE_ENDING;
        } else if (warning.code().equals(WarningCode.FORECAST.word())) {
            return EventType.DISK_FORECAST;
        }
        return AWAY.contains(warning.code()) ? EventType.SUBSCRIPTION_AWAY : EventType.HEALTH_CHANGED;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
