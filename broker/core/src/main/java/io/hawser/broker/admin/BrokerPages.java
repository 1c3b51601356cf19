package io.hawser.broker.admin;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.session.BrokerSessions;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.Replica;
import io.hawser.broker.store.StoreUsage;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.access.Quota;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.node.ForecastBoard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.PrincipalLine;
import io.hawser.ops.observe.QuotaLine;
import io.hawser.ops.observe.QuotaPage;
import io.hawser.ops.observe.ReplicaLine;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.TransferSteering;
import io.hawser.store.space.WaitingTransfers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The broker's admin pages. Thread: the admin thread; it asks the loop and the store. */
public final class BrokerPages {
    /** Lines of transfers that are made in one visit to the loop, so that they hold up no session. */
    private static final int LINES_AT_ONCE = 200;

    private final NodeThreads net;
    private final BrokerStore store;
    private final Relay relay;
    private final BrokerSessions sessions;
    private final SubscriptionPages subscriptions;
    private final BrokerStalls stalls;
    private final BrokerWaits waits;
    private final ForecastBoard forecasts;
    private final BooleanSupplier healthy;
    private final Supplier<Map<String, String>> facts;
    private final Supplier<List<HealthWarning>> warnings;
    private final Map<String, AdminPage> pages;
    private volatile @Nullable RetryingEnd retryingEnd;

    public BrokerPages(
            NodeThreads net,
            BrokerStore store,
            Relay relay,
            CallRelay calls,
            BrokerSessions sessions,
            FragmentBufferPool pool,
            BrokerStalls stalls,
            BooleanSupplier healthy,
            Supplier<Map<String, String>> facts,
            Supplier<List<HealthWarning>> warnings,
            NodeMetrics metrics) {
        this.net = net;
        this.store = store;
        this.relay = relay;
        this.sessions = sessions;
        this.subscriptions = new SubscriptionPages(net, store, relay, calls);
        this.stalls = stalls;
        this.forecasts = new ForecastBoard(new StoreForecast(store, relay));
        this.waits = new BrokerWaits(
                net, store, relay, key -> sessions.of(key.publisher()).isPresent());
        this.healthy = healthy;
        this.facts = facts;
        this.warnings = warnings;
        StartupPages.serving(metrics, 1);
        BrokerMetrics.add(metrics, net, store, relay, calls, sessions, pool);
        SubscriptionMetrics.add(metrics, subscriptions);
        PrincipalMetrics.add(metrics, net, sessions);
        StalledTransfers.add(metrics, stalls::latest);
        pages = new NodePages(this::health, metrics)
                .transfers("broker", this::find, subscriptions::waiting)
                .why("broker", waits)
                .forecasts("broker", forecasts::latest)
                .json("/subscriptions", subscriptions::list)
                .json("/replicas", this::replicas)
                .json("/quotas", this::quotas)
                .pages();
    }

    /** The use of the tenants' quotas; a caller without the right to all topics sees those about itself. */
    private QuotaPage quotas(Map<String, String> query, Caller caller) throws IOException {
        List<PrincipalLine> all = net.onLoop(() -> new PrincipalLines(sessions).all());
        String own = caller.access().peer().text();
        return new QuotaPage(
                tenants(caller),
                all.stream()
                        .filter(each -> caller.access().seesAll() || each.who().equals(own))
                        .toList());
    }

    private List<QuotaLine> tenants(Caller caller) {
        return store.quotaUses().stream()
                .filter(use -> caller.access().seesAll()
                        || use.quota().who().equals(caller.access().peer().text()))
                .map(use -> new QuotaLine(
                        use.quota().who(),
                        use.quota().topics(),
                        use.usedBytes(),
                        use.reservedBytes(),
                        limit(use.quota().bytes()),
                        use.transfers(),
                        limit(use.quota().transfers())))
                .toList();
    }

    private static long limit(long value) {
        return value == Quota.NO_LIMIT ? QuotaLine.NO_LIMIT : value;
    }

    public Map<String, AdminPage> pages() {
        return pages;
    }

    /** Begins to count where transfers wait, and to measure for the forecasts. */
    public void start() {
        waits.start();
        forecasts.start(net.loop());
    }

    /** What POST does, by path, besides what {@link #steering} does. */
    public Map<String, AdminPage> actions() {
        return subscriptions.actions();
    }

    /** How the broker steers its transfers. */
    public TransferSteering steering() {
        return new BrokerSteering(
                net, store, relay, status -> lines().line(status), () -> Optional.ofNullable(retryingEnd));
    }

    /** Retries dead letters of a far end in this process. */
    public void retryAt(RetryingEnd end) {
        retryingEnd = end;
    }

