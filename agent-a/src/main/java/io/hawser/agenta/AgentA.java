package io.hawser.agenta;

import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.http.HttpFront;
import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.agenta.sftp.SftpServer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.remote.RemoteCalls;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.event.EventLog;
import io.hawser.ops.node.ForecastBoard;
import io.hawser.ops.node.NodeBase;
import io.hawser.ops.node.SmallFileExecutor;
import io.hawser.ops.observe.DiskGauges;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.Recent;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.WarningCode;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolSender;
import io.hawser.store.spool.TopicsFile;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The agent-a node: takes uploads from FTP, SFTP and HTTP clients into its spool and publishes them to the broker.
 *
 * <p>Thread: any; protocol state belongs to its network loop.
 */
public final class AgentA extends NodeBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentA.class);
    /** Health checks, metrics and pages ask at the same time, and the spool may be large. */
    private static final Duration SURVEY_AGE = Duration.ofSeconds(2);

    /** Fragments on their way from the spool to the broker or to a client. */
    private static final int LOAD_BUFFERS = 10;
    /** What agent-a receives are answers to its calls, which have memory of their own. */
    private static final int SESSION_BUFFERS = 2;
    /** Pages of listings under way. */
    private static final int LISTING_BUFFERS = 2;

    private final AgentAConfig config;
    private final Spool spool;
    private final SpoolSender spoolSender;
    private final BrokerConnection connection;
    private final FileServices files;
    private final ClientServices clients;
    private final FtpServer ftp;
    private final Optional<HttpFront> http;
    private final @Nullable SftpServer sftp;
    private final Recent<SpoolSurvey> surveys = new Recent<>(SURVEY_AGE, System::nanoTime, this::newSurvey);
    private final AgentAPages pages;
    private final AgentAWaits waits;
    private final ForecastBoard forecasts;
    private final ConnectionState broker = new ConnectionState();
    private final @Nullable XferLog xferLog;
    private final SmallFileExecutor disk = new SmallFileExecutor("hawser-topics");

    private AgentA(AgentAConfig config, DiskStorage storage) throws IOException {
        this.config = config;
        int fragmentBytes = config.buffers().fragmentSizeBytes();
        FragmentBufferPool uploads =
                new FragmentBufferPool(fragmentBytes, config.buffers().count());
        FragmentBufferPool loads = new FragmentBufferPool(fragmentBytes, LOAD_BUFFERS);
        Path data = config.store().directory();
        xferLog = config.xferLog().map(XferLog::new).orElse(null);
        EventLog events = recordsEvents(
                "agent-a", storage, data, config.admin().supervision().events());
        StoreRuntime runtime = DiskSpool.runtime(net.digests()).withEvents(events);
        try {
            spool = DiskSpool.open(
                    storage, data, config.store().spool(), loads, net.digests().warmUp(), net.loop(), runtime);
            keepsDataIn("spool", storage, data);
        } catch (IOException | RuntimeException e) {
            net.close();
            throw e;
        }
        ListedTopics topics;
        try {
            topics = ListedTopics.open(new TopicsFile(storage, data), disk, net.loop());
        } catch (IOException | RuntimeException e) {
            spool.close();
            net.close();
            throw e;
        }
        spoolSender = new SpoolSender(spool, HopSenderLimits.DEFAULT, this::fail);
        connection = net.connection(
                config.brokers(),
                config.ptcp(),
                Greeting.Role.AGENT_A,
                spool.nodeId(),
                spool.epoch(),
                new FragmentBufferPool(fragmentBytes, SESSION_BUFFERS),
                broker);
        NodeTls tls = config.admin().tls();
        if (tls != null) {
            connection.rights(tls::grants);
        }
        RemoteCalls remote = new RemoteCalls(
                new FragmentBufferPool(fragmentBytes, DownloadService.FAR_BLOCKS),
                new FragmentBufferPool(fragmentBytes, LISTING_BUFFERS),
                net.loop(),
                System::nanoTime);
        connection.calls(remote.handler());
        files = FileServices.over(
                config.ftp().names(),
                config.ftp().sessions().limits().times().dataStall(),
                uploads,
                spool,
                topics,
                remote,
                net.loop());
        FtpLimits.Login logins = config.ftp().sessions().limits().login();
        clients = ClientServices.of(
                config.ftp().sessions().accounts(),
                logins.maxFailuresOfAddress(),
                logins.barTime(),
                net.loop(),
                config.admin().supervision().audit(),
                new ClientRecords(events, xferLog, files.names().namespace(), spoolSender::sender));
        ftp = new FtpServer(config.ftp(), net.loop(), files, clients, broker::problem);
        http = config.http().map(front -> new HttpFront(front, net.loop(), files, clients));
        sftp = openSftp(config, data);
        waits = new AgentAWaits(net, spool, files.uploads().active(), spoolSender.sender(), broker);
        forecasts = new ForecastBoard(new SpoolForecast(spool, spoolSender.sender(), broker));
        pages = new AgentAPages(
                net,
                spool,
                spoolSender.sender(),
                broker,
                waits,
                forecasts::latest,
                this::health,
                metrics(storage, runtime));
    }

    private @Nullable SftpServer openSftp(AgentAConfig settings, Path data) throws IOException {
        if (settings.sftp().isEmpty()) {
            return null;
        }
        try {
            return new SftpServer(settings.sftp().get(), data, net.loop(), files, clients);
        } catch (IOException | RuntimeException e) {
            spool.close();
            net.close();
            throw e;
        }
    }

    private SpoolSurvey newSurvey() throws IOException {
        return net.onLoop(() -> SpoolSurvey.of(
                spool,
                spoolSender.sender(),
                broker,
                files.names().reportedFailures(),
                config.admin().supervision().warnAfter()));
    }

    private NodeMetrics metrics(DiskStorage storage, StoreRuntime runtime) {
        NodeMetrics metrics = nodeMetrics();
        DiskGauges.add(metrics, storage.forces());
        DiskGauges.add(metrics, runtime.disk());
        StalledTransfers.add(metrics, () -> surveys.get().stalled());
        new AgentAMetrics(spool, spoolSender.sender(), broker, ftp, clients.counts(), files.downloads(), surveys)
                .add(metrics, net);
        return metrics;
    }

    /** Opens its spool, begins to publish what is in it, and listens. */
    public static AgentA start(AgentAConfig config) throws IOException {
        return begun(new AgentA(config, new DiskStorage(System::nanoTime)));
    }

    @Override
    protected void begin() throws IOException {
        net.onLoop(() -> {
            connection.publish(spoolSender.sender());
            spool.onFailure(this::noteFailure);
            spool.start(spoolSender);
            files.names().listSpooledTopics();
            connection.start();
            waits.start();
            forecasts.start(net.loop());
            return true;
        });
        var unused = ftp.start();
        if (http.isPresent()) {
            http.get().start();
        }
        if (sftp != null) {
            sftp.start();
        }
        openAdmin(
                config.admin(),
                pages.pages(),
                steeringPages(
                        new AgentASteering(net, spool, pages), config.admin().supervision()),
                rightsInCertificates(config.admin().tls()));
    }

    @Override
    protected Map<String, String> ownAddresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        for (ListenerKind port : ListenerKind.values()) {
            ftp.address(port)
                    .ifPresent(address ->
                            addresses.put(port.word(), HostPort.of(address).toString()));
        }
        http.flatMap(HttpFront::address)
                .ifPresent(address -> addresses.put("http", HostPort.of(address).toString()));
        http.flatMap(HttpFront::encryptedAddress)
                .ifPresent(
                        address -> addresses.put("https", HostPort.of(address).toString()));
        if (sftp != null) {
            sftp.address()
                    .ifPresent(address ->
                            addresses.put("sftp", HostPort.of(address).toString()));
        }
        return addresses;
    }

    private Health health() {
        Map<String, Object> detail = new LinkedHashMap<>(ownAddresses());
        if (sftp != null) {
            detail.put("sftpHostKey", sftp.fingerprint());
        }
        detail.put("broker", broker.text());
        detail.putAll(tlsFacts());
        try {
            net.onLoop(files.names()::away)
                    .forEach(topic -> detail.put("far end of " + topic, "away when it was last asked"));
        } catch (IOException e) {
            detail.put("far ends", "not known: the node is stopping");
        }
        return Health.of(isWhole(), "agent-a", detail)
                .with(
                        broker
                                .warning(config.admin().supervision().warnAfter())
                                .map(WarningCode.BROKER_AWAY::says)
                                .stream()
                                .toList())
                .with(survey().map(SpoolSurvey::warnings).orElse(List.of()))
                .with(forecasts.warnings())
                .with(config.ftp().sessions().accounts().problem().map(WarningCode.USERS::says).stream()
                        .toList())
                .with(warnings());
    }

    /** What is in the spool; nothing while the node stops. */
    private Optional<SpoolSurvey> survey() {
        try {
            return Optional.of(surveys.get());
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the node is stopping; nothing is counted");
            return Optional.empty();
        }
    }

    private void noteFailure(TransferSnapshot state, Receipt receipt) {
        boolean isCancelled = receipt.status() == ReceiptStatus.CANCELLED;
        boolean isLostHere = receipt.subscription().equals(Receipt.NOBODY) && !isCancelled;
        LOG.atLevel(isLostHere ? Level.ERROR : isCancelled ? Level.INFO : Level.WARN)
                .addKeyValue("transfer", state.key())
                .addKeyValue("kind", AgentAPages.word(state.manifest().kind()))
                .addKeyValue("name", Printable.shortly(state.manifest().name()))
                .addKeyValue("subscription", receipt.subscription())
                .addKeyValue("reason", receipt.reason())
                .log(
                        isLostHere
                                ? "An accepted transfer has failed: the spool's disk has lost its bytes"
                                : isCancelled
                                        ? "A transfer was cancelled before it was delivered"
                                        : "An accepted transfer was not delivered");
        config.admin()
                .supervision()
                .audit()
                .note(
                        state.manifest().attributes().getOrDefault(Attributes.ACCOUNT, "-"),
                        isCancelled ? "cancelled" : "failed",
                        state.manifest().topic() + "/" + state.manifest().name(),
                        isLostHere ? "spool" : receipt.subscription(),
                        receipt.reason());
    }

    @Override
    protected void end() {
        http.ifPresent(HttpFront::close);
        if (sftp != null) {
            sftp.close();
        }
        ftp.close();
        clients.close();
        if (xferLog != null) {
            xferLog.close();
        }
        net.hangUp(connection);
        disk.close();
        spool.close();
        net.close();
    }
}
