package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.access.Access;
import io.hawser.core.config.HostPort;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.dashboard.LiveFeed;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page at {@code /}, its stream, and what web pages may change. */
class DashboardTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final int FIRST_VIEW_BYTES = 300 << 10;

    private final AtomicInteger changes = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        Path file = directory.resolve("token");
        Files.writeString(file, TOKEN);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        serve(AdminToken.open(file));
    }

    private void serve(AdminToken token) throws IOException {
        NodePages pages = new NodePages(() -> Health.of(true, "broker", Map.of()), new NodeMetrics())
                .transfers("broker", (text, limit) -> List.of(transfer()));
        AdminPage change = query -> new AdminPage.Answer(200, "text/plain", "change " + changes.incrementAndGet());
        server = AdminServer.start(
                new HostPort("127.0.0.1", 0),
                pages.pages(),
                Map.of("/transfers/drop", change),
                null,
                new AdminGuard(token, certificate -> Access.OPEN, Audit.NONE));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static TransferStatus transfer() {
        HopStatus hop = new HopStatus(
                HopStatus.PUBLISHER_TO_BROKER,
                "refused",
                new HopStatus.Bytes(1, 3, 2, 4, 0),
                "NO_SPACE: the disk is full",
                9_000);
        return new TransferStatus(
                "n-1",
                new TransferredObject("t", "<img src=x>\n", "file", 10, 1),
                "refused",
                5,
                List.of(hop),
                List.of());
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        return client.send(request(method, path, headers), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, String... headers) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(origin() + path)).method(method, HttpRequest.BodyPublishers.noBody());
        return headers.length == 0 ? builder.build() : builder.headers(headers).build();
    }

    private String origin() {
        return "http://" + server.address();
    }

    @Test
    void browsersGetThePageAndProgramsTheIndex() throws Exception {
        HttpResponse<String> page = send("GET", "/", "Accept", "text/html,application/xhtml+xml;q=0.9");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(page.body()).contains("<main");

        for (String accept : List.of("*/*", "text/plain", "application/json")) {
            assertThat(send("GET", "/", "Accept", accept).body()).startsWith("pages: /health");
        }
        assertThat(send("GET", "/").body()).startsWith("pages: ");
    }

    @Test
    void everyAnswerForbidsBrowsersWhatPagesDoNotNeed() throws Exception {
        for (HttpResponse<String> each : List.of(
                send("GET", "/", "Accept", "text/html"),
                send("GET", "/ui/app.js"),
                send("GET", "/transfers"),
                send("GET", "/nothing"),
                send("POST", "/transfers/drop", "Origin", "http://evil.example"))) {
            assertThat(each.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'")
                    .doesNotContain("unsafe");
            assertThat(each.headers().firstValue("X-Frame-Options")).hasValue("DENY");
            assertThat(each.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(each.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
            assertThat(each.headers().firstValue("Cross-Origin-Resource-Policy"))
                    .hasValue("same-origin");
        }
    }

    /** All that the page loads for its first view, as it is in the jar: compressed it is a third. */
    @Test
    void firstViewIsSmall() throws Exception {
        String html = send("GET", "/", "Accept", "text/html").body();
        List<String> paths = new ArrayList<>();
        Pattern.compile("(?:href|src)=\"(ui/[a-z.]+)\"")
                .matcher(html)
                .results()
                .forEach(found -> paths.add(found.group(1)));
        assertThat(paths).contains("ui/app.js", "ui/uplot.js", "ui/page.css");
        long bytes = html.length();
        for (int i = 0; i < paths.size(); i++) {
            HttpResponse<String> file = send("GET", "/" + paths.get(i));
            assertThat(file.statusCode()).as(paths.get(i)).isEqualTo(200);
            bytes += file.body().getBytes(StandardCharsets.UTF_8).length;
            Pattern.compile("from '\\./([a-z]+\\.js)'")
                    .matcher(file.body())
                    .results()
                    .map((MatchResult found) -> "ui/" + found.group(1))
                    .filter(found -> !paths.contains(found))
                    .forEach(paths::add);
        }
        assertThat(paths).contains("ui/detail.js", "ui/list.js");
        assertThat(bytes).isLessThan(FIRST_VIEW_BYTES);
    }

    @Test
    void fileThatTheBrowserHasIsNotSentAgain() throws Exception {
        String tag = send("GET", "/ui/app.js").headers().firstValue("ETag").orElseThrow();

        assertThat(send("GET", "/ui/app.js", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(send("GET", "/ui/app.js", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void filesOutsideTheListAreNotServed() throws Exception {
        for (String path :
                List.of("/ui/", "/ui/page.html", "/ui/../app.js", "/ui/%2e%2e/DashboardFiles.class", "/app.js")) {
            assertThat(send("GET", path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void sessionSaysWhatTheCallerMayDo() throws Exception {
        JsonNode machine = Json.tree(send("GET", "/session").body().getBytes(StandardCharsets.UTF_8));
        assertThat(machine.get("admittedBy").asText()).isEqualTo("machine");
        assertThat(machine.get("mayChange").asBoolean()).isFalse();
        assertThat(machine.get("takesToken").asBoolean()).isTrue();
        assertThat(machine.get("tokenFile").asText())
                .isEqualTo(directory.resolve("token").toString());
        assertThat(machine.get("pages")).anyMatch(each -> each.asText().equals("/live"));
        assertThat(machine.get("actions")).anyMatch(each -> each.asText().equals("/transfers/drop"));

        JsonNode operator = Json.tree(send("GET", "/session", "Authorization", "Bearer " + TOKEN)
                .body()
                .getBytes(StandardCharsets.UTF_8));
        assertThat(operator.get("mayChange").asBoolean()).isTrue();
        assertThat(operator.get("tokenFile").asText()).isEmpty();
    }

    @Test
    void liveStreamsTransfersWithReasonAndAdvice() throws Exception {
        HttpResponse<InputStream> stream = client.send(request("GET", "/live"), BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream; charset=utf-8");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            List<String> read = new ArrayList<>();
            for (String line = lines.readLine(); !line.equals("event: tick"); line = lines.readLine()) {
                read.add(line);
            }
            assertThat(read.get(0)).isEqualTo("event: snapshot");
            String rows = read.get(read.indexOf("event: rows") + 1);
            JsonNode row = Json.tree(rows.substring("data: ".length()).getBytes(StandardCharsets.UTF_8))
                    .get(0);
            assertThat(row.get("name").asText()).isEqualTo("<img src=x>\n");
            assertThat(row.at("/hops/0/reason").asText()).contains("the disk is full");
            assertThat(row.at("/hops/0/advice").asText()).contains("hawser quotas");
            assertThat(row.at("/hops/0/idleSinceEpochMillis").asLong()).isPositive();
        }
    }

    @Test
    void liveHasABoundedNumberOfViewers() throws Exception {
        List<HttpResponse<InputStream>> streams = new ArrayList<>();
        try {
            HttpResponse<InputStream> stream = client.send(request("GET", "/live"), BodyHandlers.ofInputStream());
            while (stream.statusCode() == 200) {
                streams.add(stream);
                assertThat(streams.size()).isLessThan(LiveFeed.MAX_ROWS);
                stream = client.send(request("GET", "/live"), BodyHandlers.ofInputStream());
            }
            assertThat(stream.statusCode()).isEqualTo(503);
            assertThat(send("GET", "/health").statusCode()).isEqualTo(200);
        } finally {
            for (HttpResponse<InputStream> each : streams) {
                each.body().close();
            }
        }
    }

    @Test
    void ownPageWithTokenMayChange() throws Exception {
        assertThat(send("POST", "/transfers/drop", "Origin", origin(), "Authorization", "Bearer " + TOKEN)
                        .body())
                .isEqualTo("change 1");
        assertThat(send(
                                "POST",
                                "/transfers/drop",
                                "Origin",
                                origin(),
                                "Sec-Fetch-Site",
                                "same-origin",
                                "Authorization",
                                "Bearer " + TOKEN)
                        .body())
                .isEqualTo("change 2");
    }

    @Test
    void programsOnTheMachineMayChange() throws Exception {
        assertThat(send("POST", "/transfers/drop").body()).isEqualTo("change 1");
    }

    /** That a browser runs on this machine proves nothing, not even for the node's own page. */
    @Test
    void ownPageWithoutTokenMayChangeNothing() throws Exception {
        HttpResponse<String> answer = send(
                "POST",
                "/transfers/drop",
                "Origin",
                origin(),
                "Sec-Fetch-Site",
                "same-origin",
                "X-Hawser-Action",
                "page");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("--admin-token-file");
        assertThat(changes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "null",
                "http://127.0.0.1",
                "http://127.0.0.1:1",
                "https://localhost",
                "file://",
                ""
            })
    void pagesOfOtherOriginsMayChangeNothing(String origin) throws Exception {
        for (String authorization : List.of("Bearer " + TOKEN, "Bearer wrong-wrong-wrong")) {
            assertThat(send("POST", "/transfers/drop", "Origin", origin, "Authorization", authorization)
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(changes).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "none", "Same-Origin"})
    void requestsThatTheBrowserCallsForeignMayChangeNothing(String site) throws Exception {
        String bearer = "Bearer " + TOKEN;
        assertThat(send("POST", "/transfers/drop", "Origin", origin(), "Sec-Fetch-Site", site, "Authorization", bearer)
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("POST", "/transfers/drop", "Sec-Fetch-Site", site, "Authorization", bearer)
                        .statusCode())
                .isEqualTo(403);
        assertThat(changes).hasValue(0);
    }

    @Test
    void severalOriginsAreNone() throws Exception {
        assertThat(send(
                                "POST",
                                "/transfers/drop",
                                "Origin",
                                origin(),
                                "Origin",
                                "http://evil.example",
                                "Authorization",
                                "Bearer " + TOKEN)
                        .statusCode())
                .isEqualTo(403);
    }

    /** It never says that another origin may send the page's own header. */
    @Test
    void otherOriginsGetNoConsent() throws Exception {
        HttpResponse<String> preflight = send(
                "OPTIONS",
                "/transfers/drop",
                "Origin",
                "http://evil.example",
                "Access-Control-Request-Method",
                "POST",
                "Access-Control-Request-Headers",
                "x-hawser-action");

        assertThat(preflight.statusCode()).isEqualTo(405);
        assertThat(preflight.headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @Test
    void withoutATokenTheNodeIsReadOnlyInBrowsers() throws Exception {
        server.close();
        serve(null);

        JsonNode session = Json.tree(send("GET", "/session").body().getBytes(StandardCharsets.UTF_8));
        assertThat(session.get("mayChange").asBoolean()).isFalse();
        assertThat(session.get("takesToken").asBoolean()).isFalse();
        assertThat(session.get("tokenFile").asText()).isEmpty();
        assertThat(send("GET", "/", "Accept", "text/html").statusCode()).isEqualTo(200);
    }
}
