package io.hawser.broker;

import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.access.ReloadingAccessFile;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.Manifest;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.ops.cli.FlagGroup;
import io.hawser.ops.cli.NextSteps;
import io.hawser.ops.cli.NodeRunner;
import io.hawser.ops.cli.StatusCommand;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.cli.TuningKeys;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/**
 * {@code hawser broker}: the middle.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "broker",
        header = "Run the broker, between agents and programs.",
        description = {
            "Takes what agents and applications publish, makes it durable, and carries it to every subscription of its"
                    + " topic; receipts go back the same way."
        },
        footer = {"", "Example:  hawser broker --data /var/lib/hawser"})
public final class BrokerCommand implements Subcommand {
    private static final ByteSize MIN_BYTES = new ByteSize(1 << 20);
    private static final ByteSize MAX_BYTES = new ByteSize(Long.MAX_VALUE / 2);
    private static final String LOCAL = "local";
    private static final int BUFFERS = 32;
    private static final int READ_BUFFERS = 8;
    private static final ConfigKey<HostPort> LISTEN = ConfigKey.hostPort(
            "listen", "127.0.0.1:7400", "where agents and applications connect; port 0 takes a free one");
    private static final ConfigKey<Path> DATA =
            ConfigKey.path("data", "DIR", "hawser-broker", "its data directory: log, index, identity");
    private static final ConfigKey<ByteSize> QUOTA = ConfigKey.size(
            "quota",
            null,
            MIN_BYTES,
            MAX_BYTES,
            "bytes that the log may hold, of all tenants together (--acl has theirs); no limit but the disk if not given");
    private static final ConfigKey<ByteSize> HEAD_ROOM = ConfigKey.size(
            "head-room",
            "256MiB",
            MIN_BYTES,
            MAX_BYTES,
            "free disk space that transfers may not take: it is kept for acks, receipts and deletes");
    private static final ConfigKey<ByteSize> LOAN = ConfigKey.size(
            "loan",
            null,
            new ByteSize(0),
            MAX_BYTES,
            "memory for fragments that a subscription cannot take yet: while its lag fits in, it is not sent from the disk;"
                    + " 256MiB if not given, but no more than a sixteenth of the machine's memory, and than -XX:MaxDirectMemorySize leaves");
    private static final ConfigKey<Duration> RETAIN_INCOMPLETE = ConfigKey.duration(
            "retain-incomplete", "7d", "after how long without a new fragment an uncommitted transfer is dropped");
    private static final ConfigKey<Duration> RETAIN_UNCLAIMED = ConfigKey.duration(
            "retain-unclaimed",
            null,
            "after how long a transfer without any subscription is dropped, with a receipt to its publisher; kept for"
                    + " the first subscription without a limit if not given");
    private static final ConfigKey<Duration> MEMBER_PATIENCE = ConfigKey.duration(
            "member-patience",
            "10s",
            "after how long without a session what a member of a group (agent-b --member) has not been permitted to deliver goes to others");
    private static final ConfigKey<Path> ACL = ConfigKey.path(
            "acl",
            "FILE",
            null,
            "rights, a line each: WHO RIGHTS TOPIC...; rights in certificates count as well, there are no others;"
                    + " WHO bytes=SIZE,transfers=COUNT TOPIC... bounds what is kept for it; needs --tls, and is read again when"
                    + " it changes");
    private static final ConfigKey<String> STORE = ConfigKey.text(
            "store",
            "NAME",
            LOCAL,
            "where it keeps what it was given: local is a log in its data directory; kafka a cluster of Apache Kafka, which several"
                    + " brokers may share");
    private static final ConfigKey<Optional<HostPort>> ADMIN =
            CommonNodeFlags.admin("127.0.0.1:7480", ", /subscriptions, /replicas, /quotas");

    private final List<StoreKind> kinds = ServiceLoader.load(StoreKind.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private BrokerConfig settings;

    @Override
    public CommandSection section() {
        return CommandSection.NODES;
    }

    @Override
    public List<FlagGroup> flagGroups() {
        List<FlagGroup> groups = new ArrayList<>(List.of(
                FlagGroup.of(
                                "Connections from agents and programs",
                                LISTEN,
                                CommonNodeFlags.SESSION_SILENCE,
                                MEMBER_PATIENCE)
                        .and(TuningKeys.all()),
                FlagGroup.of(
                        "Store and space", DATA, STORE, QUOTA, HEAD_ROOM, RETAIN_INCOMPLETE, RETAIN_UNCLAIMED, LOAN),
                FlagGroup.of("TLS and rights", CommonNodeFlags.TLS, CommonNodeFlags.INSECURE, ACL),
                CommonNodeFlags.oversightGroup(ADMIN),
                CommonNodeFlags.historyGroup()));
        kinds.forEach(kind -> groups.add(new FlagGroup("With --store " + kind.name(), kind.keys())));
        return groups;
    }

    @Override
    public void configure(Config config) {
        HostPort listen = config.get(LISTEN);
        Optional<HostPort> admin = config.get(ADMIN);
        CommonNodeFlags.checkListening(config, LISTEN, listen);
        admin.ifPresent(address -> CommonNodeFlags.checkListening(config, ADMIN, address));
        Optional<NodeTls> tls = config.find(CommonNodeFlags.TLS).map(directory -> NodeTls.load(directory, Role.BROKER));
        LocalStoreConfig store =
                LocalStoreConfig.defaults().withHeadRoom(config.get(HEAD_ROOM).bytes());
        RelayLimits relay = RelayLimits.DEFAULT
                .withRetainIncomplete(config.get(RETAIN_INCOMPLETE))
                .withMemberPatience(config.get(MEMBER_PATIENCE));
        settings = new BrokerConfig(
                listen,
                config.get(DATA),
                opener(
                        config,
                        config.find(QUOTA)
                                .map(quota -> store.withQuota(quota.bytes()))
                                .orElse(store)),
                config.find(RETAIN_UNCLAIMED).map(relay::withRetainUnclaimed).orElse(relay),
                PtcpOptions.DEFAULT
                        .withStreams(PtcpOptions.MAX_STREAMS)
                        .withTuning(TuningKeys.tuning(config, true))
                        .withSilence(config.get(CommonNodeFlags.SESSION_SILENCE))
                        .withSsl(tls.map(NodeTls::serverContext).orElse(null)),
                Manifest.DEFAULT_FRAGMENT_SIZE_BYTES,
                BUFFERS,
                RecentFragmentSizing.ofThisJvm()
                        .buffers(config.find(LOAN), FragmentBuffer.bytes(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES)),
                READ_BUFFERS,
                admin,
                tls.orElse(null),
                config.find(ACL).map(file -> acl(config, file)).orElse(null),
                CommonNodeFlags.supervision(config, "broker"));
    }

    private static ReloadingAccessFile acl(Config config, Path file) {
        if (config.find(CommonNodeFlags.TLS).isEmpty()) {
            throw new ConfigException("--acl names owners of certificates: give --tls DIR, too");
        }
        return ReloadingAccessFile.open(file);
    }

    private StoreOpener opener(Config config, LocalStoreConfig limits) {
        String wanted = config.get(STORE);
        kinds.stream()
                .filter(kind -> !kind.name().equals(wanted))
                .forEach(kind -> config.refuseWithout(
                        STORE.flag() + " " + kind.name(), kind.keys().toArray(ConfigKey<?>[]::new)));
        if (wanted.equals(LOCAL)) {
            return StoreOpener.local(limits);
        }
        return kinds.stream()
                .filter(kind -> kind.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new ConfigException("--store " + wanted + ": there is no such store, but " + LOCAL
                        + kinds.stream().map(kind -> ", " + kind.name()).collect(Collectors.joining())))
                .opener(config, config.get(LISTEN), limits);
    }

    @Override
    public Integer call() {
        return NodeRunner.run("broker", () -> Broker.start(settings), this::next);
    }

    private NextSteps next(Broker broker) {
        String keys = settings.adminTls() == null ? "" : " --tls DIR";
        String flags = AgentFlags.brokerFlag(broker.addresses()) + keys;
        NextSteps next = new NextSteps()
                .hawser("agent-b --subscribe site-b --into DIR" + flags, "receive what is sent to the topic site-b")
                .hawser("agent-a --to site-b" + flags, "take uploads from FTP clients for site-b");
        return broker.addresses().containsKey("admin")
                ? next.hawser("status" + StatusCommand.adminFlag(broker.addresses()) + keys, "show what is on its way")
                : next;
    }
}
