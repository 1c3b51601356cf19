package io.hawser.ops.event;

import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends each event by POST as CloudEvents 1.0, signed as Standard Webhooks says if there is a secret, one after the other. An answer of 2xx
 * within {@value #ANSWER_SECONDS} s is success; redirects are not followed.
 *
 * <p>Thread: {@code hawser-events-to-webhook}.
 */
final class Webhook implements EventReceiver {
    private static final String CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";
    private static final int CONNECT_SECONDS = 10;
    private static final int ANSWER_SECONDS = 20;
    private static final int GOOD = 2;
    private static final int HUNDRED = 100;

    private final URI url;
    private final @Nullable WebhookSignature signature;
    private final String node;
    private final EventLog log;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private volatile String problem = "";

    /** @param node the node's name */
    Webhook(URI url, @Nullable WebhookSignature signature, String node, EventLog log) {
        this.url = url;
        this.signature = signature;
        this.node = node;
        this.log = log;
    }

    @Override
    public String name() {
        return "webhook";
    }

    @Override
    public boolean wants(Event event) {
        return true;
    }

    @Override
    public int deliver(List<Event> events) throws InterruptedException {
        for (int i = 0; i < events.size(); i++) {
            if (!post(events.get(i))) {
                return i;
            }
        }
        problem = "";
        return events.size();
    }

    private boolean post(Event event) throws InterruptedException {
        CloudEvent json = CloudEvent.of(event, node, log.id());
        byte[] body = Json.line(json).getBytes(StandardCharsets.UTF_8);
        long epochSeconds = System.currentTimeMillis() / 1000;
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(ANSWER_SECONDS))
                .header("Content-Type", CONTENT_TYPE)
                .header("User-Agent", "hawser")
                .header("webhook-id", json.id())
                .header("webhook-timestamp", Long.toString(epochSeconds))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        WebhookSignature signs = signature;
        if (signs != null) {
            request.header("webhook-signature", signs.sign(json.id(), epochSeconds, body));
        }
        try {
            int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status / HUNDRED == GOOD) {
                return true;
            }
            problem = url.getHost() + " answered " + status;
        } catch (IOException | IllegalArgumentException e) {
            problem = url.getHost() + " cannot be reached: "
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
        return false;
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        // The interrupt of its thread ends what is being sent.
    }
}
