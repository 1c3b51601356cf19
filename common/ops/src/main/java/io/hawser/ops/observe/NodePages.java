package io.hawser.ops.observe;

import io.hawser.core.model.Topic;
import io.hawser.ops.observe.AdminPage.Answer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The pages of a node: {@code /health} and {@code /metrics}, which each has, and what it adds.
 *
 * <p>Thread: confined to who builds it.
 */
public final class NodePages {
    /** The path of the page that watchdogs ask for. */
    static final String HEALTH = "/health";

    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Map<String, AdminPage> pages = new LinkedHashMap<>();
    private final PrometheusMeterRegistry metrics;

    /** @param health called by two threads, for {@code /health} and for {@code /metrics} */
    public NodePages(Supplier<Health> health, PrometheusMeterRegistry metrics) {
        this.metrics = metrics;
        pages.put(HEALTH, new HealthPage(health));
        Gauge.builder("hawser_warnings", () -> health.get().warnings().size())
                .description("what an operator should do something about; /health says what")
                .register(metrics);
        refreshing(() -> {});
    }

    /** Before each look at {@code /metrics}, what it shows is brought up to date by {@code refresh}. */
    public NodePages refreshing(Runnable refresh) {
        pages.put("/metrics", query -> {
            refresh.run();
            return new Answer(200, PROMETHEUS, metrics.scrape());
        });
        return this;
    }

    /** Adds {@code /transfers}. */
    public NodePages transfers(String node, TransferSource source) {
        return transfers(node, source, caller -> List.of());
    }

    /** Adds {@code /transfers} that also tells which subscriptions are owed something. */
    public NodePages transfers(String node, TransferSource source, SubscriptionSource subscriptions) {
        pages.put("/transfers", AdminPage.json((query, caller) -> {
            int limit = limit(query.get("limit"));
            String key = query.getOrDefault("key", "");
            List<TransferStatus> found = seen(caller, source, key, limit + 1).stream()
                    .sorted(TransferStatus.NEWEST_FIRST)
                    .toList();
            boolean truncated = found.size() > limit;
            return new TransferPage(
                    node,
                    truncated ? found.subList(0, limit) : found,
                    truncated,
                    key.isEmpty() ? subscriptions.waiting(caller) : List.of());
        }));
        return this;
    }

    /** Who may not see all topics is shown the transfers of his, among the newest that there are. */
    private static List<TransferStatus> seen(Caller caller, TransferSource source, String text, int limit)
            throws java.io.IOException {
        if (caller.access().seesAll()) {
            return source.find(text, limit);
        }
        return source.find(text, TransferPage.MAX_LIMIT).stream()
                .filter(each -> caller.access().sees(new Topic(each.topic())))
                .limit(limit)
                .toList();
    }

    /** Health in full, or, for somebody who may not see all topics, whether the node is well. */
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
            return new Answer(now.ok() ? 200 : 503, "application/json; charset=utf-8", Json.text(now));
        }
    }

    /** Adds a page that shows a value as JSON, and depends on who asks. */
    public NodePages json(String path, AdminPage.CallerPage page) {
        pages.put(path, AdminPage.json(page));
        return this;
    }

    /** Adds a page that shows a value as JSON. */
    public NodePages json(String path, AdminPage.JsonPage page) {
        pages.put(path, AdminPage.json(page));
        return this;
    }

    public Map<String, AdminPage> pages() {
        return Map.copyOf(pages);
    }

    private static int limit(@org.jspecify.annotations.Nullable String text) {
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

    /** Where {@code /transfers} gets the subscriptions. */
    @FunctionalInterface
    public interface SubscriptionSource {
        /** Those that are owed something and that {@code caller} may see. */
        List<SubscriptionStatus> waiting(Caller caller) throws java.io.IOException;
    }

    /** Where {@code /transfers} gets its lines. */
    @FunctionalInterface
    public interface TransferSource {
        /**
         * The newest transfers, in any order.
         *
         * @param text empty for all, else part of a transfer's key or name
         * @param limit how many at most
         */
        List<TransferStatus> find(String text, int limit) throws java.io.IOException;
    }
}
