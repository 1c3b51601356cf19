package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.SettingNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TuningKeysTest {
    @Test
    void congestionControlThatTheKernelDoesNotOfferIsAnError() {
        assumeTrue(Files.exists(Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control")));
        assertThatThrownBy(() -> Config.of(
                        "broker",
                        TuningKeys.all(),
                        Map.of("congestion", "xyz"),
                        Map.of(),
                        Map.of(),
                        new SettingNames(Map.of("broker", TuningKeys.all()))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("--congestion: ", "'xyz'", "reno");
    }
}
