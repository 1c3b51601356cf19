package io.hawser.broker;

import io.hawser.broker.admin.BrokerPages;
import io.hawser.broker.admin.BrokerStalls;
import io.hawser.broker.admin.RetryingEnd;
import io.hawser.broker.admin.StartupPages;
import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.session.BrokerSessions;
import io.hawser.broker.session.NodeBindings;
import io.hawser.broker.session.PeerAuthorizer;
import io.hawser.broker.session.Principals;
import io.hawser.broker.session.StoredBindings;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.NodeId;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.GreetingFactory;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.event.EventFacts;
import io.hawser.ops.event.EventLog;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ops.node.NodeBase;
import io.hawser.ops.node.SmallFileExecutor;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.DiskGauges;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ptcp.PtcpServer;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker as a node: accepts sessions, relays transfers and stores them.
 *
 * <p>Thread: any; protocol state belongs to its network loop.
 */
public final class Broker extends NodeBase {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final long TICK_MILLIS = 100;
    /** How often the broker looks for changed rights. */
    private static final int TICKS_PER_LOOK = 10;
    /** How often it is looked for what does not move. */
    private static final int TICKS_PER_STALL_LOOK = 20;
    /** Answers to calls on their way through; nothing else takes from them, and they take from nothing else. */
    private static final int ANSWER_BUFFERS = 16;
    /** How long the sessions may take to end in order. */
    private static final long STOP_MILLIS = 2000;

    private static final String NAME = "broker";

    private final BrokerConfig config;
    private final NodeDirectory directory;
    private final BrokerStore store;
    private final Relay relay;
    private final BrokerSessions sessions;
    private final PeerAuthorizer authorizer;
    private final BrokerPages pages;
    private final BrokerStalls stalls;
    private final SmallFileExecutor disk = new SmallFileExecutor("hawser-bindings");
    private @Nullable PtcpServer server;
    private long ticks;
    private QuotaResolver charged = QuotaResolver.NONE;

    private Broker(BrokerConfig config, DiskStorage storage) throws IOException {
        this.config = config;
        FragmentBufferPool pool =
                new FragmentBufferPool(config.fragmentSizeBytes(), config.buffers(), config.loanBuffers());
        FragmentBufferPool reads = new FragmentBufferPool(config.fragmentSizeBytes(), config.readBuffers());
        try {
            directory =
                    NodeDirectory.open(storage, config.data(), () -> LocalStore.writtenEpoch(storage, config.data()));
            keepsDataIn("data", storage, config.data());
            authorizer = authorizer(config, storage, disk, net.loop(), this::chargeAgain);
            StartupPages start = new StartupPages();
            EventLog events = recordsEvents(storage);
            events.details(event ->
                    new EventFacts.Details("node " + event.key().publisher(), "", -1)); // of what no account sent
            openAdmin(
                    new AdminSettings(config.admin(), config.adminTls(), config.supervision()),
                    start.pages(brokerMetrics(storage)),
                    start.actions(),
                    authorizer::access);
            store = config.store()
                    .open(storage, directory, config.data(), reads, net.loop(), this::fail, start, events);
        } catch (IOException | RuntimeException e) {
            closeAdmin();
            net.close();
            throw e;
        }
        relay = new Relay(store, pool, config.relay(), net.loop(), System::currentTimeMillis, System::nanoTime);
        Greeting own = GreetingFactory.greeting(Greeting.Role.BROKER, directory.id(), directory.epoch(), 0);
        FragmentBufferPool answers = new FragmentBufferPool(config.fragmentSizeBytes(), ANSWER_BUFFERS);
        CallRelay calls = new CallRelay(answers, net.loop(), relay.subscriptions()::areConnected);
        stalls = new BrokerStalls(store, relay, config.supervision().warnAfter());
        Principals principals = new Principals(config.buffers(), System::nanoTime);
        sessions = new BrokerSessions(relay, calls, pool, own, authorizer, principals);
        pages = new BrokerPages(
                net,
                store,
                relay,
                calls,
                sessions,
                pool,
                stalls,
                this::isWhole,
                this::tlsFacts,
                this::allWarnings,
                brokerMetrics(storage));
    }

