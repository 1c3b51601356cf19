package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.ReservedPort;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A broker, an agent-a and two agent-b, with a {@link ChaosProxy} in front of the broker for each of them and for the API. The broker may be at the far end of
 * an emulated link. Or it is two brokers, of which one serves and the other stands by, over three nodes of Kafka. Thread: any, but what is done to Kafka one.
 */
final class Deployment implements AutoCloseable {
    static final String TOPIC = "site-b";
    static final List<String> SUBSCRIPTIONS = List.of("b1", "b2");
    private static final String BROKER = "broker";
    private static final int BROKERS = 2;
    private static final int KAFKA_NODES = 3;
    private static final Duration SERVES_LIMIT = TestTimes.scaled(Duration.ofMinutes(2));
    private static final int LOOK_MILLIS = 20;
    private static final int ROOM_TRIES = 400;
    private static final int ROOM_PAUSE_MILLIS = 100;
    private static final String ADMIN_TOKEN = "whoever runs this chaos may look";

    /** One; over Kafka two. */
    final List<Member> brokers = new ArrayList<>();

    final Member agentA;
    final Map<String, Member> agentsB = new LinkedHashMap<>();
    /** By who dials, one to each broker. */
    private final Map<String, List<ChaosProxy>> links = new LinkedHashMap<>();

    private final Settings.Store store;
    private final List<ReservedPort> ports = new ArrayList<>();
    private volatile @Nullable KafkaCluster kafka;
    private final Path directory;
    private final EventInbox inbox;
    private final Set<Fault> faults;
    private final Map<String, SmallDisk> disks = new LinkedHashMap<>();
    private final Map<String, NodeClock> clocks = new LinkedHashMap<>();

    /**
     * Prepares a deployment; nothing runs yet.
     *
     * @param faults that it must be built for
     * @param streams what the agents are told to use
     * @param store what the broker keeps its log in
     */
    Deployment(Path directory, Set<Fault> faults, String streams, Settings.Store store) throws IOException {
        this.directory = directory;
        this.faults = faults;
        this.store = store;
        Files.createDirectories(directory);
        Files.writeString(token(), ADMIN_TOKEN);
        Files.setPosixFilePermissions(token(), PosixFilePermissions.fromString("rw-------"));
        inbox = new EventInbox(directory.resolve("webhook-secret"));
        if (store == Settings.Store.LOCAL) {
            brokers.add(brokerWithALog());
        } else {
            for (int i = 1; i <= BROKERS; i++) {
                brokers.add(brokerOverKafka(BROKER + "-" + i));
            }
        }
        agentA = member(
                "agent-a",
                "agent-a",
                Site.HERE,
                () -> List.of(
                        "--broker",
                        link("agent-a"),
                        "--spool",
                        data("agent-a"),
                        "--ftp",
                        ftp(),
                        "--to",
                        TOPIC,
                        "--streams",
                        streams));
        for (String who : List.of("agent-a", "api", "app")) {
            link(who);
        }
        for (String subscription : SUBSCRIPTIONS) {
            String name = "agent-" + subscription;
            agentsB.put(
                    subscription,
                    member(
                            name,
                            "agent-b",
                            Site.HERE,
                            () -> List.of(
                                    "--broker",
                                    link(name),
                                    "--data",
                                    data(name),
                                    "--subscribe",
                                    TOPIC,
                                    "--into",
                                    target(subscription).toString(),
                                    "--name",
                                    subscription,
                                    "--streams",
                                    streams)));
            link(name);
            Files.createDirectories(target(subscription));
        }
    }

    private Member brokerWithALog() throws IOException {
        Site far = Site.ofBroker();
        return member(BROKER, BROKER, far, () -> {
            List<String> words = new ArrayList<>(
                    List.of("--listen", brokers.get(0).address("ptcp").toString(), "--data", data(BROKER)));
            if (!far.isHere()) {
                words.add("--insecure"); // its network has nobody else
            }
            return words;
        });
    }

    /** The others must know its address before it is its turn. */
    private Member brokerOverKafka(String name) throws IOException {
        Map<String, HostPort> addresses = Map.of("ptcp", reserved(), "admin", reserved());
        return member(
                name,
                BROKER,
                Site.HERE,
                NodeProcess.BROKER_OPTIONS,
                addresses,
                () -> List.of(
                        "--listen",
                        String.valueOf(addresses.get("ptcp")),
                        "--data",
                        data(name),
                        "--store",
                        "kafka",
                        "--kafka-bootstrap",
                        kafka().bootstrap()));
    }

    private HostPort reserved() throws IOException {
        ReservedPort port = ReservedPort.take();
        ports.add(port);
        return new HostPort("127.0.0.1", port.number());
    }

    private interface Arguments {
        List<String> get() throws IOException;
    }

    private Member member(String name, String command, Site site, Arguments arguments) throws IOException {
        return member(name, command, site, NodeProcess.NODE_OPTIONS, Map.of(), arguments);
    }

