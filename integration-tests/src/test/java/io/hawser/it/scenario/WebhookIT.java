package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ops.testkit.WebhookReceiver;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A webhook gets every event of every node, signed, though nodes are killed and the receiver is down. */
class WebhookIT extends Scenario {
    private static boolean is(JsonNode event, String node, String name, String type) {
        return event.at("/data/node").asText().equals(node)
                && event.at("/data/name").asText().equals(name)
                && event.get("type").asText().equals("io.hawser." + type);
    }

    private static int first(List<JsonNode> events, String node, String name, String type) {
        for (int i = 0; i < events.size(); i++) {
            if (is(events.get(i), node, name, type)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void eachEventComesAtLeastOnceAndInOrder() throws Exception {
        Path secret = directory.resolve("secret");
        Files.writeString(secret, WebhookReceiver.secretText() + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            for (Part part : Part.values()) {
                chain.with(part, "--webhook", receiver.url().toString(), "--webhook-secret-file", secret.toString());
            }
            chain.startAll();
            Path source = sample("source", 1000, 1);
            List<String> names = new ArrayList<>();
            for (int round = 0; round < 6; round++) {
                receiver.status = round % 2 == 0 ? 204 : 503;
                for (int i = 0; i < 3; i++) {
                    String name = "r" + round + "-" + i;
                    upload(source, name);
                    names.add(name);
                }
                awaitDelivered(source, names.get(names.size() - 1));
                Part killed = List.of(Part.values()).get(round % Part.values().length);
                chain.kill(killed); // what was just done is not told yet
                chain.start(killed);
            }
            receiver.status = 204;

            await("all events").until(() -> names.stream()
                    .allMatch(name -> first(receiver.received, "agent-a", name, "delivered") >= 0
                            && first(receiver.received, "broker", name, "delivered") >= 0
                            && first(receiver.received, "agent-b", name, "delivered") >= 0));
            List<JsonNode> events = List.copyOf(receiver.received);
            for (String name : names) {
                assertThat(first(events, "agent-a", name, "accepted")).as(name).isGreaterThanOrEqualTo(0);
                assertThat(first(events, "agent-a", name, "delivered"))
                        .as(name)
                        .isGreaterThan(first(events, "agent-a", name, "accepted"));
                assertThat(first(events, "broker", name, "delivered"))
                        .as(name)
                        .isGreaterThan(first(events, "broker", name, "brokered"));
                assertThat(first(events, "agent-b", name, "delivered"))
                        .as(name)
                        .isGreaterThan(first(events, "agent-b", name, "landed"));
            }
            assertThat(receiver.wrong).isEmpty();
            assertThat(events)
                    .filteredOn(event -> event.at("/data/key").isTextual())
                    .extracting(event -> event.get("type").asText())
                    .allMatch(
                            Set.of(
                                    "io.hawser.accepted",
                                    "io.hawser.brokered",
                                    "io.hawser.landed",
                                    "io.hawser.delivered")::contains);
        }
    }
}
