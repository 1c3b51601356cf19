package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.access.Access;
import io.hawser.core.config.HostPort;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {
    private static final HostPort ANY = new HostPort("127.0.0.1", 0);
    private static final int HALF_REQUESTS = 1000;
    /** How long an honest caller waits: less than the server gives callers that say nothing. */
    private static final int PATIENCE_MILLIS =
            (int) TestTimes.scaled(Duration.ofSeconds(3)).toMillis();

    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final NodeMetrics metrics = new NodeMetrics();
    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        NodePages pages = new NodePages(() -> Health.of(healthy.get(), "broker", Map.of("a", "b")), metrics)
                .transfers("broker", (text, limit) -> IntStream.range(0, Math.min(limit, 150))
                        .mapToObj(i -> transfer(text + i))
                        .toList())
                .json("/broken", query -> {
                    throw new IOException("the index is gone");
                });
        server = AdminServer.start(ANY, pages.pages(), Map.of(), null, AdminGuard.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static TransferStatus transfer(String name) {
        HopStatus hop = new HopStatus(HopStatus.PUBLISHER_TO_BROKER, "sending", new HopStatus.Bytes(1, 3, 2, 4, 0), "");
        return new TransferStatus(
                "k", new TransferredObject("t", name, "file", 10, 1), "receiving", 5, List.of(hop), List.of());
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws Exception {
        return Json.tree(send("GET", path).body().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void pagesAreExchangedWhileItListens() throws Exception {
        server.show(new NodePages(() -> Health.of(true, "broker", Map.of("a", "other")), metrics).pages(), Map.of());

        assertThat(json("/health").get("detail").get("a").asText()).isEqualTo("other");
        assertThat(send("GET", "/broken").statusCode()).isEqualTo(404);
    }

    @Test
    void healthIs200OrElse503() throws Exception {
        assertThat(json("/health").get("ok").asBoolean()).isTrue();
        healthy.set(false);
        HttpResponse<String> answer = send("GET", "/health");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("\"ok\" : false");
    }

    @Test
    void metricsArePrometheusText() throws Exception {
        metrics.counters("hawser_acks_total", "Acks.", () -> List.of(new NodeMetrics.Sample(Map.of("hop", "in"), 3)));
        HttpResponse<String> answer = send("GET", "/metrics");
        assertThat(answer.body()).contains("hawser_acks_total{hop=\"in\"} 3.0");
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(v -> assertThat(v).startsWith("text/plain; version=0.0.4"));
    }

    @Test
    void transfersAreLimitedAndSayThatThereAreMore() throws Exception {
        assertThat(json("/transfers").get("transfers")).hasSize(100);
        assertThat(json("/transfers").get("truncated").asBoolean()).isTrue();
        JsonNode some = json("/transfers?limit=200&key=a%20b");
        assertThat(some.get("transfers")).hasSize(150);
        assertThat(some.get("truncated").asBoolean()).isFalse();
        assertThat(some.at("/transfers/0/name").asText()).isEqualTo("a b0");
        assertThat(some.at("/transfers/0/hops/0/resentBytes").asLong()).isEqualTo(2);
    }

    @Test
    void theNewestTransferIsFirst() throws IOException {
        List<String> keys = List.of("n-01a0", "m-01ff", "n-01b0");
        AdminPage page = new NodePages(() -> Health.of(true, "broker", Map.of()), metrics)
                .transfers("broker", (text, limit) -> keys.stream()
                        .map(key -> new TransferStatus(
                                key,
                                new TransferredObject("t", "f", "file", 10, 1),
                                "delivered",
                                5,
                                List.of(),
                                List.of()))
                        .toList())
                .pages()
                .get("/transfers");
        assertThat(page).isNotNull();
        String body = page.get(Map.of()).body();
        assertThat(body.indexOf("m-01ff")).isPositive().isLessThan(body.indexOf("n-01b0"));
        assertThat(body.indexOf("n-01b0")).isLessThan(body.indexOf("n-01a0"));
    }

    @Test
    void aPageOfJsonIsReadBackAsItWas() throws Exception {
        TransferPage page = new TransferPage("broker", List.of(transfer("x")), false, 0, List.of());
        assertThat(Json.read(Json.bytes(page), TransferPage.class)).isEqualTo(page);
    }

    @Test
    void badRequestsGetClearAnswers() throws Exception {
        assertThat(send("GET", "/transfers?limit=0").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/nothing").body()).contains("/health", "/metrics", "/transfers");
        HttpResponse<String> post = send("POST", "/health");
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).hasValue("GET, HEAD");
        assertThat(send("GET", "/broken").statusCode()).isEqualTo(500);
        assertThat(send("GET", "/broken").body()).contains("the index is gone");
        assertThat(send("HEAD", "/health").statusCode()).isEqualTo(200);
        assertThat(server.requests().samples())
                .contains(new NodeMetrics.Sample(Map.of("page", "/health", "status", "2xx"), 1))
                .contains(new NodeMetrics.Sample(Map.of("page", "/health", "status", "4xx"), 1))
                .contains(new NodeMetrics.Sample(Map.of("page", "/broken", "status", "5xx"), 2))
                .contains(new NodeMetrics.Sample(Map.of("page", "other", "status", "4xx"), 2));
    }

    @Test
    void aTakenPortIsNamed() {
        assertThatThrownBy(() -> AdminServer.start(server.address(), Map.of(), Map.of(), null, AdminGuard.DEFAULT))
                .isInstanceOf(BindException.class)
                .hasMessageContaining(server.address().toString())
                .hasMessageContaining("--admin");
    }

    @Test
    void callersWhoDoNotFinishTheirRequestHoldUpNobodyAndAreClosed() throws Exception {
        byte[] helloOfTls = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                Socket socket =
                        new Socket(server.address().host(), server.address().port());
                socket.setSoTimeout(TestTimes.MILLIS);
                idle.add(socket);
                socket.getOutputStream().write(i % 2 == 0 ? "GE".getBytes(StandardCharsets.US_ASCII) : helloOfTls);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(send("GET", "/health").statusCode()).isEqualTo(200);
            }
            for (Socket socket : idle) {
                assertThat(isClosed(socket)).isTrue();
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** Half a request line, half of the headers, nothing at all; from the address of the honest caller and from others. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2"})
    void healthAnswersWhileAThousandHalfRequestsHang(String attacker) throws Exception {
        List<String> halves = List.of("GET /hea", "GET /health HTTP/1.1\r\nHost: localhost\r\nA: b", "");
        String honest = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        assertThat(ask(server, honest)).startsWith("HTTP/1.1 200 "); // its classes are loaded
        List<Socket> hanging = new ArrayList<>();
        try {
            for (int i = 0; i < HALF_REQUESTS; i++) {
                Socket socket = new Socket();
                hanging.add(socket);
                socket.bind(new InetSocketAddress(attacker, 0));
                socket.connect(
                        new InetSocketAddress("127.0.0.1", server.address().port()), PATIENCE_MILLIS);
                socket.getOutputStream().write(halves.get(i % halves.size()).getBytes(StandardCharsets.US_ASCII));
                if (i % 100 == 99) {
                    assertThat(ask(server, honest)).startsWith("HTTP/1.1 200 ");
                }
            }
            long fastestNanos = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                long begin = System.nanoTime();
                assertThat(ask(server, honest)).startsWith("HTTP/1.1 200 ");
                fastestNanos = Math.min(fastestNanos, System.nanoTime() - begin);
            }
            assertThat(Duration.ofNanos(fastestNanos)).isLessThan(Duration.ofMillis(100));
        } finally {
            for (Socket socket : hanging) {
                socket.close();
            }
        }
    }

    /** Whether the other end closes it, before the socket's timeout. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes(); // half a request is answered with 408
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true; // reset, since what it sent was never read
        }
    }

    /** A web page whose name was made to point to 127.0.0.1 (DNS rebinding); the JDK's client sets no such header. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "127.0.0.1.evil.example",
                "localhost.evil.example:80",
                "1.2.3.4.5",
                "x\r\nHost: localhost"
            })
    void requestsForAnotherHostAreRefused(String host) throws Exception {
        String answer = ask(server, "GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 421 ")
                .contains("request localhost")
                .doesNotContain("broker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]", "[::1]:80", "a.localhost", "10.0.0.7:99"})
    void requestsForThisMachineAreAnswered(String host) throws Exception {
        String answer = ask(server, "GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void programsThatNameNoHostAreAnswered() throws Exception {
        assertThat(ask(server, "GET /health HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void tokenIsGoodForEveryHost(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("token");
        Files.writeString(file, "0123456789abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        AdminGuard guard = new AdminGuard(AdminToken.open(file), certificate -> Access.OPEN, Audit.NONE);
        NodePages pages = new NodePages(() -> Health.of(true, "broker", Map.of()), metrics);
        try (AdminServer guarded = AdminServer.start(ANY, pages.pages(), Map.of(), null, guard)) {
            String request = "GET /health HTTP/1.1\r\nHost: ops.example\r\nConnection: close\r\n";

            assertThat(ask(guarded, request + "\r\n")).startsWith("HTTP/1.1 421 ");
            assertThat(ask(guarded, request + "Authorization: Bearer 0123456789abcdef\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(guarded.requests().logins())
                    .extracting(NodeMetrics.Sample::value)
                    .containsExactly(1.0, 1.0);
        }
    }

    private static String ask(AdminServer server, String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress("127.0.0.1", server.address().port()), PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
