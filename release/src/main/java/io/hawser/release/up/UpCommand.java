package io.hawser.release.up;

import io.hawser.agenta.AgentAConfig;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.http.HttpFrontConfig;
import io.hawser.agentb.AgentBConfig;
import io.hawser.agentb.ServedLocation;
import io.hawser.broker.BrokerConfig;
import io.hawser.broker.StoreOpener;
import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.ops.cli.NextSteps;
import io.hawser.ops.cli.NodeRunner;
import io.hawser.ops.cli.StatusCommand;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ops.observe.AdminToken;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.spool.SpoolConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/**
 * {@code hawser up}: the whole chain in one process. What it keeps is the same as with three, so it may be stopped and started
 * again, or taken apart into three processes on the same directories.
 */
@Command(
        name = "up",
        header = "Run all three nodes in one process.",
        description = {
            "Starts broker, agent-a and agent-b in one process, on this machine only, for a first try.",
            "What is uploaded by FTP appears in --into."
        },
        footer = {"", "Example:  hawser up --into ./received", "          curl -T photo.jpg ftp://127.0.0.1:2121/"})
public final class UpCommand implements Subcommand {
    private static final int BUFFERS = 16;
    private static final int BROKER_BUFFERS = 32;
    private static final int READ_BUFFERS = 8;
    private static final ConfigKey<String> TO =
            ConfigKey.text("to", "TOPIC", "site-b", "the topic that joins both ends");
    private static final ConfigKey<Path> INTO =
            ConfigKey.path("into", "DIR", "hawser-received", "the directory where files appear");
    private static final ConfigKey<Path> DATA =
            ConfigKey.path("data", "DIR", "hawser-data", "where the three nodes keep what they know");
    private static final ConfigKey<HostPort> LISTEN = ConfigKey.hostPort(
            "listen", "127.0.0.1:7400", "where the broker listens, for 'hawser send' and other agents");
    private static final ConfigKey<HostPort> FTP =
            ConfigKey.hostPort("ftp", "127.0.0.1:2121", "where FTP clients connect; port 0 takes a free one");
    private static final ConfigKey<HostPort> HTTP = ConfigKey.hostPort("http", null, "where HTTP clients connect");
    private static final ConfigKey<Optional<HostPort>> ADMIN =
            CommonNodeFlags.admin("127.0.0.1:7480", ", /subscriptions");

    private Config config;

    private Topic topic;

    @Override
    public CommandSection section() {
        return CommandSection.TRY;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(TO, INTO, DATA, LISTEN, FTP, HTTP, ADMIN, CommonNodeFlags.LOG_FORMAT);
    }

    @Override
    public void configure(Config values) {
        config = values;
        topic = TO.parsed(values.get(TO), Topic::new);
        checkListening(LISTEN, values.get(LISTEN));
        checkListening(FTP, values.get(FTP));
        values.find(HTTP).ifPresent(address -> checkListening(HTTP, address));
        values.get(ADMIN).ifPresent(address -> checkListening(ADMIN, address));
    }

    private static void checkListening(ConfigKey<?> key, HostPort address) {
        if (!address.isLoopback()) {
            throw new ConfigException(
                    key.flag() + ": 'hawser up' is for one machine; start the nodes one by one for several");
        }
    }

    @Override
    public Integer call() {
        return NodeRunner.run("up", () -> InProcessChain.start(broker(), this::agentA, this::agentB), this::next);
    }

    private NextSteps next(InProcessChain chain) {
        Map<String, String> addresses = chain.addresses();
        NextSteps next = new NextSteps()
                .add(
                        "curl -T FILE ftp://" + addresses.get("ftp") + "/",
                        "upload a file by FTP; it appears in " + config.get(INTO))
                .hawser("send FILE --to " + topic.name() + AgentFlags.brokerFlag(addresses), "the same without FTP");
        if (addresses.containsKey("http")) {
            next = next.add("curl -T FILE http://" + addresses.get("http") + "/", "the same by HTTP");
        }
        return addresses.containsKey("admin")
                ? next.hawser("status" + StatusCommand.adminFlag(addresses), "show what is on its way")
                        .add(
                                "http://" + addresses.get("admin") + "/",
                                "the same in a browser; to cancel or hold there, unlock it with the line in "
                                        + tokenFile())
                : next;
    }

    private Path tokenFile() {
        return config.get(DATA).resolve("admin-token");
    }

    /** With a token, without which a browser may only look. */
    private SupervisionSettings supervision() throws IOException {
        Files.createDirectories(config.get(DATA));
        SupervisionSettings none = SupervisionSettings.NONE;
        return new SupervisionSettings(
                AdminToken.openOrMake(tokenFile()), none.audit(), none.warnAfter(), none.events());
    }

    private BrokerConfig broker() throws IOException {
        return new BrokerConfig(
                config.get(LISTEN),
                config.get(DATA).resolve("broker"),
                StoreOpener.local(LocalStoreConfig.defaults()),
                RelayLimits.DEFAULT,
                PtcpOptions.DEFAULT.withStreams(PtcpOptions.MAX_STREAMS),
                Manifest.DEFAULT_FRAGMENT_SIZE_BYTES,
                BROKER_BUFFERS,
                0,
                READ_BUFFERS,
                config.get(ADMIN),
                null,
                null,
                supervision());
    }

    private AgentAConfig agentA(HostPort broker) {
        AgentAConfig withoutHttp = new AgentAConfig(
                List.of(broker),
                PtcpOptions.DEFAULT,
                new AgentAConfig.Store(config.get(DATA).resolve("agent-a"), SpoolConfig.defaults()),
                new AgentAConfig.Buffers(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, BUFFERS),
                FtpServerConfig.anonymous(config.get(FTP).resolve()).withRoot(topic),
                AdminSettings.NONE);
        return config.find(HTTP)
                .map(address -> withoutHttp.withHttp(HttpFrontConfig.anonymous(address.resolve())))
                .orElse(withoutHttp);
    }

    private AgentBConfig agentB(HostPort broker) {
        return new AgentBConfig(
                new AgentBConfig.BrokerLink(List.of(broker), PtcpOptions.DEFAULT),
                config.get(DATA).resolve("agent-b"),
                AgentBConfig.Subscription.to(topic),
                AgentBConfig.Delivery.into(config.get(INTO)),
                Optional.of(new ServedLocation.Directory(config.get(INTO))),
                new AgentBConfig.Memory(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, BUFFERS),
                AdminSettings.NONE);
    }
}
