package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.SettingNames;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags that mean nothing without another one. */
class AgentBPartnersTest {
    @ParameterizedTest
    @CsvSource({
        "proxy-user, --proxy",
        "proxy-password-file, --proxy",
        "host-cert, gsiftp://",
        "host-key, gsiftp://",
        "trusted-cas, gsiftp://"
    })
    void flagWithoutItsPartnerIsAnError(String flag, String partner) {
        AgentBCommand command = new AgentBCommand();
        Map<String, String> flags = new HashMap<>(Map.of("subscribe", "site-b", "into", "/in", "admin", "off"));
        flags.put(flag, "/no/such/file");
        Config config = Config.of(
                "agent-b",
                command.keys(),
                flags,
                Map.of(),
                Map.of(),
                new SettingNames(Map.of("agent-b", command.keys())));

        assertThatThrownBy(() -> command.configure(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("--" + flag + " needs", partner);
    }
}
