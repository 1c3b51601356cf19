package io.hawser.agenta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.SettingNames;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of what FTP clients may take. */
class FtpLimitKeysTest {
    private static FtpLimits limits(Map<String, String> flags, Map<String, String> file) {
        return FtpLimitKeys.limits(
                Config.of(
                        "agent-a",
                        FtpLimitKeys.all(),
                        flags,
                        Map.of(),
                        file,
                        new SettingNames(Map.of("agent-a", FtpLimitKeys.all()))),
                FtpLimits.defaults().times().custody());
    }

    @Test
    void defaultsAreThoseOfTheServer() {
        assertThat(limits(Map.of(), Map.of())).isEqualTo(FtpLimits.defaults());
    }

    @Test
    void eachIsAFlagAndALineOfTheFile() {
        Map<String, String> values = Map.of(
                "max-connections", "5",
                "max-connections-per-peer", "4",
                "max-connections-per-account", "3",
                "login-time", "2s",
                "login-delay", "0s",
                "max-login-failures", "7",
                "max-login-failures-per-peer", "8",
                "login-bar", "9m",
                "idle", "10m",
                "stall", "11s");
        FtpLimits most = FtpSettings.anonymous()
                .withConnections(5, 4, 3)
                .withIdleTime(Duration.ofMinutes(10))
                .withStallTime(Duration.ofSeconds(11))
                .limits();
        FtpLimits.Login login = new FtpLimits.Login(Duration.ofSeconds(2), Duration.ZERO, 7, 8, Duration.ofMinutes(9));
        FtpLimits expected = new FtpLimits(most.sessions(), most.commands(), login, most.times());

        assertThat(limits(values, Map.of())).isEqualTo(expected);
        assertThat(limits(Map.of(), values)).isEqualTo(expected);
        assertThat(values.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        FtpLimitKeys.all().stream().map(ConfigKey::name).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "max-connections,0,1 to 10000",
        "max-connections-per-peer,10001,1 to 10000",
        "max-connections-per-account,-1,1 to 10000",
        "login-time,2h,1s to 1h",
        "login-delay,61s,0s to 1m",
        "max-login-failures,101,1 to 100",
        "login-bar,8d,1s to 7d",
        "idle,999ms,1s to 7d",
        "stall,0s,1s to 7d"
    })
    void rangesAreChecked(String key, String value, String range) {
        assertThatThrownBy(() -> limits(Map.of(key, value), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--" + key)
                .hasMessageContaining(range);
    }
}