    private Health health() {
        StoreUsage sizes = store.sizes();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("sessions", sessions.count());
        detail.put("store", "is open");
        detail.put("acks", store.ackMeaning());
        detail.putAll(facts.get());
        detail.put("usedBytes", sizes.usedBytes());
        detail.put("diskFreeBytes", sizes.diskFreeBytes());
        detail.put("damagedPlaces", sizes.damagedPlaces());
        return Health.of(healthy.getAsBoolean(), "broker", detail)
                .with(StoreWarnings.of(sizes))
                .with(stalls.latest().warnings())
                .with(forecasts.warnings())
                .with(store.warnings())
                .with(warnings.get());
    }

    /** The far ends with a copy of {@code name}; the parameter {@code topic}, if given, narrows the list. */
    private List<ReplicaLine> replicas(Map<String, String> query, Caller caller) throws IOException {
        String name = query.getOrDefault("name", "");
        String topic = query.getOrDefault("topic", "");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("/replicas needs a name");
        }
        List<Replica> found = new LoopQueries(net).ask(done -> store.replicas(name, done));
        return found.stream()
                .filter(each -> topic.isEmpty() || each.topic().name().equals(topic))
                .filter(each -> caller.access().seesAll() || caller.access().sees(each.topic()))
                .map(each -> new ReplicaLine(
                        each.topic().name(),
                        each.subscription(),
                        each.key().toString(),
                        each.name(),
                        each.sizeBytes(),
                        each.digest() == null ? "" : each.digest().toString(),
                        each.deliveredEpochMillis()))
                .toList();
    }

    /** By a whole key one is looked up, else they are searched. */
    private NodePages.FoundTransfers find(String text, Caller caller, int limit) throws IOException {
        Optional<StoredTransferStatus> one = lookUp(text);
        StoredTransferSearch.Found kept = one.isPresent()
                ? new StoredTransferSearch.Found(
                        one.filter(status -> isSeen(caller, status.transfer().manifest())).stream()
                                .toList(),
                        0)
                : search(text, caller, limit);
        List<TransferStatus> lines = new ArrayList<>(net.onLoop(
                () -> refused(kept.transfers(), text, caller).map(lines()::line).toList()));
        int size = kept.transfers().size();
        for (int from = 0; from < size && lines.size() < limit; from += LINES_AT_ONCE) {
            List<StoredTransferStatus> part = kept.transfers().subList(from, Math.min(from + LINES_AT_ONCE, size));
            lines.addAll(net.onLoop(() -> {
                TransferLines status = lines();
                return part.stream().map(status::line).toList();
            }));
        }
        List<TransferStatus> shown = lines.subList(0, Math.min(limit, lines.size()));
        return new NodePages.FoundTransfers(shown, shown.size() < limit ? kept.searched() : 0);
    }

    /** On the loop. */
    private TransferLines lines() {
        return new TransferLines(relay, key -> sessions.of(key.publisher()).isPresent(), System.currentTimeMillis());
    }

    private Optional<StoredTransferStatus> lookUp(String text) throws IOException {
        TransferKey key;
        try {
            key = TransferKey.parse(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it is a part of one, or of a name
        }
        return Optional.ofNullable(new LoopQueries(net)
                .outcome((Outcome.Callback<StoredTransferStatus> done) -> store.transfer(key, done))
                .value());
    }

    private StoredTransferSearch.Found search(String text, Caller caller, int limit) throws IOException {
        LoopQueries questions = new LoopQueries(net);
        if (text.isEmpty() && caller.access().seesAll()) {
            return new StoredTransferSearch.Found(questions.ask(done -> store.transfers(limit, done)), 0);
        }
        return StoredTransferSearch.of(questions, store)
                .find(manifest -> isSeen(caller, manifest) && matches(manifest, text), limit);
    }

    private static boolean isSeen(Caller caller, Manifest manifest) {
        return caller.access().seesAll() || caller.access().sees(manifest.topic());
    }

    /** Those that are refused for now and of which nothing is here. On the loop. */
    private Stream<WaitingTransfers.Waiting> refused(List<StoredTransferStatus> kept, String text, Caller caller) {
        Set<TransferKey> known =
                kept.stream().map(status -> status.transfer().manifest().key()).collect(Collectors.toSet());
        return relay.waitingForSpace().lately().stream()
                .filter(each -> !known.contains(each.manifest().key())
                        && isSeen(caller, each.manifest())
                        && matches(each.manifest(), text));
    }

    private static boolean matches(Manifest manifest, String text) {
        return manifest.key().toString().contains(text) || manifest.name().contains(text);
    }
}
