package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.testkit.Program;
import io.hawser.core.testkit.ReservedPort;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.scenario.Scenario;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Debian's own Prometheus and promtool: what nodes show, the alert rules, the dashboard. */
class PrometheusIT extends Scenario {
    private static final Path MONITORING =
            Path.of("..", "release", "monitoring").toAbsolutePath().normalize();
    private static final Path RULES = MONITORING.resolve("hawser-alerts.yml");
    private static final Pattern METRIC = Pattern.compile("\\b(?:hawser|jvm|process)_[a-z_]+");

    private final HttpClient http = HttpClient.newHttpClient();
    private ReservedPort reserved;
    private Process prometheus;

    @BeforeEach
    void needPrometheus() throws IOException {
        if (!Program.isThere("prometheus") || !Program.isThere("promtool")) {
            Program.missing("prometheus", "prometheus");
        }
        reserved = ReservedPort.take();
    }

    @AfterEach
    void end() throws Exception {
        if (prometheus != null) {
            prometheus.destroy();
            prometheus.waitFor();
        }
        if (reserved != null) {
            reserved.close();
        }
    }

    private static String promtool(Path directory, String... words) throws Exception {
        String[] command =
                Stream.concat(Stream.of("promtool"), Stream.of(words)).toArray(String[]::new);
        return Program.run(directory, command).succeeded().output();
    }

