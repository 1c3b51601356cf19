package io.hawser.ops.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A receiver of webhooks that checks their signatures with the library of Standard Webhooks. */
public final class WebhookReceiver implements AutoCloseable {
    public static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** The events that were answered with success, in their order. */
    public final List<JsonNode> received = new CopyOnWriteArrayList<>();
    /** Signatures that are wrong. */
    public final List<String> wrong = new CopyOnWriteArrayList<>();
    /** When each request came, milliseconds of a steady clock. */
    public final List<Long> askedMillis = new CopyOnWriteArrayList<>();
    /** What is answered. */
    public volatile int status = 204;
    /** The value of {@code Retry-After} in answers; empty for none. */
    public volatile String retryAfter = "";
    /** What is not answered with {@link #status} but with {@link #refusal}. */
    public volatile Predicate<JsonNode> refused = event -> false;

    public volatile int refusal = 413;

    private final HttpServer server;
    private final @Nullable Sink sink;

    /** Takes an event that was answered with success. */
    @FunctionalInterface
    public interface Sink {
        /** @param path of the address that it was sent to */
        void take(String path, JsonNode event);
    }

    /** Keeps what it receives. */
    public WebhookReceiver() throws IOException {
        this(null);
    }

    /** Gives {@code sink} what it receives, one after the other, before it answers; null keeps it. */
    public WebhookReceiver(@Nullable Sink sink) throws IOException {
        this.sink = sink;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hook", this::take);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    public static String secretText() {
        return "whsec_" + Base64.getEncoder().encodeToString(SECRET);
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        askedMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        int answer = refused.test(Json.tree(body)) ? refusal : status;
        if (answer / 100 == 2) {
            String id = exchange.getRequestHeaders().getFirst("webhook-id");
            String time = exchange.getRequestHeaders().getFirst("webhook-timestamp");
            String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
            String text = new String(body, StandardCharsets.UTF_8);
            JsonNode event = Json.tree(body);
            if (!isSigned(id, time, signature, text)
                    || !id.equals(event.get("id").asText())) {
                wrong.add(signature);
            }
            if (sink == null) {
                received.add(event);
            } else {
                sink.take(exchange.getRequestURI().getPath(), event);
            }
        }
        if (!retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
        }
        exchange.sendResponseHeaders(answer, -1);
        exchange.close();
    }

    /** By the standard's own library. Where the clocks of nodes jump only the signature counts, not the time. */
    private boolean isSigned(String id, String time, String signature, String text) {
        try {
            Webhook standard = new Webhook(secretText());
            if (sink != null) {
                return standard.sign(id, Long.parseLong(time), text).equals(signature);
            }
            standard.verify(
                    text,
                    Map.of(
                            "webhook-id", List.of(id),
                            "webhook-timestamp", List.of(time),
                            "webhook-signature", List.of(signature)));
            return true;
        } catch (WebhookVerificationException | WebhookSigningException e) {
            return false;
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
