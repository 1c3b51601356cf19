package io.hawser.ops.observe;

import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.dashboard.LiveFeed;
import io.hawser.ops.dashboard.LiveRow;
import io.hawser.ops.observe.AdminPage.Answer;
import io.hawser.ops.observe.NodeMetrics.Sample;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the pages of a node: {@code /health} and {@code /metrics}, which every node has, and its own.
 *
 * <p>Thread: one.
 */
public final class NodePages {
    /** The path of the page that watchdogs ask for. */
    static final String HEALTH = "/health";

    private static final String LOGGERS = "/loggers";

    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Map<String, AdminPage> pages = new LinkedHashMap<>();
    private final NodeMetrics metrics;

    /** @param health called by two threads, for {@code /health} and for {@code /metrics} */
    public NodePages(Supplier<Health> health, NodeMetrics metrics) {
        this.metrics = metrics;
        pages.put(HEALTH, new HealthPage(health));
        pages.put("/openapi.json", new OpenApiPage());
        pages.put(LOGGERS, LoggersPage.ofProcess().show());
        pages.put("/metrics", query -> new Answer(200, PROMETHEUS, metrics.scrape()));
        metrics.gauges(
                "hawser_warnings", "Warnings that need an operator, as on /health.", () -> warnings(health.get()));
    }

    /** The actions of a node: {@code own}, and those that every node has. */
    public static Map<String, AdminPage> actions(Map<String, AdminPage> own) {
        Map<String, AdminPage> all = new LinkedHashMap<>(own);
        all.put(LOGGERS, LoggersPage.ofProcess().change());
        return all;
    }

    private static List<Sample> warnings(Health health) {
        Map<String, Long> byCode = new LinkedHashMap<>();
        for (WarningCode code : WarningCode.values()) {
            byCode.put(code.word(), 0L);
        }
        health.warnings().forEach(each -> byCode.merge(each.code(), 1L, Long::sum));
        return byCode.entrySet().stream()
                .map(each -> new Sample(Map.of("code", each.getKey()), each.getValue()))
                .toList();
    }

    public NodePages transfers(String node, TransferSource source) {
        return transfers(node, source, caller -> List.of());
    }

    /** Adds {@code /transfers}, with the subscriptions that are owed something, and {@code /live}. */
    public NodePages transfers(String node, TransferSource source, SubscriptionSource subscriptions) {
        return transfers(node, (text, caller, limit) -> visible(source, text, caller, limit), subscriptions);
    }

    /** The same of a node that looks at a part of its transfers. */
    public NodePages transfers(String node, TransferSearch source, SubscriptionSource subscriptions) {
        pages.put("/transfers", AdminPage.json((query, caller) -> {
            int limit = limit(query.get("limit"));
            String key = query.getOrDefault("key", "");
            FoundTransfers found = source.find(key, caller, limit + 1);
            List<TransferStatus> lines =
                    found.lines().stream().sorted(TransferStatus.NEWEST_FIRST).toList();
            return new TransferPage(
                    node,
                    lines.subList(0, Math.min(limit, lines.size())),
                    lines.size() > limit || found.searched() > 0,
                    found.searched(),
                    key.isEmpty() ? subscriptions.waiting(caller) : List.of());
        }));
        pages.put("/live", new LivePage(new LiveFeed(node, limit -> live(source, limit))));
        return this;
    }

    /** Adds {@code /why}. */
    public NodePages why(String node, WhySource source) {
        pages.put("/why", AdminPage.json((query, caller) -> {
            TransferKey key = TransferKey.parse(query.getOrDefault("key", ""));
            return source.find(key)
                    .filter(found ->
                            caller.access().seesAll() || caller.access().sees(new Topic(found.topic())))
                    .map(found -> WhyPage.of(node, key.toString(), found.topic(), found.name(), found.hops()))
                    .orElseThrow(() -> new IllegalArgumentException(
                            node + " knows no transfer " + key + "; 'hawser status' shows those that it knows"));
        }));
        return this;
    }

