package io.hawser.release.process;

import io.hawser.core.config.HostPort;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A broker, an agent-a and an agent-b in one directory. Each takes free ports when it is first started and the same ones
 * ever after, so that it can be killed and started again.
 *
 * <p>Thread: one; {@link #status} and {@link #killAll} any.
 */
public final class ProcessChain implements AutoCloseable {
    /** The three nodes, upstream first. */
    public enum Part {
        AGENT_A("agent-a"),
        BROKER("broker"),
        AGENT_B("agent-b");

        private final String command;

        Part(String command) {
            this.command = command;
        }

        /** The name of its command and of its directory. */
        public String command() {
            return command;
        }
    }

    /** The topic that uploads go to. */
    public static final String TOPIC = NodeCommands.TOPIC;

    /** The subscription of agent-b. */
    public static final String SUBSCRIPTION = "b";

    private static final long POLL_MILLIS = 50;

    private final Path directory;
    private final Map<Part, NodeProcess> running = new EnumMap<>(Part.class);
    private final Map<Part, HostPort> adminAddresses = new EnumMap<>(Part.class);
    private final Map<Part, List<String>> moreArguments = new EnumMap<>(Part.class);
    private final Map<Part, HostPort> brokerAddresses = new EnumMap<>(Part.class);
    private final Map<Part, List<String>> jvmOptions = new EnumMap<>(Part.class);
    private final Map<Part, Map<String, String>> environments = new EnumMap<>(Part.class);
    private final Map<Part, List<String>> starters = new EnumMap<>(Part.class);
    private final Map<Part, Path> dataDirectories = new EnumMap<>(Part.class);
    private HostPort brokerPtcp = NodeCommands.ANY;
    private HostPort ftp = NodeCommands.ANY;
    private String into = "";
    private boolean closed;

    public ProcessChain(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(target());
    }

    /** Adds arguments to the command of a node, from its next start on. */
    public ProcessChain with(Part part, String... arguments) {
        List<String> all = new ArrayList<>(moreArguments.getOrDefault(part, List.of()));
        all.addAll(List.of(arguments));
        moreArguments.put(part, all);
        return this;
    }

    /** Gives all nodes the same keys, from their next start on. */
    public ProcessChain withTls(Path keys) {
        for (Part part : Part.values()) {
            with(part, "--tls", keys.toString());
        }
        return this;
    }

    /** Takes back all that {@link #with} added for a node, from its next start on. */
    public ProcessChain plain(Part part) {
        moreArguments.remove(part);
        return this;
    }

    /** Lets agent-b deliver to a far server instead of {@link #target()}, from its next start on. */
    public ProcessChain into(String url) {
        into = url;
        return this;
    }

    /** Starts a node with other JVM options than {@link NodeProcess#NODE_OPTIONS}, from its next start on. */
    public ProcessChain withJvmOptions(Part part, List<String> options) {
        jvmOptions.put(part, List.copyOf(options));
        return this;
    }

    /** Adds to the environment of a node, from its next start on. */
    public ProcessChain withEnvironment(Part part, Map<String, String> environment) {
        environments.put(part, Map.copyOf(environment));
        return this;
    }

    /** Starts a node by another program, which replaces itself by the node, from its next start on. */
    public ProcessChain by(Part part, String... program) {
        starters.put(part, List.of(program));
        return this;
    }

    /** Lets a node have its data elsewhere, from its next start on. */
    public ProcessChain at(Part part, Path data) {
        dataDirectories.put(part, data);
        return this;
    }

    /** Lets an agent reach the broker by way of {@code proxy}, from its next start on. */
    public ProcessChain through(Part agent, HostPort proxy) {
        brokerAddresses.put(agent, proxy);
        return this;
    }

    /** Starts the broker, then the agents; all can be used. */
    public ProcessChain startAll() throws IOException {
        start(Part.BROKER);
        start(Part.AGENT_A);
        start(Part.AGENT_B).awaitReady(NodeProcess.START_LIMIT);
        return this;
    }

    /** Starts a node that does not run, with the data that it had. The broker must have been started before the agents. */
    public synchronized NodeProcess start(Part part) throws IOException {
        if (closed) {
            throw new IllegalStateException("the chain is closed");
        }
        List<String> jvm = jvmOptions.getOrDefault(part, NodeProcess.NODE_OPTIONS);
        Map<String, String> environment = environments.getOrDefault(part, Map.of());
        List<String> by = starters.getOrDefault(part, List.of());
        NodeProcess node;
        try {
            node = NodeProcess.start(logFile(part), by, jvm, environment, arguments(part));
        } catch (NodeProcess.NotReadyException e) {
            boolean isPortTaken =
                    String.valueOf(e.getMessage()).contains("for the admin pages: Address already in use");
            if (!isPortTaken || adminAddresses.remove(part) == null) {
                throw e;
            }
            // While it did not run, another program got the port that it had.
            node = NodeProcess.start(logFile(part), by, jvm, environment, arguments(part));
        }
        running.put(part, node);
        adminAddresses.put(part, node.address("admin"));
        switch (part) {
            case BROKER -> brokerPtcp = node.address("ptcp");
            case AGENT_A -> ftp = node.address("ftp");
            case AGENT_B -> {}
        }
        return node;
    }

    public synchronized void kill(Part part) {
        node(part).kill();
        running.remove(part);
    }

    /** SIGTERM; returns the exit code. */
    public synchronized int stop(Part part) {
        int code = node(part).stop();
        running.remove(part);
        return code;
    }

    public boolean isRunning(Part part) {
        return running(part).filter(NodeProcess::isAlive).isPresent();
    }

    public NodeProcess node(Part part) {
        NodeProcess node = running.get(part);
        if (node == null) {
            throw new IllegalStateException(part.command() + " does not run");
        }
        return node;
    }

    /** Where FTP clients connect. */
    public HostPort ftp() {
        return ftp;
    }

    /** Where agents and the API connect. */
    public HostPort brokerPtcp() {
        return brokerPtcp;
    }

    /** The directory that agent-b delivers into. */
    public Path target() {
        return directory.resolve("delivered");
    }

    /** A node's data directory. */
    public Path data(Part part) {
        return dataDirectories.getOrDefault(part, directory.resolve(part.command()));
    }

    public Path logFile(Part part) {
        return directory.resolve(part.command() + ".log");
    }

    public Optional<HostPort> admin(Part part) {
        return Optional.ofNullable(adminAddresses.get(part));
    }

    /** What a node says of a transfer; empty if the node does not answer or does not know it. */
    public Optional<TransferStatus> status(Part part, String name) {
        return running(part).flatMap(node -> node.transfer(name));
    }

    /** Waits until the broker has the receipt <i>delivered</i> of a transfer. */
    public void awaitDelivered(String name, Duration limit) throws InterruptedException {
        long began = System.nanoTime();
        while (status(Part.BROKER, name).filter(TransferStatus::wasDelivered).isEmpty()) {
            if (System.nanoTime() - began > limit.toNanos()) {
                throw new IllegalStateException(name + " was not delivered within " + limit.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private synchronized Optional<NodeProcess> running(Part part) {
        return Optional.ofNullable(running.get(part));
    }

    /** Kills what runs. */
    public synchronized void killAll() {
        running.values().forEach(NodeProcess::kill);
        running.clear();
    }

    /** Kills what runs, and lets nothing start any more: Ctrl-C may come between two starts. */
    public synchronized void end() {
        closed = true;
        killAll();
    }

    @Override
    public void close() {
        end();
    }

    private List<String> arguments(Part part) {
        HostPort admin = adminAddresses.getOrDefault(part, NodeCommands.ANY);
        String broker = brokerAddresses.getOrDefault(part, brokerPtcp).toString();
        List<String> arguments =
                switch (part) {
                    case BROKER -> NodeCommands.broker(brokerPtcp, data(part), admin);
                    case AGENT_A -> NodeCommands.agentA(broker, data(part), ftp, admin);
                    case AGENT_B ->
                        NodeCommands.agentB(
                                broker, data(part), into.isEmpty() ? target().toString() : into, SUBSCRIPTION, admin);
                };
        arguments.addAll(moreArguments.getOrDefault(part, List.of()));
        return arguments;
    }
}
