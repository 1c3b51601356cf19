package io.hawser.broker.admin;

import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminPage.Answer;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.NodePages;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The admin pages while the broker's store opens: how far it is, and whether another broker has the store. The pages of a broker
 * that serves ({@link BrokerPages}) say so, too.
 *
 * <p>Thread: any.
 */
public final class StartupPages implements StoreOpeningListener {
    private static final List<String> LATER = List.of("/transfers", "/live", "/subscriptions", "/replicas", "/quotas");
    private static final State BEGINS = new State(false, "its store is opened", Map.of());

    private volatile State state = BEGINS;

    /**
     * How far it is.
     *
     * @param well whether there is nothing to do for an operator, and nothing in hand
     * @param store what the store is doing
     */
    private record State(boolean well, String store, Map<String, String> warnings) {}

    @Override
    public void waitsFor(String what) {
        state = new State(false, "its store is not reached", Map.of("store", what));
    }

    @Override
    public void standsBy() {
        state = new State(true, "it stands by until it is its turn", Map.of());
    }

    @Override
    public void begins() {
        state = BEGINS;
    }

    private Health health() {
        State now = state;
        return Health.of(now.well(), "broker", Map.of("store", now.store())).with(now.warnings());
    }

    public Map<String, AdminPage> pages() {
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        serving(metrics, 0);
        Map<String, AdminPage> pages = new HashMap<>(new NodePages(this::health, metrics).pages());
        LATER.forEach(path -> pages.put(path, query -> notYet()));
        return pages;
    }

    /** What POST does, by path. */
    public Map<String, AdminPage> actions() {
        return Map.of(
                "/subscriptions/remove", query -> notYet(),
                "/subscriptions/lost", query -> notYet(),
                "/subscriptions/release", query -> notYet(),
                "/transfers/drop", query -> notYet());
    }

    private Answer notYet() {
        return new Answer(503, "text/plain; charset=utf-8", "this broker does not serve: " + state.store() + "\n");
    }

    /** Of several brokers over one store one serves. */
    static void serving(MeterRegistry metrics, int value) {
        Gauge.builder("hawser_broker_serving", () -> value)
                .description("1 of a broker that serves; 0 while it starts, or while another one has the store")
                .register(metrics);
    }
}
