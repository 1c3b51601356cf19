package io.hawser.ops.node;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.config.HostPort;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.core.tls.CertificateNames;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.AgentNet;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.cli.Node;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.Oversight;
import io.hawser.ptcp.TlsEngines;
import io.hawser.store.storage.DirectoryWatch;
import io.hawser.store.storage.FileSystemKind;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's threads, its admin pages, the news that it cannot go on, and the order in which it begins and ends.
 *
 * <p>Thread: any; protocol state belongs to its network loop.
 */
public abstract class NodeBase implements Node {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBase.class);
    private static final long DIRECTORY_LOOK_SECONDS = 5;

    /** Its network loop and digest threads, which the node closes in {@link #end}. */
    protected final AgentNet net = new AgentNet();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private @Nullable AdminServer admin;
    private Audit audit = Audit.NONE;
    private volatile @Nullable NodeTls keys;
    private final Map<String, String> fileSystems = new ConcurrentSkipListMap<>();
    private final List<Kept> kept = new ArrayList<>();
    private final ScheduledExecutorService directoryWatch =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("hawser-directory-watch"));

    /** A directory that must stay; {@code isData}: with what is in it. */
    private record Kept(Storage storage, Path directory, boolean isData) {}

    /** Lets a node begin; if it cannot, it is stopped and the reason thrown. */
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

    /** Does what a node does when all of it is there: recovers, listens, connects. */
    protected abstract void begin() throws IOException;

    /** Ends all that it has begun, in order. The admin pages are closed already. */
    protected abstract void end();

    /** The addresses that are its own, in the order of the READY line. */
    protected abstract Map<String, String> ownAddresses();

    /**
     * Shows pages and takes actions at {@code address}, if there is one.
     *
     * @param tls the node's keys, or null for plain HTTP; from here on it warns before its certificate ends
     * @param guard who may ask; its audit log is closed with the node
     */
    protected final void openAdmin(
            Optional<HostPort> address,
            Map<String, AdminPage> pages,
            Map<String, AdminPage> actions,
            @Nullable NodeTls tls,
            AdminGuard guard)
            throws IOException {
        keys = tls;
        audit = guard.audit();
        if (address.isPresent()) {
            admin = AdminServer.start(address.get(), pages, actions, tls == null ? null : tls.jdkContext(), guard);
        }
        ScheduledExecutorService timer = net.loop();
        var unused = timer.scheduleAtFixedRate(this::logWarnings, 0, 1, TimeUnit.DAYS);
    }

    /** From now on it shows these pages instead and takes these actions, where {@link #openAdmin} was told to. */
    protected final void showPages(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        if (admin != null) {
            admin.show(pages, actions);
        }
    }

    /** Of a node that did not come to {@link #begin}. */
    protected final void closeAdmin() {
        directoryWatch.shutdown();
        if (admin != null) {
            admin.close();
        }
        audit.close();
    }

    /** Admin pages for certificates with what stands in them: all rights if they say nothing of rights, none if they are revoked. */
    protected static AdminGuard guard(@Nullable NodeTls tls, Oversight oversight) {
        return new AdminGuard(
                oversight.token(),
                certificate -> {
                    Identity identity = CertificateNames.identity(certificate);
                    boolean revoked = tls != null && tls.isRevoked(certificate);
                    return new Access(
                            identity, revoked ? Grants.NONE : identity.grants().orElse(Grants.UNLESS_NAMED));
                },
                oversight.audit());
    }

    /**
     * What it keeps there is promised to others: it ends if the directory, or one in it, is removed, replaced or unmounted; and if the file system is none to promise it on, {@code /health} says so from now on. Who
     * opens the directory has it in the log.
     *
     * @param what which directory, as the flag calls it
     */
    protected final void keepsDataIn(String what, Storage storage, Path directory) {
        kept.add(new Kept(storage, directory, true));
        FileSystemKind.warning(storage, directory)
                .ifPresent(warning -> fileSystems.put(what + ".file-system", warning));
    }

    /** It ends if {@code directory} is removed, replaced or unmounted. */
    protected final void needsDirectory(Storage storage, Path directory) {
        kept.add(new Kept(storage, directory, false));
    }

    private void watchDirectories() throws IOException {
        if (kept.isEmpty()) {
            return;
        }
        List<DirectoryWatch> watches = new ArrayList<>();
        for (Kept each : kept) {
            DirectoryWatch watch = new DirectoryWatch(each.storage());
            if (each.isData()) {
                watch.addData(each.directory());
            } else {
                watch.add(each.directory());
            }
            watches.add(watch);
        }
        var unused = directoryWatch.scheduleWithFixedDelay(
                () -> watches.stream()
                        .map(DirectoryWatch::look)
                        .filter(Objects::nonNull)
                        .forEach(this::fail),
                DIRECTORY_LOOK_SECONDS,
                DIRECTORY_LOOK_SECONDS,
                TimeUnit.SECONDS);
    }

    /** What an operator should do something about though all works, for {@code /health}. */
    protected final Map<String, String> warnings() {
        Map<String, String> found = new LinkedHashMap<>(fileSystems);
        found.putAll(certificateWarning());
        return found;
    }

    /** What is to be known of its TLS, among the facts on {@code /health}: which code does it. Nothing without keys. */
    protected final Map<String, String> tlsFacts() {
        return keys == null ? Map.of() : Map.of("tls", "by " + TlsEngines.name());
    }

    private Map<String, String> certificateWarning() {
        NodeTls tls = keys;
        return tls == null
                ? Map.of()
                : tls.warning(Instant.now())
                        .map(warning -> Map.of("certificate", warning))
                        .orElse(Map.of());
    }

    private void logWarnings() {
        certificateWarning().forEach((what, warning) -> LOG.atWarn()
                .addKeyValue("what", what)
                .addKeyValue("warning", warning)
                .log("needs attention"));
    }

    /** It cannot go on. Only the first reason counts. */
    protected final void fail(Throwable reason) {
        failure.completeExceptionally(reason);
    }

    /** Whether {@link #fail} was not called. */
    protected final boolean isWhole() {
        return !failure.isDone();
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
        end();
        audit.close();
    }
}
