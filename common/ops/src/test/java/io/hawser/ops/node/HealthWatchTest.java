package io.hawser.ops.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthWatchTest {
    private List<HealthWarning> warnings = List.of();
    private final List<String> noted = new ArrayList<>();

    private HealthWatch watch() {
        return new HealthWatch(
                () -> Health.of(true, "test", Map.of()).with(warnings),
                (type, subject, facts) -> noted.add(type.word() + " | " + subject + " | " + facts.reason()));
    }

    @Test
    void aWarningIsAnEventWhenItComesAndWhenItGoes() {
        try (HealthWatch watch = watch()) {
            watch.look();
            warnings = List.of(
                    WarningCode.CERTIFICATE.says("it ends in 9 days"),
                    WarningCode.STALLED_SUBSCRIPTION.about("b", "its consumer is away"),
                    WarningCode.FORECAST.says("full in 40 min"),
                    WarningCode.LOG_DAMAGED.says("a place is damaged"));
            watch.look();
            watch.look();
            assertThat(noted)
                    .containsExactly(
                            "certificate-ending | certificate | it ends in 9 days",
                            "subscription-away | stalled.subscription b | its consumer is away",
                            "disk-forecast | forecast | full in 40 min",
                            "health-changed | log.damaged | a place is damaged");
            noted.clear();
            warnings = warnings.subList(1, 4);
            watch.look();
            assertThat(noted).containsExactly("health-changed | certificate | over: it ends in 9 days");
        }
    }
}
