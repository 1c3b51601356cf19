package io.hawser.agentb;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.meter.CallCounts;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.SubscriptionHop;
import io.hawser.core.why.WaitStage;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.event.EventLog;
import io.hawser.ops.node.ForecastBoard;
import io.hawser.ops.node.NodeBase;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.DiskGauges;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.Recent;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ops.steer.TransferSteering;
import io.hawser.store.landing.DeadLetter;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The far-end node: receives the transfers of one subscription, verifies them on what it reads back from the disk, and delivers each once, into a
 * directory or to a far server.
 *
 * <p>Thread: any; the network loop owns the protocol state.
 */
public final class AgentB extends NodeBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentB.class);
    private static final long FAILURE_CHECK_MILLIS = 200;
    /** Health checks, metrics and pages ask at the same time, and there may be many transfers. */
    private static final Duration HEALTH_AGE = Duration.ofSeconds(2);

    private final AgentBConfig config;
    private final NodeDirectory directory;
    private final OpenedDestination target;
    private final LandingArea landing;
    private final BrokerConnection connection;
    private final AgentBWaits waits;
    private final ForecastBoard forecasts;
    private final SubscriptionHop hop;
    private final Optional<FileService> fileService;
    private final DeadLetterPages deadLetterPages = DeadLetterPages.of(new DeadLetterAccess());
    private final Recent<LandingHealth> landingHealths =
            new Recent<>(HEALTH_AGE, System::nanoTime, this::newLandingHealth);
    private final NodeMetrics metrics = nodeMetrics();
    private final AgentBPages pages = new AgentBPages(
            this::health, metrics, this::landingStatus, this::landed, this::why, this::forecasts, deadLetterPages);
    private final ConnectionState broker = new ConnectionState();
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    /** Why the broker does not send this node questions about files; empty if it does. */
    private volatile String servingRefusal = "";
    /** Why the broker has refused the subscription for now; empty if it has not. */
    private volatile String subscriptionRefusal = "";

    private AgentB(AgentBConfig config, DiskStorage storage) throws IOException {
        this.config = config;
        try {
            directory = NodeDirectory.open(storage, config.data(), () -> writtenElsewhere(config, storage));
            FileTimeHistory timeChanges = new FileTimeHistory();
            target = OpenedDestination.open(config, storage, timeChanges);
            EventLog events = recordsEvents(
                    "agent-b",
                    storage,
                    config.data(),
                    config.admin().supervision().events());
            StoreRuntime runtime = LandingArea.runtime(net.digests().warmUp()).withEvents(events);
            landing = LandingArea.open(
                    storage, target.landing(), target.target(), runtime, net.loop(), this::sendReceipt);
            waits = new AgentBWaits(
                    net,
                    landing,
                    config.subscription().name(),
                    target.far().isPresent() ? WaitStage.FAR_SERVER : WaitStage.FAR_DISK);
            forecasts = new ForecastBoard(
                    new LandingForecast(landing, config.delivery().headRoomBytes()));
            DiskGauges.add(metrics, storage.forces());
            DiskGauges.add(metrics, runtime.disk());
            StalledTransfers.add(metrics, this::stalled);
            if (target.binding().isPresent()) {
                target.binding().get().bind();
            }
            keepsDataIn("data", storage, config.data());
            keepsDataIn("into", storage, target.landing().directory());
            if (config.delivery().into() instanceof Destination.Directory into) {
                needsDirectory(storage, into.path());
            }
            int fragmentBytes = config.memory().fragmentSizeBytes();
            int buffers = config.memory().buffers();
            FragmentBufferPool pool = new FragmentBufferPool(fragmentBytes, buffers);
            AgentBConfig.Subscription subscription = config.subscription();
            hop = new SubscriptionHop(
                    new SubscriptionHop.Request(
                            subscription.name(),
                            subscription.topic(),
                            subscription.startAt(),
                            AckLevel.DURABLE,
                            config.serve().isPresent() ? ServingMode.SERVES : ServingMode.CLOSED,
                            subscription.terms()),
                    landing,
                    pool,
                    landing::pendingReceipts,
                    (long) fragmentBytes * Math.max(2, buffers * 3 / 4),
                    new SubscriptionListener());
            connection = net.connection(
                    config.broker().addresses(),
                    config.broker().ptcp(),
                    Greeting.Role.AGENT_B,
                    directory.id(),
                    directory.epoch(),
                    pool,
                    broker);
            NodeTls tls = config.admin().tls();
            if (tls != null) {
                connection.rights(tls::grants);
            }
            fileService = config.serve().isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            FileService.open(config.serve().get(), storage, timeChanges, fragmentBytes, net.loop()));
            Optional<CallCounts> calls =
                    fileService.map(service -> service.calls().counts());
            AgentBMetrics.add(metrics, () -> net.onLoop(() -> AgentBMetrics.of(landing, hop, calls)), broker);
        } catch (IOException | RuntimeException e) {
            net.close();
            throw e;
        }
    }

    /** The landing area makes no receipt before {@link #begin}, when the hop exists. Thread: the loop. */
    private void sendReceipt(Receipt receipt) {
        assert net.loop().inEventLoop();
        hop.receipt(receipt);
    }

    /** The epoch that a landing area outside a data directory without the file {@code epoch} proves: that file was lost. */
    private static long writtenElsewhere(AgentBConfig config, Storage storage) throws StorageException {
        return NodeDirectory.isUnborn(storage, config.data())
                        && !NodeDirectory.isNew(storage, OpenedDestination.landingDirectory(config))
                ? 1
                : 0;
    }

    /** Opens the directories and begins to connect. */
    public static AgentB start(AgentBConfig config) throws IOException {
        return begun(new AgentB(config, new DiskStorage(System::nanoTime)));
    }

    @Override
    protected void begin() throws IOException {
        net.onLoop(() -> {
            landing.start();
            fileService.ifPresent(service -> connection.calls(service.calls()));
            target.start();
            fileService.ifPresent(FileService::start);
            connection.subscribe(hop);
            connection.start();
            waits.start();
            forecasts.start(net.loop());
            var unused = net.loop()
                    .scheduleAtFixedRate(
                            this::failIfLandingFailed,
                            FAILURE_CHECK_MILLIS,
                            FAILURE_CHECK_MILLIS,
                            TimeUnit.MILLISECONDS);
            return true;
        });
        openAdmin(
                config.admin(),
                pages.pages(),
                actions(),
                rightsInCertificates(config.admin().tls()));
    }

    private Map<String, AdminPage> actions() {
        Map<String, AdminPage> actions = new LinkedHashMap<>(deadLetterPages.actions());
        actions.putAll(steeringPages(
                new AgentBSteering(net, landing, pages), config.admin().supervision()));
        return actions;
    }

    /** How it steers the transfers that are here. */
    public TransferSteering steering() {
        return new AgentBSteering(net, landing, pages);
    }

    private void failIfLandingFailed() {
        IOException failure = landing.failure() != null ? landing.failure() : landing.fileFailure();
        if (failure != null) {
            fail(failure);
        }
    }

    @Override
    protected Map<String, String> ownAddresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("topic", config.subscription().topic().name());
        addresses.put("subscription", config.subscription().name());
        return addresses;
    }

    /** Completes when the subscription is durable at the broker, so that the broker keeps for it what publishers send. */
    @Override
    public CompletionStage<Void> ready() {
        return subscribed;
    }

    @Override
    public String waitsFor() {
        return "its subscription: " + subscriptionProblem();
    }

    private String subscriptionProblem() {
        if (!broker.isConnected()) {
            return broker.problem();
        }
        return subscriptionRefusal.isEmpty() ? "the broker has not answered yet" : subscriptionRefusal;
    }

    private LandingStatus landingStatus() throws IOException {
        return net.onLoop(landing::status);
    }

    private List<LandingTransferStatus> landed(String text) throws IOException {
        return net.onLoop(() -> landing.transfers(text));
    }

    private Optional<NodePages.FoundWhy> why(TransferKey key) throws IOException {
        return waits.find(key);
    }

    private List<ForecastLine> forecasts() {
        return forecasts.latest();
    }

    private Health health() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("broker", broker.text());
        facts.put("subscription", subscribed.isDone() ? "made" : "not subscribed yet: " + subscriptionProblem());
        facts.putAll(tlsFacts());
        facts.put("into", target.name());
        target.credentials().ifPresent(credentials -> facts.put("into.credentials", credentials));
        fileService.ifPresent(service -> facts.put("serve", service.name()));
        return Health.of(isWhole() && landing.failure() == null, "agent-b", facts)
                .with(broker.warning(warnAfter()).map(WarningCode.BROKER_AWAY::says).stream()
                        .toList())
                .with(farServerWarnings())
                .with(landingHealth().warnings())
                .with(stalled().warnings())
                .with(forecasts.warnings())
                .with(warnings());
    }

    private Duration warnAfter() {
        return config.admin().supervision().warnAfter();
    }

    private List<HealthWarning> farServerWarnings() {
        List<HealthWarning> problems = new ArrayList<>();
        problems.add(WarningCode.INTO_PROBLEM.about(target.name(), target.problem()));
        fileService.ifPresent(
                service -> problems.add(WarningCode.SERVE_PROBLEM.about(service.name(), service.problem())));
        problems.add(WarningCode.SERVE_REFUSED.says(servingRefusal));
        problems.removeIf(each -> each.sentence().isEmpty());
        return problems;
    }

    private StalledTransfers stalled() {
        return landingHealth().stalled(warnAfter());
    }

    private LandingHealth newLandingHealth() throws IOException {
        return net.onLoop(() -> new LandingHealth(Optional.of(landing.status()), landing.transfers("")));
    }

    private LandingHealth landingHealth() {
        try {
            return landingHealths.get();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the node is stopping; the landing area is not asked any more");
            return new LandingHealth(Optional.empty(), List.of());
        }
    }

    @Override
    protected void end() {
        net.hangUp(connection);
        fileService.ifPresent(FileService::close);
        target.close();
        landing.close();
        net.close();
        directory.close();
    }

    /** Reaches the landing area's dead letters on its loop. */
    private final class DeadLetterAccess implements DeadLetterPages.Letters {
        @Override
        public List<DeadLetter> list() throws IOException {
            return net.onLoop(landing::deadLetters);
        }

        @Override
        public CompletableFuture<Outcome<TransferKey>> retry(TransferKey key) {
            CompletableFuture<Outcome<TransferKey>> done = new CompletableFuture<>();
            net.loop().execute(() -> landing.retryDead(key, done::complete));
            return done;
        }

        @Override
        public CompletableFuture<Outcome<TransferKey>> drop(TransferKey key) {
            CompletableFuture<Outcome<TransferKey>> done = new CompletableFuture<>();
            net.loop().execute(() -> landing.dropDead(key, done::complete));
            return done;
        }
    }

    private final class SubscriptionListener implements SubscriptionHop.Listener {
        @Override
        public void onSubscribed() {
            servingRefusal = "";
            subscriptionRefusal = "";
            subscribed.complete(null);
            LOG.atInfo()
                    .addKeyValue("topic", config.subscription().topic())
                    .addKeyValue("subscription", config.subscription().name())
                    .log("subscribed");
        }

        @Override
        public void onNotServing(Refusal refusal) {
            servingRefusal = refusal.detail();
            LOG.atWarn().addKeyValue("reason", servingRefusal).log("clients of agent-a cannot read this node's files");
        }

        @Override
        public void onRefused(Refusal refusal) {
            if (refusal.code().retriable()) {
                subscriptionRefusal = refusal.detail();
                LOG.atWarn()
                        .addKeyValue("reason", refusal.detail())
                        .log("the broker refused the subscription; trying again");
            } else {
                fail(new CommandException(ExitCode.REFUSED, refusal.detail()));
            }
        }
    }
}
