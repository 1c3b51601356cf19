package io.hawser.ops.steer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.config.HostPort;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cancel that waits for a far end holds up no other page, and is answered by the far end's word. */
class SteeringWaitTest {
    private static final Duration LIMIT = Duration.ofSeconds(TestTimes.SECONDS);
    private static final String KEY = "k";

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Runnable> afterEvents = new CopyOnWriteArrayList<>();
    private volatile String state = "committed";
    private AdminServer server;

    private final TransferSteering node = new TransferSteering() {
        @Override
        public List<SteeringAction> actions() {
            return List.of(SteeringAction.CANCEL);
        }

        @Override
        public List<TransferStatus> find(SteeringFilter filter, int limit) {
            return List.of(transfer());
        }

        @Override
        public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
            state = "cancelling";
            return CompletableFuture.completedFuture(Map.of(KEY, ""));
        }
    };

    private TransferStatus transfer() {
        return new TransferStatus(
                KEY, new TransferStatus.TransferredObject("t", "a", "file", 5, 5), state, 0, List.of(), List.of());
    }

    private void start(Duration endLimit) throws Exception {
        NodePages pages = new NodePages(() -> Health.of(true, "broker", Map.of()), new NodeMetrics())
                .transfers("broker", (text, limit) -> List.of(transfer()));
        server = AdminServer.start(
                new HostPort("127.0.0.1", 0),
                pages.pages(),
                new SteeringPages(node, Audit.NONE, afterEvents::add, endLimit).pages(),
                null,
                AdminGuard.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static SteeringResult result(HttpResponse<String> answer) throws Exception {
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), SteeringResult.class);
    }

    @Test
    void pagesAnswerWhileACancelWaitsForItsFarEnd() throws Exception {
        start(LIMIT.multipliedBy(10));
        CompletableFuture<HttpResponse<String>> cancel = send("POST", "/transfers/cancel?key=" + KEY);
        await().atMost(LIMIT).until(() -> state.equals("cancelling"));

        assertThat(get("/health")).contains("broker");
        assertThat(get("/transfers")).contains("cancelling");
        afterEvents.forEach(Runnable::run); // of another transfer
        assertThat(get("/transfers")).contains("cancelling");
        assertThat(cancel).isNotDone();

        state = "cancelled";
        afterEvents.forEach(Runnable::run);
        HttpResponse<String> answer = cancel.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(result(answer).changed())
                .extracting(SteeringResult.Changed::now)
                .containsExactly("cancelled");
    }

    @Test
    void aCancelWithoutAnAnswerEndsAtTheLimitAndSaysSo() throws Exception {
        start(Duration.ofMillis(20));

        HttpResponse<String> answer =
                send("POST", "/transfers/cancel?key=" + KEY).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(result(answer).changed())
                .extracting(SteeringResult.Changed::now)
                .containsExactly("cancelling");
    }
}
