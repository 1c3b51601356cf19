package io.hawser.broker.admin;

import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminPage.Answer;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.WarningCode;
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
    private static final State BEGINS = new State(false, "its store is opened", List.of());

    private volatile State state = BEGINS;

    /**
     * How far it is.
     *
     * @param well whether there is nothing to do for an operator, and nothing in hand
     * @param store what the store is doing
     */
    private record State(boolean well, String store, List<HealthWarning> warnings) {}

    @Override
    public void waitsFor(String what) {
        state = new State(false, "its store is not reached", List.of(WarningCode.STORE.says(what)));
    }

    @Override
    public void standsBy() {
        state = new State(true, "it stands by until it is its turn", List.of());
    }

    @Override
    public void begins() {
        state = BEGINS;
    }

    private Health health() {
        State now = state;
        return Health.of(now.well(), "broker", Map.of("store", now.store())).with(now.warnings());
    }

    public Map<String, AdminPage> pages(NodeMetrics metrics) {
        serving(metrics, 0);
        Map<String, AdminPage> pages = new HashMap<>(new NodePages(this::health, metrics).pages());
        LATER.forEach(path -> pages.put(path, query -> notYet()));
        return pages;
    }

    /** What POST does, by path. */
    public Map<String, AdminPage> actions() {
        Map<String, AdminPage> actions = new HashMap<>();
        for (String path : List.of("/subscriptions/remove", "/subscriptions/lost", "/subscriptions/release")) {
            actions.put(path, query -> notYet());
        }
        BrokerSteering.ACTIONS.forEach(action -> actions.put(action.path(), query -> notYet()));
        return actions;
    }

    private Answer notYet() {
        return new Answer(503, "text/plain; charset=utf-8", "this broker does not serve: " + state.store() + "\n");
    }

    /** Of several brokers over one store one serves. */
    static void serving(NodeMetrics metrics, int value) {
        metrics.gauge(
                "hawser_broker_serving",
                "1 of a broker that serves; 0 while it starts, or while another one has the store.",
                () -> value);
    }
}