    /** Adds {@code /forecasts}. */
    public NodePages forecasts(String node, Supplier<List<ForecastPage.ForecastLine>> latest) {
        metrics.gauges(
                "hawser_forecast_full_seconds",
                "When a resource is full at the rate of the last minutes; absent if it does not fill.",
                () -> latest.get().stream()
                        .map(each -> new Sample(Map.of("resource", each.resource()), each.secondsLeft()))
                        .toList());
        return json("/forecasts", query -> new ForecastPage(node, latest.get()));
    }

    private static List<LiveRow> live(TransferSearch source, int limit) throws IOException {
        long now = System.currentTimeMillis();
        return source.find("", Caller.OPERATOR, limit).lines().stream()
                .map(status -> LiveTransfer.of(status, now).row())
                .toList();
    }

    /** A caller that may not see all topics gets those of its topics, among the newest. */
    private static FoundTransfers visible(TransferSource source, String text, Caller caller, int limit)
            throws IOException {
        if (caller.access().seesAll()) {
            return new FoundTransfers(source.find(text, limit), 0);
        }
        List<TransferStatus> newest = source.find(text, TransferPage.MAX_LIMIT);
        return new FoundTransfers(
                newest.stream()
                        .filter(each ->
                                caller.access().sees(new Topic(each.object().topic())))
                        .limit(limit)
                        .toList(),
                newest.size() < TransferPage.MAX_LIMIT ? 0 : newest.size());
    }

    /** {@code /health}: in full, or only {@code ok} for a caller that may not see all topics. */
    private record HealthPage(Supplier<Health> health) implements AdminPage {
        @Override
        public Answer get(Map<String, String> query) {
            return answer(health.get());
        }

        @Override
        public Answer get(Map<String, String> query, Caller caller) {
            Health now = health.get();
            return answer(caller.access().seesAll() ? now : Health.of(now.ok(), now.node(), Map.of()));
        }

        private static Answer answer(Health now) {
            return Answer.json(now.ok() ? 200 : 503, now);
        }
    }

    /** Adds a page whose JSON depends on the caller. */
    public NodePages json(String path, AdminPage.CallerPage page) {
        pages.put(path, AdminPage.json(page));
        return this;
    }

    public NodePages json(String path, AdminPage.JsonPage page) {
        pages.put(path, AdminPage.json(page));
        return this;
    }

    public Map<String, AdminPage> pages() {
        return Map.copyOf(pages);
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return TransferPage.DEFAULT_LIMIT;
        }
        if (!text.matches("[0-9]{1,6}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > TransferPage.MAX_LIMIT) {
            throw new IllegalArgumentException("limit is 1 to " + TransferPage.MAX_LIMIT + ", not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    /**
     * What {@code /why} shows of a transfer.
     *
     * @param topic its topic
     * @param name its name
     * @param hops what holds it back on each hop
     */
    public record FoundWhy(String topic, String name, List<WhyPage.HopWhy> hops) {}

    /** Gives {@code /why} its answer. */
    @FunctionalInterface
    public interface WhySource {
        /** What holds that transfer back; empty if the node does not know it. */
        Optional<FoundWhy> find(TransferKey key) throws IOException;
    }

    /** Gives {@code /transfers} its subscriptions. */
    @FunctionalInterface
    public interface SubscriptionSource {
        /** Those that are owed something and that {@code caller} may see. */
        List<SubscriptionStatus> waiting(Caller caller) throws IOException;
    }

    /**
     * What {@code /transfers} shows.
     *
     * @param lines transfers, in any order
     * @param searched 0 if all were looked at, or as many were found as were asked for; else how many of the newest were looked at
     */
    public record FoundTransfers(List<TransferStatus> lines, long searched) {}

    /** Gives {@code /transfers} the lines that a caller may see. */
    @FunctionalInterface
    public interface TransferSearch {
        /** The newest transfers of topics that {@code caller} sees. The rest as at {@link TransferSource#find}. */
        FoundTransfers find(String text, Caller caller, int limit) throws IOException;
    }

    /** Gives {@code /transfers} its lines. */
    @FunctionalInterface
    public interface TransferSource {
        /**
         * The newest transfers, in any order.
         *
         * @param text empty for all, else part of a transfer's key or name
         * @param limit the most lines
         */
        List<TransferStatus> find(String text, int limit) throws IOException;
    }
}
