package io.hawser.it.damage;

import io.hawser.agenta.AgentA;
import io.hawser.agenta.AgentAConfig;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agentb.AgentB;
import io.hawser.agentb.AgentBConfig;
import io.hawser.broker.Broker;
import io.hawser.broker.BrokerConfig;
import io.hawser.broker.StoreOpener;
import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ops.node.NodeBase;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.spool.SpoolConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Broker, agent-a and agent-b in this process, with their data in one directory: {@code broker}, {@code agent-a}, {@code agent-b} and
 * {@code into}.
 *
 * <p>Thread: one.
 */
final class Nodes implements AutoCloseable {
    /** The nodes, in the order in which they start. */
    enum Part {
        BROKER,
        AGENT_B,
        AGENT_A
    }

    static final Topic TOPIC = new Topic("site-b");
    private static final int FRAGMENT_BYTES = 256 << 10;
    private static final long SEGMENT_BYTES = 4L << 20;
    private static final HostPort ANY = new HostPort("127.0.0.1", 0);
    /** Nobody listens there. */
    private static final HostPort NOWHERE = new HostPort("127.0.0.1", 1);

    private final Path directory;
    private final Map<Part, NodeBase> running = new EnumMap<>(Part.class);
    /** Where the broker listens. */
    private final HostPort listen;

    private HostPort broker;

    Nodes(Path directory) {
        this(directory, ANY, NOWHERE);
    }

    /** The broker will be at {@code brokerPort}, so agents that start before it find it later. */
    Nodes(Path directory, int brokerPort) {
        this(directory, new HostPort("127.0.0.1", brokerPort), new HostPort("127.0.0.1", brokerPort));
    }

    private Nodes(Path directory, HostPort listen, HostPort broker) {
        this.directory = directory;
        this.listen = listen;
        this.broker = broker;
    }

    void startIfDown(Part part) throws IOException {
        if (!running.containsKey(part)) {
            start(part);
        }
    }

    /** Starts one. */
    void start(Part part) throws IOException {
        start(part, SubscriptionTerms.NONE);
    }

    void start(Part part, SubscriptionTerms terms) throws IOException {
        NodeBase node =
                switch (part) {
                    case BROKER -> Broker.start(brokerConfig());
                    case AGENT_A -> AgentA.start(agentAConfig());
                    case AGENT_B -> AgentB.start(agentBConfig(terms));
                };
        running.put(part, node);
        if (part == Part.BROKER) {
            broker = HostPort.parse(String.valueOf(node.addresses().get("ptcp")));
        }
    }

    void stop(Part part) {
        NodeBase node = running.remove(part);
        if (node != null) {
            node.stop();
        }
        if (part == Part.BROKER) {
            broker = NOWHERE;
        }
    }

    HostPort ftp() {
        return address(Part.AGENT_A, "ftp");
    }

    String page(Part part, String path) {
        return new String(new AdminClient(address(part, "admin"), null).get(path, Map.of()), StandardCharsets.UTF_8);
    }

    private HostPort address(Part part, String what) {
        return HostPort.parse(String.valueOf(running.get(part).addresses().get(what)));
    }

    static SubscriptionTerms rate(long bytesPerSecond) {
        return new SubscriptionTerms(0, bytesPerSecond, ReplayFilter.ALL);
    }

    private BrokerConfig brokerConfig() {
        return new BrokerConfig(
                listen,
                directory.resolve("broker"),
                StoreOpener.local(LocalStoreConfig.defaults().withSegments(SEGMENT_BYTES, 1)),
                RelayLimits.DEFAULT,
                PtcpOptions.DEFAULT,
                FRAGMENT_BYTES,
                16,
                0,
                4,
                Optional.of(ANY),
                null,
                null,
                SupervisionSettings.NONE);
    }

    private AgentAConfig agentAConfig() {
        return new AgentAConfig(
                List.of(broker),
                PtcpOptions.DEFAULT,
                new AgentAConfig.Store(
                        directory.resolve("agent-a"), SpoolConfig.defaults().withJournal(1 << 20, 1)),
                new AgentAConfig.Buffers(FRAGMENT_BYTES, 16),
                FtpServerConfig.anonymous(ANY.resolve()).withRoot(TOPIC),
                new AdminSettings(Optional.of(ANY), null, SupervisionSettings.NONE));
    }

    private AgentBConfig agentBConfig(SubscriptionTerms terms) {
        return new AgentBConfig(
                new AgentBConfig.BrokerLink(List.of(broker), PtcpOptions.DEFAULT),
                directory.resolve("agent-b"),
                new AgentBConfig.Subscription(TOPIC, "b", StartAt.NOW, terms),
                AgentBConfig.Delivery.into(directory.resolve("into")),
                Optional.empty(),
                new AgentBConfig.Memory(FRAGMENT_BYTES, 16),
                new AdminSettings(Optional.of(ANY), null, SupervisionSettings.NONE));
    }

    @Override
    public void close() {
        stop(Part.AGENT_A);
        stop(Part.AGENT_B);
        stop(Part.BROKER);
    }
}
