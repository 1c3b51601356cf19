package io.hawser.kafkatests;

import io.hawser.common.cli.AdminClient;
import io.hawser.common.cli.CommandException;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.HopStatus;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.TransferPage;
import io.hawser.common.observe.TransferStatus;
import io.hawser.it.harness.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Two brokers over one Kafka, of which one has the store and the other stands by; and an agent-a and an agent-b that know both.
 *
 * <p>Thread: one.
 */
final class TwoBrokers implements AutoCloseable {
    static final String SUBSCRIPTION = "b";
    private static final String TOPIC = "site-b";
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(2);

    private final Path directory;
    private final List<String> store;
    private final List<HostPort> listen = new ArrayList<>();
    private final List<CompletableFuture<NodeProcess>> brokers = new ArrayList<>();
    private HostPort ftp = new HostPort("127.0.0.1", 0);
    private NodeProcess agentA;
    private NodeProcess agentB;

    /**
     * Starts the nodes. The first broker has the store.
     *
     * @param store the brokers' options of the store
     */
    TwoBrokers(Path directory, List<String> store) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.store = store;
        Files.createDirectories(target());
        for (int i = 0; i < 2; i++) {
            listen.add(freeAddress());
            brokers.add(new CompletableFuture<>());
        }
        startBroker(0);
        brokers.get(0).join();
        startBroker(1);
        agentA = startAgentA();
        agentB = startAgentB();
    }

    private static HostPort freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        }
    }

    /** Starts a broker without waiting: it is ready when it has the store. */
    void startBroker(int which) {
        List<String> command = new ArrayList<>(List.of(
                "broker",
                "--listen",
                listen.get(which).toString(),
                "--data",
                directory.resolve("broker-" + which).toString(),
                "--admin",
                "127.0.0.1:0"));
        command.addAll(store);
        brokers.set(which, CompletableFuture.supplyAsync(() -> {
            try {
                return NodeProcess.start(logFile(which), NodeProcess.BROKER_OPTIONS, Map.of(), command);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }

    private Path logFile(int which) {
        return directory.resolve("broker-" + which + ".log");
    }

    private String both() {
        return listen.get(0) + "," + listen.get(1);
    }

    private NodeProcess startAgentA() throws IOException {
        NodeProcess node = NodeProcess.start(
                directory.resolve("agent-a.log"),
                List.of(
                        "agent-a",
                        "--broker",
                        both(),
                        "--spool",
                        directory.resolve("agent-a").toString(),
                        "--ftp",
                        ftp.toString(),
                        "--to",
                        TOPIC,
                        "--admin",
                        "127.0.0.1:0"));
        ftp = node.address("ftp");
        return node;
    }

    private NodeProcess startAgentB() throws IOException {
        return NodeProcess.start(
                directory.resolve("agent-b.log"),
                List.of(
                        "agent-b",
                        "--broker",
                        both(),
                        "--data",
                        directory.resolve("agent-b").toString(),
                        "--subscribe",
                        TOPIC,
                        "--into",
                        target().toString(),
                        "--name",
                        SUBSCRIPTION,
                        "--admin",
                        "127.0.0.1:0"));
    }

    void restartAgents() throws IOException {
        agentA.kill();
        agentB.kill();
        agentA = startAgentA();
        agentB = startAgentB();
    }

    Path target() {
        return directory.resolve("delivered");
    }

    HostPort ftp() {
        return ftp;
    }

    /** Whether the broker has the store and serves. */
    boolean isReady(int which) {
        CompletableFuture<NodeProcess> broker = brokers.get(which);
        return broker.isDone()
                && !broker.isCompletedExceptionally()
                && broker.join().isAlive();
    }

    /** A broker that is, or was, ready. */
    NodeProcess broker(int which) {
        return brokers.get(which).join();
    }

    /** One hop of a transfer, as agent-a shows it. */
    Optional<HopStatus> uplink(String name) {
        return status(agentA, name).flatMap(status -> status.hops().stream()
                .filter(hop -> hop.hop().equals(HopStatus.PUBLISHER_TO_BROKER))
                .findFirst());
    }

    /** One hop of a transfer, as a broker that is ready shows it. */
    Optional<HopStatus> downlink(int which, String name) {
        return status(broker(which), name).flatMap(status -> status.hops().stream()
                .filter(hop -> hop.hop().equals(HopStatus.toSubscription(SUBSCRIPTION)))
                .findFirst());
    }

    /** How many far ends said that they have delivered it, as agent-a knows. */
    long delivered(String name) {
        return status(agentA, name).stream()
                .flatMap(status -> status.receipts().stream())
                .filter(receipt -> receipt.status().equals("delivered"))
                .count();
    }

    private static Optional<TransferStatus> status(NodeProcess node, String name) {
        try {
            byte[] page = new AdminClient(node.address("admin"), null, STATUS_TIMEOUT)
                    .get("/transfers", Map.of("key", name, "limit", "10"));
            return Json.read(page, TransferPage.class).transfers().stream().findFirst();
        } catch (CommandException | IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        agentA.kill();
        agentB.kill();
        for (CompletableFuture<NodeProcess> broker : brokers) {
            broker.handle((node, problem) -> {
                        if (node != null) {
                            node.kill();
                        }
                        return null;
                    })
                    .join();
        }
    }
}