    private EventLog recordsEvents(DiskStorage storage) {
        EventSettings settings = config.supervision().events();
        return config.store()
                .events()
                .map(journal -> recordsEvents(NAME, storage, config.data(), journal, settings))
                .orElseGet(() -> recordsEvents(NAME, storage, config.data(), settings));
    }

    private NodeMetrics brokerMetrics(DiskStorage storage) {
        NodeMetrics metrics = nodeMetrics();
        DiskGauges.add(metrics, storage.forces());
        return metrics;
    }

    private static PeerAuthorizer authorizer(
            BrokerConfig config, Storage storage, Executor disk, Executor loop, Consumer<NodeId> bound)
            throws IOException {
        NodeTls tls = config.adminTls();
        Audit audit = config.supervision().audit();
        return tls == null
                ? new PeerAuthorizer(null, null, NodeBindings.NONE, audit)
                : new PeerAuthorizer(
                        tls, config.acl(), StoredBindings.open(storage, config.data(), disk, loop, bound), audit);
    }

    /** Opens its data directory, recovers, and listens. */
    public static Broker start(BrokerConfig config) throws IOException {
        return begun(new Broker(config, new DiskStorage(System::nanoTime)));
    }

    @Override
    protected void begin() throws IOException {
        CompletableFuture<Integer> recovered = new CompletableFuture<>();
        failsWith(recovered);
        chargeTenants();
        net.loop()
                .execute(() -> relay.start(outcome -> {
                    Refusal refusal = outcome.refusal();
                    if (refusal == null) {
                        recovered.complete(outcome.get());
                    } else {
                        recovered.completeExceptionally(new IOException(refusal.detail()));
                    }
                }));
        NodeThreads.await(recovered);
        server = PtcpServer.listen(net.group(), config.listen().resolve(), config.ptcp(), sessions);
        var unused = net.loop().scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        pages.start();
        Map<String, AdminPage> actions = new LinkedHashMap<>(pages.actions());
        actions.putAll(steeringPages(pages.steering(), config.supervision()));
        showPages(pages.pages(), actions);
    }

    /** Lets {@code hawser retry} at the broker retry the dead letters of a far end in this process. */
    public void retryAt(RetryingEnd end) {
        pages.retryAt(end);
    }

    /** A node that came for the first time: its tenant is known by now. */
    private void chargeAgain(NodeId node) {
        store.chargeAgain(node);
    }

    /** A store that dies answers no more: fails everything that waits for it. */
    private void failsWith(CompletableFuture<?> waiting) {
        var unused = failure().whenComplete((never, reason) -> waiting.completeExceptionally(reason));
    }

    private List<HealthWarning> allWarnings() {
        List<HealthWarning> all = new ArrayList<>(warnings());
        authorizer.problem().ifPresent(problem -> all.add(WarningCode.ACL.says(problem)));
        return all;
    }

    /** A failure of one run, such as for want of memory, must not end the periodic work: an executor would not run it again. */
    private void tick() {
        try {
            runPeriodicWork();
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("A run of the broker's periodic work failed. The next one comes");
        }
    }

    private void runPeriodicWork() {
        relay.tick(System.nanoTime());
        sessions.tick();
        if (ticks % TICKS_PER_STALL_LOOK == 0) {
            stalls.look();
        }
        if (++ticks % TICKS_PER_LOOK == 0 && config.adminTls() != null) {
            if (authorizer.refresh()) {
                chargeTenants();
                sessions.recheck();
            }
        }
    }

    private void chargeTenants() {
        QuotaResolver now = authorizer.tenants();
        if (!now.quotas().equals(charged.quotas())) {
            charged = now;
            store.charge(now);
        }
    }

    @Override
    protected Map<String, String> ownAddresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        PtcpServer listening = server;
        if (listening != null) {
            addresses.put("ptcp", HostPort.of(listening.localAddress()).toString());
        }
        return addresses;
    }

    @Override
    protected void end() {
        if (server != null) {
            var unused = server.close("the broker is stopping").awaitUninterruptibly(STOP_MILLIS);
        }
        disk.close();
        store.close();
        net.close();
        directory.close();
    }
}
