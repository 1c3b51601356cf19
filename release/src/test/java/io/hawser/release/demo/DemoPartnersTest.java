package io.hawser.release.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.SettingNames;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags of the demo over Kafka, given without what gives them an effect. */
class DemoPartnersTest {
    @ParameterizedTest
    @CsvSource({
        "local, kafka-bootstrap, --store kafka",
        "local, kafka-properties, --store kafka",
        "kafka, kafka-properties, --kafka-bootstrap"
    })
    void flagWithoutItsPartnerIsAnError(String store, String flag, String partner) {
        DemoCommand command = new DemoCommand();
        Config config = Config.of(
                "demo",
                command.keys(),
                Map.of("store", store, flag, "nowhere:9092"),
                Map.of(),
                Map.of(),
                new SettingNames(Map.of("demo", command.keys())));

        assertThatThrownBy(() -> command.configure(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--" + flag + " needs " + partner);
    }
}
