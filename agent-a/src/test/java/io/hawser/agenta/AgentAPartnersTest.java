package io.hawser.agenta;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.SettingNames;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags that mean nothing without another one. */
class AgentAPartnersTest {
    private static void configure(Map<String, String> flags) {
        AgentACommand command = new AgentACommand();
        Map<String, String> all = new HashMap<>(flags);
        all.put("admin", "off");
        command.configure(Config.of(
                "agent-a",
                command.keys(),
                all,
                Map.of(),
                Map.of(),
                new SettingNames(Map.of("agent-a", command.keys()))));
    }

    @ParameterizedTest
    @CsvSource({
        "proxy-user, --proxy",
        "proxy-password-file, --proxy",
        "host-cert, --grid-mapfile",
        "host-key, --grid-mapfile",
        "trusted-cas, --grid-mapfile",
        "delegate-to, --grid-mapfile"
    })
    void flagWithoutItsPartnerIsAnError(String flag, String partner) {
        assertThatThrownBy(() -> configure(Map.of(flag, "/no/such/file")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("--" + flag + " needs", partner);
    }

    @ParameterizedTest
    @CsvSource({"proxy-password-file, --proxy-user"})
    void proxyThatIsToldNoUserTakesNoPassword(String flag, String partner) {
        assertThatThrownBy(() -> configure(Map.of("proxy", "127.0.0.1:3128", flag, "/no/such/file")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("--" + flag + " needs", partner);
    }
}