    private JsonNode ask(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + reserved.number() + "/api/v1/" + path);
        JsonNode answer = Json.tree(http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray())
                .body());
        assertThat(answer.path("status").asText()).as(path + ": " + answer).isEqualTo("success");
        return answer.path("data");
    }

    private JsonNode query(String expression) throws Exception {
        return ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
    }

    private void startPrometheus() throws IOException {
        String targets = Stream.of(Part.values())
                .map(part -> "'" + chain.admin(part).orElseThrow() + "'")
                .collect(Collectors.joining(", "));
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                  - job_name: hawser
                    static_configs: [{targets: [%s]}]
                """.formatted(RULES, targets));
        prometheus = Program.start(
                directory,
                directory.resolve("prometheus.out"),
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + reserved.number());
    }

    /** The expressions of the rules or of the dashboard's panels. */
    private static List<String> expressions() throws IOException {
        List<String> all = new ArrayList<>();
        Matcher rules = Pattern.compile("(?m)^ +expr: (.*)$").matcher(Files.readString(RULES));
        while (rules.find()) {
            all.add(rules.group(1));
        }
        JsonNode dashboard = Json.tree(Files.readAllBytes(MONITORING.resolve("hawser-grafana.json")));
        for (JsonNode expression : dashboard.findValues("expr")) {
            all.add(expression.asText());
        }
        return all;
    }

    private static Set<String> metricsIn(List<String> expressions) {
        Set<String> names = new HashSet<>();
        for (String expression : expressions) {
            Matcher found = METRIC.matcher(expression);
            while (found.find()) {
                names.add(found.group());
            }
        }
        return names;
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests() throws Exception {
        assertThat(promtool(MONITORING, "check", "rules", RULES.toString())).contains("SUCCESS");
        assertThat(promtool(MONITORING, "test", "rules", "hawser-alerts-test.yml"))
                .contains("SUCCESS");
    }

    @Test
    void eachAlertHasATest() throws Exception {
        Pattern alert = Pattern.compile("(?:alert|alertname): (\\w+)");
        Set<String> defined = alert.matcher(Files.readString(RULES))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        Set<String> tested = alert.matcher(Files.readString(MONITORING.resolve("hawser-alerts-test.yml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(tested).isEqualTo(defined).hasSizeGreaterThan(10);
    }

    @Test
    void promtoolFindsNothingWrongWithAnyNode() throws Exception {
        startAndDeliver();
        for (Part part : Part.values()) {
            Path page = Files.writeString(directory.resolve(part + ".metrics"), page(part, "/metrics"));
            Program.Result result = Program.run(directory, "sh", "-c", "promtool check metrics < '" + page + "'");
            assertThat(result.exitStatus()).as(part + ": " + result.output()).isZero();
            assertThat(result.output()).isBlank();
        }
    }

    @Test
    void rulesAndDashboardNameWhatNodesShow() throws Exception {
        startAndDeliver();
        startPrometheus();
        await("a scrape of each node").ignoreExceptions().untilAsserted(() -> assertThat(query("up == 1"))
                .hasSize(Part.values().length));
        List<String> expressions = expressions();
        assertThat(expressions).hasSizeGreaterThan(50);
        // Only nodes with TLS have certificates and quotas, and here nothing fills.
        Set<String> named = metricsIn(expressions);
        named.removeIf(name -> name.equals("hawser_certificate_expiry_timestamp_seconds")
                || name.equals("hawser_forecast_full_seconds")
                || name.startsWith("hawser_tenant_"));
        await("all metrics").untilAsserted(() -> {
            Set<String> shown = new HashSet<>();
            ask("label/__name__/values").forEach(name -> shown.add(name.asText()));
            assertThat(shown).containsAll(named);
        });
        for (String expression : expressions) {
            query(expression
                    .replace("$__rate_interval", "1m")
                    .replace("$job", ".*")
                    .replace("$instance", ".*"));
        }
        await("the counts").untilAsserted(() -> {
            assertThat(query("sum(hawser_delivered_transfers_total{topic=\"site-b\"}) == 1"))
                    .hasSize(1);
            assertThat(query("sum(hawser_accepted_bytes_total{topic=\"site-b\"}) == 2 * " + 3 * MIB))
                    .hasSize(1);
            assertThat(query("sum(hawser_receipts_total{status=\"delivered\"}) == 3"))
                    .hasSize(1);
            assertThat(query("sum(hawser_received_bytes_total) >= 2 * " + 3 * MIB))
                    .hasSize(1);
            assertThat(query("sum(hawser_sent_bytes_total) >= 2 * " + 3 * MIB)).hasSize(1);
            assertThat(query("sum by (job) (hawser_disk_force_seconds_count{of=\"file\"}) > 0"))
                    .hasSize(1);
            assertThat(query("hawser_logins_total{outcome=\"ok\",protocol=\"ftp\"} > 0"))
                    .hasSize(1);
            assertThat(query("hawser_sessions == 1")).hasSize(2);
            assertThat(query("hawser_http_requests_total{page=\"/metrics\",status=\"2xx\"} > 0"))
                    .hasSize(3);
            assertThat(query("hawser_http_logins_total{outcome=\"refused\"} == 0"))
                    .hasSize(3);
        });
        assertThat(ask("rules").findValuesAsText("lastError")).isEmpty();
        assertThat(ask("alerts").path("alerts").findValuesAsText("alertname")).isEmpty();
    }

    /** Quotas have an owner, so they need certificates, too. */
    @Test
    void nodesWithKeysShowCertificatesAndQuotas() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        Path acl = Files.writeString(directory.resolve("acl"), "* all *\nagent-a bytes=1GiB *\n");
        chain.withTls(keys).with(Part.BROKER, "--acl", acl.toString()).startAll();
        assertThat(page(Part.BROKER, "/metrics")).contains("hawser_tenant_bytes{", "hawser_tenant_quota_bytes{");
        double now = System.currentTimeMillis() / 1000.0;
        for (Part part : Part.values()) {
            assertThat(page(part, "/metrics").lines())
                    .filteredOn(line -> line.startsWith("hawser_certificate_expiry_timestamp_seconds "))
                    .singleElement()
                    .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf(' '))))
                            .isGreaterThan(now));
        }
    }

    private void startAndDeliver() throws Exception {
        chain.startAll();
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        awaitDelivered(source, "file");
    }
}
