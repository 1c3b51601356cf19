package io.hawser.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ops.testkit.WebhookReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Where the nodes send their events; each has an address of its own. Thread: any. */
final class EventInbox implements AutoCloseable {
    private final WebhookReceiver receiver;
    private final Path secret;
    private final Map<String, EventReceipts> receipts = new ConcurrentHashMap<>();

    /** @param secret the file for what signs the events, which is made */
    EventInbox(Path secret) throws IOException {
        this.secret = secret;
        Files.writeString(secret, WebhookReceiver.secretText() + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        receiver = new WebhookReceiver(this::take);
    }

    private void take(String path, JsonNode event) {
        String node = path.substring(path.lastIndexOf('/') + 1);
        receipts.computeIfAbsent(node, any -> new EventReceipts())
                .take(
                        event.get("source").asText(),
                        event.at("/data/sequence").asLong(),
                        event.get("id").asText());
    }

    /** What a node is started with so that it sends its events here. */
    List<String> flags(String node) {
        receipts.computeIfAbsent(node, any -> new EventReceipts());
        return List.of("--webhook", receiver.url() + "/" + node, "--webhook-secret-file", secret.toString());
    }

    /** By node, those that were told to send. */
    Map<String, EventReceipts> receipts() {
        return new TreeMap<>(receipts);
    }

    /** Signatures that were wrong. */
    List<String> wrong() {
        return List.copyOf(receiver.wrong);
    }

    @Override
    public void close() {
        receiver.close();
    }
}
