package io.hawser.release.process;

import io.hawser.core.config.HostPort;
import io.hawser.kafkatestkit.ReservedPorts;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of a chain over Kafka: an active and a standby broker, and an agent-a and an agent-b that know both. Brokers are
 * numbered from 0. A restarted node keeps its data directory and its address.
 *
 * <p>Thread: one; {@link #end} any.
 */
public final class TwoBrokerChain implements AutoCloseable {
    /** The subscription of agent-b. */
    public static final String SUBSCRIPTION = "b";

    private static final int BROKERS = 2;
    private static final String AGENT_A = "agent-a";
    private static final String AGENT_B = "agent-b";

    private final Path directory;
    private final List<String> store;
    private final ReservedPorts ports;
    private final List<HostPort> listen = new ArrayList<>();
    private final Map<String, NodeProcess> nodes = new HashMap<>();
    private HostPort ftp = NodeCommands.ANY;
    private boolean ended;

    /**
     * Prepares the nodes; none runs yet.
     *
     * @param directory where they keep what they keep
     * @param store the brokers' options of the store
     */
    public TwoBrokerChain(Path directory, List<String> store) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.store = List.copyOf(store);
        Files.createDirectories(target());
        ports = ReservedPorts.take(BROKERS);
        for (int i = 0; i < BROKERS; i++) {
            listen.add(new HostPort("127.0.0.1", ports.number(i)));
        }
    }

    /** Starts all. The first broker has the store. */
    public TwoBrokerChain startAll() throws IOException {
        startBroker(0).awaitReady(NodeProcess.START_LIMIT);
        startBroker(1);
        startAgentA();
        startAgentB();
        return this;
    }

    /** Starts a broker without waiting: it is ready when it has the store. */
    public NodeProcess startBroker(int which) throws IOException {
        Path data = directory.resolve(nameOf(which));
        List<String> command = NodeCommands.broker(listen.get(which), data, NodeCommands.ANY);
        command.addAll(store);
        return begin(nameOf(which), NodeProcess.BROKER_OPTIONS, command);
    }

    private static String nameOf(int broker) {
        return "broker-" + (broker + 1);
    }

    private String both() {
        return listen.get(0) + "," + listen.get(1);
    }

    /** Starts agent-a, and waits until it is ready. */
    public NodeProcess startAgentA() throws IOException {
        Path spool = directory.resolve(AGENT_A);
        NodeProcess node =
                begin(AGENT_A, NodeProcess.NODE_OPTIONS, NodeCommands.agentA(both(), spool, ftp, NodeCommands.ANY));
        node.awaitReady(NodeProcess.START_LIMIT);
        ftp = node.address("ftp");
        return node;
    }

    /** Starts agent-b, and waits until it is ready. */
    public NodeProcess startAgentB() throws IOException {
        Path data = directory.resolve(AGENT_B);
        NodeProcess node = begin(
                AGENT_B,
                NodeProcess.NODE_OPTIONS,
                NodeCommands.agentB(both(), data, target().toString(), SUBSCRIPTION));
        node.awaitReady(NodeProcess.START_LIMIT);
        return node;
    }

    private synchronized NodeProcess begin(String name, List<String> jvmOptions, List<String> command)
            throws IOException {
        if (ended) {
            throw new IllegalStateException("the nodes were ended");
        }
        NodeProcess node =
                NodeProcess.begin(directory.resolve(name + ".log"), List.of(), jvmOptions, Map.of(), command);
        nodes.put(name, node);
        return node;
    }

    private synchronized NodeProcess node(String name) {
        NodeProcess node = nodes.get(name);
        if (node == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return node;
    }

    public NodeProcess broker(int which) {
        return node(nameOf(which));
    }

    public NodeProcess agentA() {
        return node(AGENT_A);
    }

    public NodeProcess agentB() {
        return node(AGENT_B);
    }

    /** Whether the broker has the store and serves. */
    public boolean isReady(int broker) {
        return broker(broker).isReady();
    }

    /** The directory that agent-b delivers into. */
    public Path target() {
        return directory.resolve("delivered");
    }

    public HostPort ftp() {
        return ftp;
    }

    /** A transfer on its way to the broker, as agent-a shows it. */
    public Optional<HopStatus> uplink(String name) {
        return hop(agentA(), name, HopStatus.PUBLISHER_TO_BROKER);
    }

    /** The same as a broker shows it; empty of one that does not serve. */
    public Optional<HopStatus> received(int broker, String name) {
        return hop(broker(broker), name, HopStatus.PUBLISHER_TO_BROKER);
    }

    /** A transfer on its way to the subscription, as a broker shows it; empty of one that does not serve. */
    public Optional<HopStatus> downlink(int broker, String name) {
        return hop(broker(broker), name, HopStatus.toSubscription(SUBSCRIPTION));
    }

    /** How many far ends said that they have delivered it, as agent-a knows. */
    public long delivered(String name) {
        return status(agentA(), name).stream()
                .flatMap(status -> status.receipts().stream())
                .filter(receipt -> receipt.status().equals("delivered"))
                .count();
    }

    private static Optional<HopStatus> hop(NodeProcess node, String name, String hop) {
        return status(node, name).flatMap(status -> status.hop(hop));
    }

    private static Optional<TransferStatus> status(NodeProcess node, String name) {
        return node.isReady() ? node.transfer(name) : Optional.empty();
    }

    /** Kills what runs, and lets nothing start any more: Ctrl-C may come between two starts. */
    public synchronized void end() {
        ended = true;
        nodes.values().forEach(NodeProcess::kill);
    }

    @Override
    public void close() throws IOException {
        end();
        ports.close();
    }
}
