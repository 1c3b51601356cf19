package io.hawser.ops.node;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.cli.Node;
import io.hawser.ops.cli.Version;
import io.hawser.ops.event.EventLog;
import io.hawser.ops.event.EventStorage;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.HttpRequestCounts;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.ProcessMetrics;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ops.steer.SteeringPages;
import io.hawser.ops.steer.TransferSteering;
import io.hawser.ptcp.TlsProviders;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.DirectoryLossDetector;
import io.hawser.store.storage.FileSystemKind;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The base of the three nodes: their network loop, admin pages and directory checks, how they report that they have failed, and the order in which they
 * start and stop.
 *
 * <p>Thread: any; the network loop owns the protocol state.
 */
public abstract class NodeBase implements Node {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBase.class);
    private static final long DIRECTORY_CHECK_SECONDS = 5;
    private static final long LOSS_CHECK_SECONDS = 1;

    /** Its network loop and digest threads, which the node closes in {@link #end}. */
    protected final NodeThreads net = new NodeThreads();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile @Nullable AdminServer admin;
    private Audit audit = Audit.NONE;
    private volatile Map<String, AdminPage> ownPages = Map.of();
    private volatile Map<String, AdminPage> ownActions = Map.of();
    private @Nullable NodeRecords records;
    private volatile @Nullable NodeTls keys;
    private final List<HealthWarning> fileSystems = new CopyOnWriteArrayList<>();
    private final List<WatchedDirectory> watched = new ArrayList<>();
    private volatile List<DirectoryLossDetector> watches = List.of();
    private final EventLoopWatchdog watchdog =
            new EventLoopWatchdog(net.loop(), Duration.ofSeconds(1), System::nanoTime);
    private final ScheduledExecutorService directoryWatch = DaemonThreads.timer("hawser-directory-watch");

    /** A directory that must stay; {@code isData}: with its content. */
    private record WatchedDirectory(Storage storage, Path directory, boolean isData) {}

    /** Starts a node; if that fails, stops it and throws the reason. */
    protected static <N extends NodeBase> N begun(N node) throws IOException {
        try {
            node.begin();
            ((NodeBase) node).watchDirectories();
            return node;
        } catch (IOException | RuntimeException e) {
            node.stop();
            throw e;
        }
    }

    /** Recovers, listens and connects. */
    protected abstract void begin() throws IOException;

    /** Ends everything that it has started, in order. The admin pages are closed already. */
    protected abstract void end();

    /** The addresses that are its own, in the order of the READY line. */
    protected abstract Map<String, String> ownAddresses();

    /** New metrics with those that each node has: its build, its certificate, its admin server, its process. */
    protected final NodeMetrics nodeMetrics() {
        NodeMetrics metrics = new NodeMetrics();
        metrics.info(
                        "hawser_build_info",
                        "Which Hawser this is.",
                        Map.of("version", Version.number(), "java", System.getProperty("java.version")))
                .gauges(
                        "hawser_certificate_expiry_timestamp_seconds",
                        "When the node's certificate expires, in seconds since 1970; absent without TLS.",
                        this::certificateExpiry)
                .counters(
                        "hawser_http_requests_total",
                        "Requests to the admin server by page and class of status.",
                        () -> httpSamples(HttpRequestCounts::samples))
                .counters(
                        "hawser_http_logins_total",
                        "Requests to the admin server with a token or certificate, or without one that they needed, by"
                                + " outcome.",
                        () -> httpSamples(HttpRequestCounts::logins));
        ProcessMetrics.add(metrics);
        return metrics;
    }

    private List<Sample> certificateExpiry() {
        NodeTls tls = keys;
        return tls == null ? List.of() : Sample.of((double) tls.validUntil().getEpochSecond());
    }

    private List<Sample> httpSamples(Function<HttpRequestCounts, List<Sample>> of) {
        AdminServer running = admin;
        return running == null ? List.of() : of.apply(running.requests());
    }

    /**
     * Shows pages and takes actions at the address of {@code settings}, if there is one. From here on the node warns before its certificate
     * ends.
     *
     * @param rights what the owner of a certificate may do
     */
    protected final void openAdmin(
            AdminSettings settings,
            Map<String, AdminPage> pages,
            Map<String, AdminPage> actions,
            Function<X509Certificate, Access> rights)
            throws IOException {
        NodeTls tls = settings.tls();
        SupervisionSettings supervision = settings.supervision();
        keys = tls;
        audit = supervision.audit();
        ownPages = pages;
        ownActions = actions;
        if (settings.address().isPresent()) {
            admin = AdminServer.start(
                    settings.address().get(),
                    withRecords(pages),
                    NodePages.actions(actions),
                    tls == null ? null : tls.jdkContext(),
                    new AdminGuard(supervision.token(), rights, audit));
        }
        ScheduledExecutorService timer = net.loop();
        var unused = timer.scheduleAtFixedRate(this::logWarnings, 0, 1, TimeUnit.DAYS);
    }

    /**
     * Shows at this node's admin address what {@code others} have: nodes of this process without an admin address of their own. Called once, after all
     * have begun.
     */
    public final void showsAlso(List<NodeBase> others) {
        showAll(
                ProcessPages.with(
                        ownPages, others.stream().map(each -> each.ownPages).toList()),
                ProcessPages.with(
                        ownActions, others.stream().map(each -> each.ownActions).toList()));
    }

    /** The actions that steer transfers. Called once, after {@link #recordsEvents}. */
    protected final Map<String, AdminPage> steeringPages(TransferSteering steering, SupervisionSettings supervision) {
        EventLog events = Objects.requireNonNull(records).events();
        return new SteeringPages(steering, supervision.audit(), events::listen).pages();
    }

    /** Replaces the pages and actions of {@link #openAdmin}. */
    protected final void showPages(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        ownPages = pages;
        ownActions = actions;
        showAll(pages, actions);
    }

    private void showAll(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        if (admin != null) {
            admin.show(withRecords(pages), NodePages.actions(actions));
        }
    }

    private Map<String, AdminPage> withRecords(Map<String, AdminPage> pages) {
        return records == null ? pages : records.pages(pages);
    }

    /**
     * Records what happens, in the directory {@code events} of the node's data directory, which the node's store has taken when it begins.
     * Called once, before {@link #openAdmin}.
     *
     * @param node the node's name
     * @return to be told by the node's store
     */
    protected final EventLog recordsEvents(String node, Storage storage, Path data, EventSettings settings) {
        EventStorage journal = EventStorage.local(storage, EventLog.directoryIn(data), settings.quotaBytes());
        return recordsEvents(node, storage, data, journal, settings);
    }

    /** The same with the events elsewhere, and only their index in that directory. */
    protected final EventLog recordsEvents(
            String node, Storage storage, Path data, EventStorage journal, EventSettings settings) {
        NodeRecords made = new NodeRecords(node, storage, EventLog.directoryIn(data), journal, settings, this::fail);
        records = made;
        return made.events();
    }

    private void closeRecords() {
        if (records != null) {
            records.close();
        }
    }

    /** For a node that failed before {@link #begin}. */
    protected final void closeAdmin() {
        closeRecords();
        directoryWatch.shutdown();
        if (admin != null) {
            admin.close();
        }
        audit.close();
    }

    /** The rights that a certificate names: all if it names none, none if it is revoked. */
    protected static Function<X509Certificate, Access> rightsInCertificates(@Nullable NodeTls tls) {
        return certificate -> {
            Identity identity = CertificateIdentity.identity(certificate);
            boolean revoked = tls != null && tls.isRevoked(certificate);
            return new Access(
                    identity, revoked ? Grants.NONE : identity.grants().orElse(Grants.UNLESS_NAMED));
        };
    }

    /**
     * Watches a directory with data that the node has acked: the node ends if the directory, or one in it, is removed, replaced or unmounted. {@code
     * /health} warns if the file system is not safe for such data.
     *
     * @param what the directory's flag, without dashes
     */
    protected final void keepsDataIn(String what, Storage storage, Path directory) {
        watched.add(new WatchedDirectory(storage, directory, true));
        FileSystemKind.warning(storage, directory)
                .ifPresent(warning -> fileSystems.add(WarningCode.FILE_SYSTEM.about(what, warning)));
    }

    /** The node ends if {@code directory} is removed, replaced or unmounted. */
    protected final void needsDirectory(Storage storage, Path directory) {
        watched.add(new WatchedDirectory(storage, directory, false));
    }

    private void watchDirectories() throws IOException {
        if (watched.isEmpty()) {
            return;
        }
        List<DirectoryLossDetector> made = new ArrayList<>();
        for (WatchedDirectory each : watched) {
            DirectoryLossDetector detector = new DirectoryLossDetector(each.storage());
            if (each.isData()) {
                detector.addData(each.directory());
            } else {
                detector.add(each.directory());
            }
            made.add(detector);
        }
        watches = List.copyOf(made);
        var unused = directoryWatch.scheduleWithFixedDelay(
                () -> loss().ifPresent(failure::completeExceptionally),
                DIRECTORY_CHECK_SECONDS,
                DIRECTORY_CHECK_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Warnings for {@code /health} about file systems and the certificate. */
    protected final List<HealthWarning> warnings() {
        List<HealthWarning> found = new ArrayList<>(fileSystems);
        found.addAll(certificateWarning());
        watchdog.problem().ifPresent(problem -> found.add(WarningCode.NETWORK.says(problem)));
        if (records != null) {
            found.addAll(records.warnings());
        }
        return found;
    }

    /** The TLS implementation, for {@code /health}; empty without keys. */
    protected final Map<String, String> tlsFacts() {
        return keys == null ? Map.of() : Map.of("tls", "by " + TlsProviders.name());
    }

    private List<HealthWarning> certificateWarning() {
        NodeTls tls = keys;
        return tls == null
                ? List.of()
                : tls.warning(Instant.now()).map(WarningCode.CERTIFICATE::says).stream()
                        .toList();
    }

    private void logWarnings() {
        certificateWarning().forEach(warning -> LOG.atWarn()
                .addKeyValue("what", warning.code())
                .addKeyValue("warning", warning.sentence())
                .log("needs attention"));
    }

    /** The node cannot continue. Only the first reason counts. */
    protected final void fail(Throwable reason) {
        if (!(reason instanceof StorageException)) {
            failure.completeExceptionally(reason);
            return;
        }
        try {
            // Perhaps only because a directory is gone, which says more. A disk that hangs must not delay the end.
            var unused = CompletableFuture.runAsync(
                            () -> loss().ifPresent(failure::completeExceptionally), directoryWatch)
                    .orTimeout(LOSS_CHECK_SECONDS, TimeUnit.SECONDS)
                    .whenComplete((done, late) -> failure.completeExceptionally(reason));
        } catch (RejectedExecutionException e) { // the node stops, and looks no more
            failure.completeExceptionally(reason);
        }
    }

    private Optional<DirectoryGoneException> loss() {
        return watches.stream()
                .map(DirectoryLossDetector::look)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Whether {@link #fail} was not called, and the network loop turns. */
    protected final boolean isWhole() {
        return !failure.isDone() && watchdog.problem().isEmpty();
    }

    @Override
    public final Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>(ownAddresses());
        AdminServer running = admin;
        if (running != null) {
            addresses.put("admin", running.address().toString());
        }
        return addresses;
    }

    @Override
    public final CompletionStage<Void> failure() {
        return failure;
    }

    @Override
    public final void stop() {
        directoryWatch.shutdown();
        if (admin != null) {
            admin.close();
        }
        if (records != null) {
            records.closeReaders();
        }
        end();
        closeRecords();
        audit.close();
    }
}
