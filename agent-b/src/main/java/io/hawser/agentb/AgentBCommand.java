package io.hawser.agentb;

import io.hawser.agentb.AgentBConfig.BrokerLink;
import io.hawser.agentb.AgentBConfig.Delivery;
import io.hawser.agentb.AgentBConfig.Memory;
import io.hawser.agentb.AgentBConfig.Subscription;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.config.ByteRate;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NamePattern;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
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
import io.hawser.ops.node.AdminSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/**
 * {@code hawser agent-b}: runs the far-end node.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "agent-b",
        header = "Run the far end, which delivers to a directory or server.",
        description = {
            "Receives what is published to a topic and delivers it into a directory, or to an existing FTP server: complete,"
                    + " verified on the disk, once each.",
            "Its subscription is durable: while it is off, the broker keeps what is published."
        },
        footer = {
            "",
            "Example:  hawser agent-b --subscribe site-b --into /data/in",
            "          hawser agent-b --subscribe site-b \\",
            "              --into ftps://anna@ftp.example/in --into-password-file FILE"
        })
public final class AgentBCommand implements Subcommand {
    private static final int BUFFERS = 24;
    private static final ConfigKey<Path> DATA =
            ConfigKey.path("data", "DIR", "hawser-agent-b", "its data directory: identity and lock");
    private static final ConfigKey<String> SUBSCRIBE =
            ConfigKey.text("subscribe", "TOPIC", null, "the topic to receive");
    private static final ConfigKey<String> NAME = ConfigKey.text(
            "name",
            "SUBSCRIPTION",
            null,
            "the subscription; by default the topic's name. Each name gets every transfer");
    static final ConfigKey<String> MEMBER = ConfigKey.text(
            "member",
            "MEMBER",
            null,
            "this node's name in a group that shares the subscription: each transfer goes to one member, and what a lost member has no"
                    + " permit to deliver goes to the others; one consumer if not given");
    private static final ConfigKey<StartPosition> FROM = new ConfigKey<>(
            "from",
            "now|earliest|TIME",
            "now",
            "",
            "where a new subscription starts that is not the first of its topic: now; earliest, with all that the broker keeps of the"
                    + " topic for other subscriptions; or with what of that was complete at the broker since a time such as"
                    + " 2026-03-01T09:00:00Z, or since so long ago, such as 12h",
            text -> StartPosition.parse(text, System.currentTimeMillis()));
    private static final ConfigKey<NamePattern> FROM_NAMES = new ConfigKey<>(
            "from-names",
            "PATTERN",
            null,
            "",
            "with --from: of what the broker keeps, only names that match. * matches any characters but the slash, ** any, ? one. Later"
                    + " transfers come whatever their names",
            NamePattern::new);
    private static final ConfigKey<ByteRate> MAX_RATE = new ConfigKey<>(
            "max-rate",
            "RATE",
            null,
            "",
            "the most that the broker sends to this subscription, over all streams, such as 10mbit or 5MB/s; no limit if not given",
            ByteRate::parse);
    private static final ConfigKey<Integer> PRIORITY = ConfigKey.integer(
            "priority",
            SubscriptionTerms.USUAL_PRIORITY,
            SubscriptionTerms.LOWEST_PRIORITY,
            SubscriptionTerms.HIGHEST_PRIORITY,
            "which subscription the broker reads for first from its store; 9 is the highest. One read of eight goes to the subscription"
                    + " that has waited longest, so that none starves");
    private static final ConfigKey<Duration> DEADLINE = ConfigKey.duration(
            "deadline",
            null,
            "the broker gives up for this subscription what has not reached this node so long after it was complete at the broker, also"
                    + " while the node is away: the sender gets the receipt EXPIRED; never if not given");
    private static final ConfigKey<ByteSize> HEAD_ROOM = ConfigKey.size(
            "head-room",
            "64MiB",
            new ByteSize(0),
            new ByteSize(Long.MAX_VALUE),
            "free space of the landing area's file system that transfers may not take; while there is less, nothing lands");
    private static final ConfigKey<Boolean> REBIND = ConfigKey.toggle(
            "rebind",
            "bind --data and the directory of --into to each other even if one of them belongs to another; give it once, after you have"
                    + " moved or replaced one on purpose");
    private static final ConfigKey<Optional<HostPort>> ADMIN = CommonNodeFlags.admin("127.0.0.1:7482", ", /dead");

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private AgentBConfig settings;

    @Override
    public CommandSection section() {
        return CommandSection.NODES;
    }

    @Override
    public List<FlagGroup> flagGroups() {
        return List.of(
                AgentFlags.group(),
                FlagGroup.of("Subscription", SUBSCRIBE, NAME, MEMBER, FROM, FROM_NAMES, MAX_RATE, PRIORITY, DEADLINE),
                new FlagGroup("Where it delivers", DeliveryFlags.keys()),
                new FlagGroup("What clients of agent-a may list and read", ServeFlags.keys()),
                new FlagGroup("GSI at gsiftp:// servers", GridFlags.keys()),
                FlagGroup.of("Data directory", DATA, HEAD_ROOM, REBIND),
                CommonNodeFlags.oversightGroup(ADMIN),
                CommonNodeFlags.historyGroup(),
                CommonNodeFlags.tlsGroup());
    }

    @Override
    public void configure(Config config) {
        Optional<HostPort> admin = config.get(ADMIN);
        admin.ifPresent(address -> CommonNodeFlags.checkListening(config, ADMIN, address));
        Topic topic = SUBSCRIBE.parsed(config.get(SUBSCRIBE), Topic::new);
        StartPosition from = config.get(FROM);
        if (from.startAt() == StartAt.NOW && config.find(FROM_NAMES).isPresent()) {
            throw new ConfigException(
                    FROM_NAMES.flag() + " selects from what the broker keeps: also give --from earliest or a time");
        }
        Destination into = DeliveryFlags.destination(config, System.getenv());
        Optional<ServedLocation> served = ServeFlags.served(config, into, System.getenv());
        if (!usesGsi(into, served)) {
            GridFlags.refuse(config);
        }
        NodeTls tls = CommonNodeFlags.tls(config, Role.AGENT_B);
        SubscriptionTerms terms = new SubscriptionTerms(
                config.find(DEADLINE).map(Duration::toMillis).orElse(0L),
                config.find(MAX_RATE).map(ByteRate::bytesPerSecond).orElse(0L),
                new ReplayFilter(from.sinceEpochMillis(), config.find(FROM_NAMES)),
                config.find(MEMBER).map(name -> MEMBER.parsed(name, AgentBCommand::member)),
                config.get(PRIORITY));
        String name = config.find(NAME)
                .map(given -> NAME.parsed(given, Topic::new).name())
                .orElse(topic.name());
        settings = new AgentBConfig(
                new BrokerLink(config.get(AgentFlags.BROKER), AgentFlags.dialling(config, tls)),
                config.get(DATA),
                new Subscription(topic, name, from.startAt(), terms),
                new Delivery(into, config.get(HEAD_ROOM).bytes(), config.get(REBIND)),
                served,
                new Memory(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, BUFFERS),
                new AdminSettings(admin, tls, CommonNodeFlags.supervision(config, "agent-b")));
    }

    private static boolean usesGsi(Destination into, Optional<ServedLocation> served) {
        return (into instanceof Destination.Far to && to.server().protocol() == FarServer.Protocol.GSIFTP)
                || (served.orElse(null) instanceof ServedLocation.Far from
                        && from.server().protocol() == FarServer.Protocol.GSIFTP);
    }

    private static String member(String name) {
        GroupRoster.checkName(name);
        return name;
    }

    @Override
    public Integer call() {
        return NodeRunner.run("agent-b", () -> AgentB.start(settings), this::next);
    }

    private NextSteps next(AgentB node) {
        String keys = settings.admin().tls() == null ? "" : " --tls DIR";
        String broker = AgentFlags.brokerFlag(
                Map.of("ptcp", settings.broker().addresses().get(0).toString()));
        NextSteps next = new NextSteps()
                .hawser(
                        "send FILE --to " + settings.subscription().topic().name() + broker + keys
                                + " --wait delivered",
                        "send a file and wait until it is here; agent-a does the same for FTP clients");
        return node.addresses().containsKey("admin")
                ? next.hawser("status" + StatusCommand.adminFlag(node.addresses()) + keys, "show what this node has")
                : next;
    }
}
