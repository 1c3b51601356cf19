package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.it.scenario.Scenario;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.observe.Json;
import io.hawser.ops.testkit.WebhookReceiver;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The broker's history lives in Kafka, and so does how far its receivers of events are. */
@Tag("kafka")
class KafkaHistoryIT extends Scenario {
    private static final int BEFORE = 25;

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private List<String> namesInHistory() {
        byte[] page =
                new AdminClient(chain.admin(Part.BROKER).orElseThrow(), null).get("/history", Map.of("limit", "1000"));
        List<String> names = new ArrayList<>();
        for (JsonNode row : tree(page).get("rows")) {
            names.add(row.get("name").asText());
        }
        return names;
    }

    private static JsonNode tree(byte[] json) {
        try {
            return Json.tree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aBrokerOnAnotherMachineHasTheHistoryAndOwesTheEvents() throws Exception {
        Path secret = directory.resolve("secret");
        Files.writeString(secret, WebhookReceiver.secretText() + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (KafkaCluster cluster = KafkaCluster.start(Files.createDirectory(directory.resolve("kafka")), 1);
                WebhookReceiver receiver = new WebhookReceiver()) {
            chain.withJvmOptions(Part.BROKER, NodeProcess.BROKER_OPTIONS)
                    .with(Part.BROKER, "--store", "kafka", "--kafka-bootstrap", cluster.bootstrap())
                    .with(Part.BROKER, "--kafka-development")
                    .with(Part.BROKER, "--webhook", receiver.url().toString())
                    .with(Part.BROKER, "--webhook-secret-file", secret.toString());
            chain.startAll();
            Path source = sample("source", 1000, 1);
            List<String> names = new ArrayList<>();
            upload(source, "first");
            names.add("first");
            await("the first event").until(() -> !receiver.received.isEmpty());
            receiver.status = 503;
            for (int i = 0; i < BEFORE; i++) {
                upload(source, "before-" + i);
                names.add("before-" + i);
            }
            await("all rows").until(() -> namesInHistory().size() == names.size());

            chain.kill(Part.BROKER);
            delete(chain.data(Part.BROKER));
            receiver.status = 204;
            chain.start(Part.BROKER);
            upload(source, "after");
            names.add("after");

            await("all rows").until(() -> namesInHistory().size() >= names.size());
            assertThat(namesInHistory()).containsExactlyInAnyOrderElementsOf(names);
            await("all events").until(() -> names.stream().allMatch(name -> receiver.received.stream()
                    .anyMatch(event -> event.at("/data/name").asText().equals(name)
                            && event.get("type").asText().equals("io.hawser.delivered"))));
            assertThat(receiver.wrong).isEmpty();

            assertThat(chain.stop(Part.BROKER)).isZero();
            chain.start(Part.BROKER);
            assertThat(namesInHistory())
                    .as("from the index beside the topic")
                    .containsExactlyInAnyOrderElementsOf(names);
            assertThat(chain.data(Part.BROKER).resolve("events/log")).doesNotExist();
        }
    }
}
