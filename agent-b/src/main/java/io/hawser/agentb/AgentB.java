package io.hawser.agentb;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.Serving;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.SubscriptionHop;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.node.NodeBase;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.StallCause;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.store.landing.DeadLetter;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.TimeChanges;
import java.io.IOException;
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
 * The far edge: receives what one subscription is owed, verifies it on bytes that were read back from the disk, and publishes
 * it into a directory or uploads it to a far server, once each.
 *
 * <p>Thread: any; protocol state belongs to its network loop.
 */
public final class AgentB extends NodeBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentB.class);
    private static final long FAILURE_CHECK_MILLIS = 200;

    private final AgentBConfig config;
    private final NodeDirectory directory;
    private final Target target;
    private final LandingArea landing;
    private final BrokerConnection connection;
    private final SubscriptionHop hop;
    private final Optional<FileService> shown;
    private final DeadLetterPages deadPages = new DeadLetterPages(new DeadLetterAccess());
    private final AgentBPages pages = new AgentBPages(this::health, this::stalled, this::landingStatus, deadPages);
    private final ConnectionState broker = new ConnectionState();
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    private volatile String notServing = "";
    /** Why the broker has refused the subscription for now; empty if it has not. */
    private volatile String notSubscribed = "";

    private AgentB(AgentBConfig config, Storage storage) throws IOException {
        this.config = config;
        try {
            directory = NodeDirectory.open(storage, config.data(), () -> writtenElsewhere(config, storage));
            TimeChanges timeChanges = new TimeChanges();
            target = Target.open(config, storage, timeChanges);
            SubscriptionHop[] created = new SubscriptionHop[1];
            landing = LandingArea.open(
                    storage,
                    target.landing(),
                    target.target(),
                    net.digests().warmUp(),
                    net.loop(),
                    receipt -> created[0].receipt(receipt));
            if (target.binding().isPresent()) {
                target.binding().get().bind();
            }
            keepsDataIn("data", storage, config.data());
            keepsDataIn("into", storage, target.landing().directory());
            if (config.into() instanceof Destination.Directory into) {
                needsDirectory(storage, into.path());
            }
            FragmentBufferPool pool = new FragmentBufferPool(config.fragmentSizeBytes(), config.buffers());
            hop = new SubscriptionHop(
                    new SubscriptionHop.Request(
                            config.subscription(),
                            config.topic(),
                            config.startAt(),
                            io.hawser.core.model.AckLevel.DURABLE,
                            config.serve().isPresent() ? Serving.SERVES : Serving.CLOSED,
                            config.terms()),
                    landing,
                    pool,
                    landing::pendingReceipts,
                    (long) config.fragmentSizeBytes() * Math.max(2, config.buffers() * 3 / 4),
                    new Subscription());
            created[0] = hop;
            connection = net.connection(
                    config.brokers(),
                    config.ptcp(),
                    Greeting.Role.AGENT_B,
                    directory.id(),
                    directory.epoch(),
                    pool,
                    broker);
            NodeTls tls = config.adminTls();
            if (tls != null) {
                connection.rights(tls::grants);
            }
            shown = config.serve().isEmpty()
                    ? Optional.empty()
                    : Optional.of(FileService.open(
                            config.serve().get(), storage, timeChanges, config.fragmentSizeBytes(), net.loop()));
        } catch (IOException | RuntimeException e) {
            net.close();
            throw e;
        }
    }

    /** Where the file {@code epoch} is missing, a landing area that is elsewhere shows that it was lost; it counts its own lives. */
    private static long writtenElsewhere(AgentBConfig config, Storage storage) throws StorageException {
        return NodeDirectory.isUnborn(storage, config.data())
                        && !NodeDirectory.isNew(storage, Target.landingDirectory(config))
                ? 1
                : 0;
    }

    /** Opens its directories and begins to connect. */
    public static AgentB start(AgentBConfig config) throws IOException {
        return begun(new AgentB(config, new DiskStorage()));
    }

    @Override
    protected void begin() throws IOException {
        net.onLoop(() -> {
            landing.start();
            shown.ifPresent(showing -> connection.calls(showing.calls()));
            target.start();
            shown.ifPresent(FileService::start);
            connection.subscribe(hop);
            connection.start();
            var unused = net.loop()
                    .scheduleAtFixedRate(
                            this::checkLanding, FAILURE_CHECK_MILLIS, FAILURE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        });
        openAdmin(
                config.admin(),
                pages.pages(),
                deadPages.actions(),
                config.adminTls(),
                guard(config.adminTls(), config.oversight()));
    }

    private void checkLanding() {
        IOException broken = landing.failure() != null ? landing.failure() : landing.fileFailure();
        if (broken != null) {
            fail(broken);
        }
    }

    @Override
    protected Map<String, String> ownAddresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        addresses.put("topic", config.topic().name());
        addresses.put("subscription", config.subscription());
        return addresses;
    }

    /** It can be used when the broker keeps for it what is sent: its subscription is durable there. */
    @Override
    public CompletionStage<Void> ready() {
        return subscribed;
    }

    @Override
    public String waitsFor() {
        return "its subscription: " + whyNotSubscribed();
    }

    private String whyNotSubscribed() {
        if (!broker.isConnected()) {
            return broker.problem();
        }
        return notSubscribed.isEmpty() ? "the broker has not answered yet" : notSubscribed;
    }

    private LandingStatus landingStatus() throws IOException {
        return net.onLoop(landing::status);
    }

    private Health health() {
        Map<String, String> detail = new LinkedHashMap<>();
        detail.put("broker", broker.text());
        detail.put("subscription", subscribed.isDone() ? "made" : "not subscribed yet: " + whyNotSubscribed());
        detail.putAll(tlsFacts());
        detail.put("into", target.shown());
        target.credentials().ifPresent(credentials -> detail.put("into.credentials", credentials));
        shown.ifPresent(showing -> detail.put("serve", showing.shown()));
        return Health.of(landing.failure() == null, "agent-b", detail)
                .with(broker.warning(config.oversight().warnAfter()))
                .with(farWarnings())
                .with(landingWarnings())
                .with(stalled().warnings())
                .with(warnings());
    }

    /** What a restart of this node would not mend. */
    private Map<String, String> farWarnings() {
        Map<String, String> found = new LinkedHashMap<>();
        put(found, "into.problem", target.problem());
        put(found, "serve.problem", shown.map(FileService::problem).orElse(""));
        put(found, "serve.refused", notServing);
        int parked = parked();
        put(
                found,
                "dead-letters",
                parked == 0
                        ? ""
                        : parked + (parked == 1 ? " transfer" : " transfers")
                                + " could not be delivered; see 'hawser dead list'");
        return found;
    }

    private StalledTransfers stalled() {
        StalledTransfers stalled = new StalledTransfers(config.oversight().warnAfter());
        try {
            landingStatus().transfers().forEach(each -> add(each, stalled));
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the node is stopping; nothing is counted");
        }
        return stalled;
    }

    /** Dead letters have a warning of their own; what waits in line while its target takes others has no problem. */
    private static void add(LandingTransferStatus transfer, StalledTransfers stalled) {
        if (!transfer.problem().isEmpty() && transfer.state() != LandingState.PARKED) {
            StallCause cause = transfer.state() == LandingState.VERIFIED ? StallCause.TARGET : StallCause.REFUSED;
            stalled.add(cause, transfer.name(), transfer.problem(), transfer.idleMillis());
        }
    }

    /** What is the matter with the disk of the landing area. */
    private Map<String, String> landingWarnings() {
        Map<String, String> found = new LinkedHashMap<>();
        try {
            LandingStatus status = landingStatus();
            put(found, "landing.space", status.spaceProblem());
            put(
                    found,
                    "landing.journal",
                    status.journalDamages() == 0
                            ? ""
                            : "the disk has damaged the landing area's journal (" + status.journalDamages()
                                    + " places, see the log): what was recorded there is not known, and may be delivered again or not at"
                                    + " all. Check the disk, and compare what arrived");
            put(
                    found,
                    "landing.damaged",
                    status.damaged() == 0
                            ? ""
                            : "the disk changed what an earlier run had received (" + status.damaged()
                                    + " times since the start); see the log, and check the disk");
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the node is stopping; nothing is counted");
        }
        return found;
    }

    private static void put(Map<String, String> found, String what, String problem) {
        if (!problem.isEmpty()) {
            found.put(what, problem);
        }
    }

    private int parked() {
        try {
            return landingStatus().parked();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the node is stopping; nobody counts");
            return 0;
        }
    }

    @Override
    protected void end() {
        net.hangUp(connection);
        shown.ifPresent(FileService::close);
        target.close();
        landing.close();
        net.close();
        directory.close();
    }

    /** The landing area's dead letters, asked for on its loop. */
    private final class DeadLetterAccess implements DeadLetterPages.Letters {
        @Override
        public List<DeadLetter> list() throws IOException {
            return net.onLoop(landing::deadLetters);
        }

        @Override
        public boolean retry(TransferKey key) throws IOException {
            return net.onLoop(() -> landing.retryDead(key));
        }

        @Override
        public boolean drop(TransferKey key) throws IOException {
            return net.onLoop(() -> landing.dropDead(key));
        }
    }

    private final class Subscription implements SubscriptionHop.Listener {
        @Override
        public void onSubscribed() {
            notServing = "";
            notSubscribed = "";
            subscribed.complete(null);
            LOG.atInfo()
                    .addKeyValue("topic", config.topic())
                    .addKeyValue("subscription", config.subscription())
                    .log("subscribed");
        }

        @Override
        public void onNotServing(Refusal refusal) {
            notServing = refusal.detail();
            LOG.atWarn().addKeyValue("reason", notServing).log("readers do not get this node's files");
        }

        @Override
        public void onRefused(Refusal refusal) {
            if (refusal.code().retriable()) {
                notSubscribed = refusal.detail();
                LOG.atWarn().addKeyValue("reason", refusal.detail()).log("not subscribed yet; asking again");
            } else {
                fail(new CommandException(ExitCode.REFUSED, refusal.detail()));
            }
        }
    }
}