    private Member member(
            String name,
            String command,
            Site site,
            List<String> jvmOptions,
            Map<String, HostPort> addresses,
            Arguments arguments)
            throws IOException {
        if (faults.contains(Fault.DISK)) {
            disks.put(name, new SmallDisk(home(name)));
        }
        Map<String, String> environment = Map.of();
        if (faults.contains(Fault.CLOCK)) {
            NodeClock clock = new NodeClock(directory.resolve(name + ".clock"));
            clocks.put(name, clock);
            environment = clock.environment();
        }
        Function<Member, List<String>> words = member -> {
            try {
                List<String> all = new ArrayList<>(List.of(
                        command,
                        "--admin",
                        member.address("admin").toString(),
                        "--admin-token-file",
                        token().toString()));
                if (site.isHere()) { // the receiver is on this side of a link
                    all.addAll(inbox.flags(name));
                }
                all.addAll(arguments.get());
                return all;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        return new Member(name, directory.resolve(name + ".log"), site, jvmOptions, environment, addresses, words);
    }

    private Path token() {
        return directory.resolve("admin-token");
    }

    /** The admin pages of a node, which may be at the other end of a link. */
    static AdminClient admin(Member member, Duration timeout) throws IOException {
        return new AdminClient(member.address("admin"), null, timeout, ADMIN_TOKEN);
    }

    /** Where the nodes send their events. */
    EventInbox inbox() {
        return inbox;
    }

    private String ftp() {
        return agentA.address("ftp").toString();
    }

    /** Where a node keeps all that it keeps. */
    Path home(String name) {
        return directory.resolve(name);
    }

    private String data(String name) {
        return home(name).resolve("data").toString();
    }

    /** Where {@code who} finds the broker; of several with commas. */
    String link(String who) throws IOException {
        List<ChaosProxy> to = links.get(who);
        if (to == null) {
            to = new ArrayList<>();
            for (Member broker : brokers) {
                to.add(new ChaosProxy(who, () -> broker.address("ptcp")));
            }
            links.put(who, to);
        }
        return to.stream().map(link -> link.address().toString()).collect(Collectors.joining(","));
    }

    /** All links. */
    List<ChaosProxy> links() {
        return links.values().stream().flatMap(List::stream).toList();
    }

    /** A node's own links: a broker has those of all to it. */
    Collection<ChaosProxy> linksOf(Member member) {
        int broker = brokers.indexOf(member);
        return broker < 0
                ? links.getOrDefault(member.name(), List.of())
                : links.values().stream().map(all -> all.get(broker)).toList();
    }

    /** The Kafka that the brokers keep their log in, once all was started. */
    KafkaCluster kafka() {
        KafkaCluster found = kafka;
        if (found == null) {
            throw new IllegalStateException("there is no Kafka");
        }
        return found;
    }

    /** The broker that serves; if none does, the first. */
    Member serving() {
        return brokers.stream().filter(Member::isReady).findFirst().orElse(brokers.get(0));
    }

    Path target(String subscription) {
        return home("agent-" + subscription).resolve("delivered");
    }

    List<Member> members() {
        List<Member> all = new ArrayList<>(brokers);
        all.add(agentA);
        all.addAll(agentsB.values());
        return all;
    }

    /** Of which each is the only one of its kind, so that it alone can do its work. */
    List<Member> singles() {
        return members().stream()
                .filter(member -> store == Settings.Store.LOCAL || !brokers.contains(member))
                .toList();
    }

    /** Its file system; only with the fault {@link Fault#DISK}. */
    SmallDisk disk(Member member) {
        return of(disks, member);
    }

    /** Its clock; only with the fault {@link Fault#CLOCK}. */
    NodeClock clock(Member member) {
        return of(clocks, member);
    }

    private static <T> T of(Map<String, T> all, Member member) {
        T found = all.get(member.name());
        if (found == null) {
            throw new IllegalStateException("the deployment was not built for this fault");
        }
        return found;
    }

    /** Whether somebody has filled its file system, now or not long ago. */
    boolean wasFull(Member member) {
        SmallDisk disk = disks.get(member.name());
        return disk != null && disk.wasFull();
    }

    /** Waits until its file system is no longer full; false if it was not. */
    boolean awaitRoom(Member member) throws InterruptedException {
        if (!wasFull(member)) {
            return false;
        }
        for (int i = 0; i < ROOM_TRIES && disk(member).isFull(); i++) {
            Thread.sleep(ROOM_PAUSE_MILLIS);
        }
        return true;
    }

    /** Kafka, if there is one; a broker that serves; then the others at once. */
    void startAll() throws Exception {
        if (store == Settings.Store.LOCAL) {
            brokers.get(0).start();
        } else {
            startKafka();
            for (Member broker : brokers) {
                broker.begin();
            }
            Awaitility.await("a broker that serves")
                    .atMost(SERVES_LIMIT)
                    .pollInterval(Duration.ofMillis(LOOK_MILLIS))
                    .until(() -> brokers.stream().anyMatch(Member::isReady));
        }
        List<CompletableFuture<?>> starts = new ArrayList<>();
        for (Member member : members()) {
            if (!brokers.contains(member)) {
                starts.add(
                        CompletableFuture.supplyAsync(() -> startUnchecked(member), task -> new Thread(task).start()));
            }
        }
        for (CompletableFuture<?> start : starts) {
            start.get();
        }
    }

    private void startKafka() throws IOException, InterruptedException {
        KafkaCluster there = kafka;
        if (there == null) {
            kafka = KafkaCluster.start(Files.createDirectories(directory.resolve("kafka")), KAFKA_NODES);
        } else {
            there.restartAll();
        }
    }

    /** {@code kill -9} of everything. */
    void killAll() {
        members().forEach(Member::kill);
        KafkaCluster there = kafka;
        if (there != null) {
            there.killAll();
        }
    }

    private static long startUnchecked(Member member) {
        try {
            return member.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        members().forEach(Member::close);
        inbox.close();
        KafkaCluster there = kafka;
        if (there != null) {
            there.close();
        }
        for (ChaosProxy link : links()) {
            link.close();
        }
        for (ReservedPort port : ports) {
            port.close();
        }
        for (SmallDisk disk : disks.values()) {
            disk.close();
        }
    }
}
