package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.it.scenario.Scenario;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.kafkatestkit.KafkaSecurity;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.ProcessChain.Part;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A topic of Kafka gets every event of every node, in order by transfer, though nodes are killed and Kafka is down. */
@Tag("kafka")
class EventTopicIT extends Scenario {
    private static final String TOPIC = "the.events";
    private static final int PARTITIONS = 3;

    /** Reads the topic from its begin on. */
    private static final class Reader implements AutoCloseable {
        private final KafkaConsumer<String, String> consumer;
        private final List<ConsumerRecord<String, String>> records = new ArrayList<>();
        private final List<JsonNode> events = new ArrayList<>();

        Reader(Map<String, Object> client) {
            Map<String, Object> properties = new HashMap<>(client);
            properties.put("auto.offset.reset", "earliest");
            properties.put("group.id", "the-test");
            consumer = new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
            consumer.subscribe(List.of(TOPIC));
        }

        /** All so far, those of one partition in their order. */
        List<JsonNode> events() throws Exception {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                records.add(record);
                events.add(Json.tree(record.value().getBytes(StandardCharsets.UTF_8)));
            }
            return events;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    private static Map<String, Object> client(KafkaCluster cluster, Map<String, String> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", cluster.bootstrap());
        return properties;
    }

    private static void makeTopic(Map<String, Object> client) throws Exception {
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty())))
                    .all()
                    .get();
        }
    }

    private void toTopic(KafkaCluster cluster, String... more) {
        for (Part part : Part.values()) {
            chain.with(part, "--events-kafka", cluster.bootstrap() + "/" + TOPIC);
            chain.with(part, more);
        }
    }

    private static int first(List<JsonNode> events, String node, String name, String type) {
        for (int i = 0; i < events.size(); i++) {
            JsonNode event = events.get(i);
            if (event.at("/data/node").asText().equals(node)
                    && event.at("/data/name").asText().equals(name)
                    && event.get("type").asText().equals("io.hawser." + type)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean haveAll(List<JsonNode> events, List<String> names) {
        return names.stream()
                .allMatch(name -> first(events, "agent-a", name, "delivered") >= 0
                        && first(events, "broker", name, "delivered") >= 0
                        && first(events, "agent-b", name, "delivered") >= 0);
    }

    @Test
    void eachEventComesAtLeastOnceAndInOrder() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start(Files.createDirectory(directory.resolve("kafka")), 1)) {
            makeTopic(client(cluster, Map.of()));
            toTopic(cluster);
            chain.startAll();
            Path source = sample("source", 1000, 1);
            List<String> names = new ArrayList<>();
            for (int round = 0; round < 6; round++) {
                if (round % 2 == 1) {
                    cluster.kill(0);
                }
                for (int i = 0; i < 3; i++) {
                    String name = "r" + round + "-" + i;
                    upload(source, name);
                    names.add(name);
                }
                awaitDelivered(source, names.get(names.size() - 1));
                Part killed = List.of(Part.values()).get(round % Part.values().length);
                chain.kill(killed); // what was just done is not told yet
                chain.start(killed);
                if (round % 2 == 1) {
                    Part other = List.of(Part.values()).get((round + 1) % Part.values().length);
                    await("the warning").until(() -> page(other, "/health").contains("events wait for kafka: "));
                    cluster.restart(0);
                }
            }
            try (Reader reader = new Reader(client(cluster, Map.of()))) {
                await("all events").until(() -> haveAll(reader.events(), names));
                assertOrder(reader.events, names);
                for (int i = 0; i < reader.events.size(); i++) {
                    assertThat(reader.records.get(i).key())
                            .isEqualTo(reader.events.get(i).get("subject").asText());
                }
            }
            for (Part part : Part.values()) {
                await("no warning").until(() -> !page(part, "/health").contains("events wait for kafka"));
            }
        }
    }

    private static void assertOrder(List<JsonNode> events, List<String> names) {
        for (String name : names) {
            assertThat(first(events, "agent-a", name, "accepted")).as(name).isGreaterThanOrEqualTo(0);
            assertThat(first(events, "agent-a", name, "delivered"))
                    .as(name)
                    .isGreaterThan(first(events, "agent-a", name, "accepted"));
            assertThat(first(events, "broker", name, "brokered")).as(name).isGreaterThanOrEqualTo(0);
            assertThat(first(events, "broker", name, "delivered"))
                    .as(name)
                    .isGreaterThan(first(events, "broker", name, "brokered"));
            assertThat(first(events, "agent-b", name, "landed")).as(name).isGreaterThanOrEqualTo(0);
            assertThat(first(events, "agent-b", name, "delivered"))
                    .as(name)
                    .isGreaterThan(first(events, "agent-b", name, "landed"));
        }
    }

    @Test
    void whatIsMissingIsSaidAndMendedWithoutARestart() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start(Files.createDirectory(directory.resolve("kafka")), 1)) {
            toTopic(cluster);
            chain.startAll();
            Path source = sample("source", 1000, 1);
            upload(source, "one");
            await("the warning")
                    .until(() -> page(Part.BROKER, "/health").contains("has no topic " + TOPIC + ": make it"));

            makeTopic(client(cluster, Map.of()));

            try (Reader reader = new Reader(client(cluster, Map.of()))) {
                await("all events").until(() -> haveAll(reader.events(), List.of("one")));
            }
        }
    }

    @Test
    void eventsGoByTlsAndWithAPassword() throws Exception {
        KafkaSecurity security = KafkaSecurity.make(directory.resolve("keys"), "hawser", "the right one");
        try (KafkaCluster cluster =
                KafkaCluster.startSecured(Files.createDirectory(directory.resolve("kafka")), 1, security)) {
            makeTopic(client(cluster, security.clientProperties()));
            toTopic(cluster); // says nothing of TLS
            chain.startAll();
            Path source = sample("source", 1000, 1);
            upload(source, "one");
            for (Part part : Part.values()) {
                await("the warning").until(() -> page(part, "/health").contains("wants TLS, and not PLAINTEXT"));
                assertThat(chain.stop(part)).isZero();
                chain.plain(part);
            }

            toTopic(cluster, "--events-kafka-properties", properties(security).toString());
            chain.startAll();
            upload(source, "two");

            try (Reader reader = new Reader(client(cluster, security.clientProperties()))) {
                await("all events").until(() -> haveAll(reader.events(), List.of("one", "two")));
            }
        }
    }

    private Path properties(KafkaSecurity security) throws Exception {
        Properties lines = new Properties();
        lines.putAll(security.clientProperties());
        Path file = directory.resolve("client.properties");
        try (OutputStream out = Files.newOutputStream(file)) {
            lines.store(out, null);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }
}
