package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.BrokerCommand;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.SettingNames;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags of the store over Kafka, given to a broker with another store. */
class KafkaPartnersTest {
    @ParameterizedTest
    @CsvSource({"kafka-bootstrap, 127.0.0.1:9092", "kafka-properties, /no/such/file", "kafka-name, hawser"})
    void flagOfAnotherStoreIsAnError(String flag, String value) {
        BrokerCommand command = new BrokerCommand();
        Config config = Config.of(
                "broker",
                command.keys(),
                Map.of(flag, value, "admin", "off"),
                Map.of(),
                Map.of(),
                new SettingNames(Map.of("broker", command.keys())));

        assertThatThrownBy(() -> command.configure(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--" + flag + " needs --store kafka");
    }
}
