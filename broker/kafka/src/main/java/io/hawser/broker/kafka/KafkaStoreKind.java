package io.hawser.broker.kafka;

import io.hawser.broker.StoreKind;
import io.hawser.broker.StoreOpener;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.kafka.KafkaPropertiesFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** {@code --store kafka}. Nothing of Kafka is loaded before the store is opened. */
public final class KafkaStoreKind implements StoreKind {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,200}");

    private static final ConfigKey<String> BOOTSTRAP = new ConfigKey<>(
            "kafka-bootstrap",
            "HOST:PORT[,…]",
            null,
            "",
            "where the Kafka cluster is found, with --store kafka",
            KafkaStoreKind::bootstrap);
    private static final ConfigKey<Path> PROPERTIES = ConfigKey.path(
            "kafka-properties",
            "FILE",
            null,
            "properties for Kafka's clients, such as security.protocol and SASL or TLS");
    private static final ConfigKey<String> TOPICS = new ConfigKey<>(
            "kafka-name",
            "NAME",
            KafkaStoreConfig.DEFAULT_NAME,
            "",
            "what topics and group are called after: NAME-journal, NAME-payload, NAME-events; brokers of one name share one store",
            KafkaStoreKind::name);
    private static final ConfigKey<Integer> PARTITIONS = ConfigKey.integer(
            "kafka-partitions",
            KafkaStoreConfig.DEFAULT_PARTITIONS,
            1,
            1_000,
            "how many partitions the topic of payloads gets when it is made");
    private static final ConfigKey<Boolean> DEVELOPMENT = ConfigKey.toggle(
            "kafka-development",
            "take a cluster of one node, and topics with one copy: what is acknowledged may be lost with that node");

    private static String bootstrap(String text) {
        for (String address : text.split(",", -1)) {
            HostPort.parse(address.strip());
        }
        return text.replace(" ", "");
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' cannot begin the name of a topic of Kafka");
        }
        return text;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(BOOTSTRAP, PROPERTIES, TOPICS, PARTITIONS, DEVELOPMENT);
    }

    @Override
    public StoreOpener opener(Config config, HostPort listen, LocalStoreConfig limits) {
        String bootstrap = config.find(BOOTSTRAP)
                .orElseThrow(() -> new ConfigException("--store kafka needs " + BOOTSTRAP.flag() + " HOST:PORT"));
        Map<String, String> properties = config.find(PROPERTIES)
                .map(file -> KafkaPropertiesFile.read(PROPERTIES.flag(), file))
                .orElse(Map.of());
        KafkaStoreConfig settings = new KafkaStoreConfig(
                bootstrap,
                properties,
                config.get(TOPICS),
                config.get(PARTITIONS),
                config.get(DEVELOPMENT),
                KafkaStoreConfig.DEFAULT_SEGMENT_RECORDS,
                limits,
                GroupInstanceId.unreachable());
        return new KafkaStoreOpener(settings, listen);
    }
}
