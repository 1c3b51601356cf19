package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.HopStatus.Bytes;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ops.observe.WhyPage;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusCommandTest extends OnAdminServer {
    private static final TransferStatus CAT = new TransferStatus(
            "6f0c:018f1",
            new TransferStatus.TransferredObject("site-b", "photos/cat\u001b[31m.jpg", "file", 256L << 20, 1 << 20),
            "committed",
            12_345,
            List.of(
                    new HopStatus(
                            HopStatus.PUBLISHER_TO_BROKER,
                            "committed",
                            new Bytes(256L << 20, 256L << 20, 0, 16 << 20, 0),
                            ""),
                    new HopStatus(
                            HopStatus.toSubscription("b"),
                            "sending",
                            new Bytes(96L << 20, 100L << 20, 4 << 20, 16 << 20, 0),
                            "NO_SPACE: the disk is \u001bfull",
                            12_300)),
            List.of(new ReceiptLine("b", "failed", "disk full", 200)));

    private volatile List<SubscriptionStatus> waiting = List.of();
    private volatile Health health = Health.of(true, "broker", Map.of());

    @BeforeEach
    void start() throws IOException {
        NodePages pages = new NodePages(() -> health, new NodeMetrics())
                .transfers(
                        "broker",
                        (text, limit) -> CAT.object().name().contains(text) ? List.of(CAT) : List.of(),
                        caller -> waiting);
        serve(pages.pages(), Map.of());
    }

    private int status(String... words) {
        return run(new StatusCommand(), "status", words);
    }

    @Test
    void eachHopAndReceiptHasALine() {
        assertThat(status()).isZero();
        assertThat(out.toString())
                .containsPattern("^0c:018f1  committed +256 MiB  12.3 s  site-b:photos/cat\\?\\[31m.jpg\n")
                .containsPattern("publisher->broker +committed +256 MiB 100.0%  0 B re-sent  credit 16 MiB")
                .containsPattern("broker->b +sending +96 MiB  37.5%  4 MiB re-sent")
                .containsPattern(
                        "re-sent  credit 16 MiB\n      held back: NO_SPACE: the disk is \\?full \\(no progress for 12.3 s\\)\n")
                .containsPattern("receipt b +failed +0.2 s ago  disk full")
                .contains("\n  key 6f0c:018f1\n");
    }

    @Test
    void whatASubscriptionCostsStandsBelowTheTable() throws IOException {
        waiting = List.of(
                new SubscriptionStatus(
                        "site-b",
                        "ol\u001bd",
                        new SubscriptionStatus.Ownership("bb", "", 0, false),
                        new SubscriptionStatus.Presence(false, 0),
                        new SubscriptionStatus.Backlog(12, 3L << 30, 9, 10, 2L << 30, 60_000, 0),
                        new SubscriptionStatus.Terms(0, 0, SubscriptionTerms.USUAL_PRIORITY),
                        List.of()),
                new SubscriptionStatus(
                        "site-b",
                        "slow",
                        new SubscriptionStatus.Ownership("cc", "", 0, false),
                        new SubscriptionStatus.Presence(true, 0),
                        new SubscriptionStatus.Backlog(1, 5, 9, 0, 0, 60_000, 120_000),
                        new SubscriptionStatus.Terms(60_000, 5_000_000, SubscriptionTerms.USUAL_PRIORITY),
                        List.of()));

        assertThat(status()).isZero();
        assertThat(out.toString())
                .containsPattern("subscriptions that are owed something:\n"
                        + "  site-b  ol\\?d  away since \\S+Z  is owed 12 transfers, 3 GiB, the oldest 0.0 s old\n"
                        + "      they wait since 1970-01-01T00:01:00Z, until it has them or is removed;"
                        + " kept for it alone: 10 transfers, 2 GiB\n"
                        + "  site-b  slow  connected, at most 4.8 MiB/s, deadline 1m  is owed 1 transfer, 5 B, the oldest 0.0 s old\n"
                        + "      they wait since 1970-01-01T00:01:00Z, until 1970-01-01T00:02:00Z at the latest;"
                        + " nothing is kept for it alone\n$");

        out.getBuffer().setLength(0);
        assertThat(status("--json")).isZero();
        assertThat(Json.read(out.toString().getBytes(StandardCharsets.UTF_8), TransferPage.class)
                        .subscriptions())
                .isEqualTo(waiting);
    }

    @Test
    void aPageOfAnOlderBrokerNamesNoSubscriptions() throws IOException {
        String json = "{\"node\":\"broker\",\"transfers\":[],\"truncated\":false}";
        assertThat(Json.read(json.getBytes(StandardCharsets.UTF_8), TransferPage.class)
                        .subscriptions())
                .isEmpty();
    }

    @Test
    void warningsStandBelowTheTable() {
        health = health.with(List.of(WarningCode.INTO_PROBLEM.about("ftp://far", "it refuses \u001bthe account")));

        assertThat(status()).isZero();

        assertThat(out.toString()).endsWith("warning: into.problem (ftp://far): it refuses ?the account\n");
    }

    @Test
    void aNodeThatIsNotWellSaysSo() {
        health = Health.of(false, "broker", Map.of("log", "failed"));

        assertThat(status()).isZero();

        assertThat(out.toString()).contains("site-b:photos").endsWith("warning: broker is not well: log=failed\n");
    }

    @Test
    void jsonIsThePageItself() throws IOException {
        assertThat(status("cat", "--json")).isZero();
        assertThat(Json.read(out.toString().getBytes(StandardCharsets.UTF_8), TransferPage.class))
                .isEqualTo(new TransferPage("broker", List.of(CAT), false, 0, List.of()));
    }

    @Test
    void aHopOfAnOlderNodeHasNoReason() throws IOException {
        String json = "{\"hop\":\"a->b\",\"state\":\"sending\",\"durableBytes\":1}";
        assertThat(Json.read(json.getBytes(StandardCharsets.UTF_8), HopStatus.class)
                        .reason())
                .isEmpty();
    }

    @Test
    void whatHasStoodStillForLongHasAReason() {
        HopStatus hop = new HopStatus(HopStatus.PUBLISHER_TO_BROKER, "sending", new Bytes(1, 1, 0, 1, 0), "");
        assertThat(hop.idle(HopStatus.SHOWN_MILLIS - 1, "an ack").reason()).isEmpty();
        assertThat(hop.idle(HopStatus.SHOWN_MILLIS, "an ack").reason()).isEqualTo("an ack");
        HopStatus refused =
                new HopStatus(HopStatus.PUBLISHER_TO_BROKER, "refused", new Bytes(1, 1, 0, 1, 0), "NO_SPACE");
        assertThat(refused.idle(HopStatus.SHOWN_MILLIS, "an ack").reason()).isEqualTo("NO_SPACE");
    }

    @Test
    void anUnknownTransferIsAFailure() {
        assertThat(status("dog")).isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEqualTo("hawser: no transfer's key or name contains 'dog'\n");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatWasSearchedInPartIsNotDenied() throws IOException {
        AdminPage page = AdminPage.json(query -> new TransferPage(
                "broker", query.get("key").equals("cat") ? List.of(CAT) : List.of(), true, 1_000, List.of()));
        serve(Map.of("/transfers", page, "/health", AdminPage.json(query -> health)), Map.of());

        assertThat(status("dog")).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("hawser: 'dog' is not in the key or name of the newest 1000 transfers,"
                        + " and the older ones were not searched\n");
        assertThat(status("cat")).isZero();
        assertThat(out.toString()).contains("photos/cat", "… only the newest 1000 transfers were searched\n");
    }

    @Test
    void aNodeThatIsNotThereIsExitCode3() {
        stop();
        assertThat(status()).isEqualTo(3);
        assertThat(err.toString()).contains("Connection refused").hasLineCount(1);
    }

    @Test
    void aPageThatANodeDoesNotHaveIsExitCode4() throws IOException {
        serve(Map.of(), Map.of());
        assertThat(status()).isEqualTo(4);
        assertThat(err.toString()).contains("404");
    }

    @Test
    void anotherProgramsPageIsSaidToBeOne() throws IOException {
        AdminPage html = AdminPage.json(query -> "<html>");
        serve(Map.of("/transfers", html), Map.of());

        assertThat(status()).isEqualTo(3);

        assertThat(err.toString())
                .isEqualTo("hawser: --admin " + server.address()
                        + " does not answer as a node of Hawser does; is it a node's --admin address?\n");
    }

    @Test
    void jsonAsksForNothingButThePage() throws IOException {
        AdminPage page = AdminPage.json(query -> new TransferPage("broker", List.of(), false, 0, List.of()));
        serve(Map.of("/transfers", page), Map.of());

        assertThat(status("--json")).isZero();

        assertThat(out.toString()).contains("\"node\" : \"broker\"");
    }

    @Test
    void filtersChooseByTopicStateAndName() {
        assertThat(status("--topic", "site-b", "--state", "open", "--name", "photos/*.jpg"))
                .isZero();
        assertThat(out.toString()).contains("site-b:photos/cat");
        for (String[] other :
                List.of(new String[] {"--topic", "site-c"}, new String[] {"--state", "delivered"}, new String[] {
                    "--name", "*.png"
                })) {
            out.getBuffer().setLength(0);
            assertThat(status(other)).isZero();
            assertThat(out.toString()).startsWith("no transfers\n");
        }
        assertThat(status("--name", "x".repeat(300))).isEqualTo(2);
        assertThat(err.toString()).contains("--name: a pattern for names is 1 to 256 characters");
    }

    @Test
    void watchIsForATerminal() {
        assertThat(status("--watch")).isEqualTo(2);
        assertThat(err.toString()).contains("--watch needs a terminal");
        assertThat(status("--watch", "--json")).isEqualTo(2);
    }

    @Test
    void theOnlyTransferThatFitsHasALineForWhatHoldsItBack() throws IOException {
        String because = "The link takes no more (92% of the last 5 s).";
        WhyPage.HopWhy link = new WhyPage.HopWhy(
                HopStatus.toSubscription("b"), List.of(new WhyPage.Window(5, "link", because, List.of())));
        WhyPage.HopWhy over = new WhyPage.HopWhy(
                HopStatus.PUBLISHER_TO_BROKER, List.of(new WhyPage.Window(5, "none", "Nothing.", List.of())));
        serve(
                Map.of(
                        "/transfers",
                                AdminPage.json(query -> new TransferPage("broker", List.of(CAT), false, 0, List.of())),
                        "/why", AdminPage.json(query -> WhyPage.of("broker", "k", "t", "n", List.of(over, link))),
                        "/health", AdminPage.json(query -> health)),
                Map.of());

        assertThat(status("cat")).isZero();

        assertThat(unwrapped()).contains("why broker->b: link. " + because).doesNotContain("Nothing.");
    }

    @Test
    void whatIsFullSoonIsSaidOnce() throws IOException {
        String warned = "spool full in 4 min at 1 MiB/s; holds 3 GiB";
        String later = "quota paris on * full in 2 h at 1 MiB/s; holds 3 GiB";
        health = Health.of(true, "broker", Map.of()).with(List.of(WarningCode.FORECAST.about("spool", warned)));
        serve(
                Map.of(
                        "/transfers",
                                AdminPage.json(query -> new TransferPage("broker", List.of(), false, 0, List.of())),
                        "/forecasts",
                                AdminPage.json(query -> new ForecastPage(
                                        "broker",
                                        List.of(
                                                new ForecastPage.ForecastLine("spool", warned, 240, ""),
                                                new ForecastPage.ForecastLine("quota", later, 7200, "")))),
                        "/health", AdminPage.json(query -> health)),
                Map.of());

        assertThat(status()).isZero();

        assertThat(unwrapped())
                .contains("warning: forecast (spool): " + warned, "forecast: " + later)
                .doesNotContain("forecast: spool");
    }

    private String unwrapped() {
        return out.toString().replaceAll("\\s+", " ");
    }
}
