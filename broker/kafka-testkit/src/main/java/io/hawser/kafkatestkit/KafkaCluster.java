package io.hawser.kafkatestkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of real Kafka nodes (KRaft) on this machine's loopback, each in a process of its own. Nodes are numbered from 0 on,
 * can be killed and started again, and keep what they have in the directory that the cluster was given.
 *
 * <p>Thread: one at a time.
 */
public final class KafkaCluster implements AutoCloseable {
    /** The system property that says where Kafka's own jars are. */
    public static final String JARS = "hawser.kafka.jars";

    private static final String CLIENTS = "CLIENTS";
    /** For clients, for the controllers, and for the nodes among themselves. */
    private static final int PORTS_OF_A_NODE = 3;

    private final List<KafkaNode> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<Path> jars;
    private final List<String> jvmOptions;
    private final @Nullable KafkaSecurity security;
    private @Nullable ReservedPorts ports;

    private KafkaCluster(List<String> jvmOptions, @Nullable KafkaSecurity security) throws IOException {
        this.jvmOptions = List.copyOf(jvmOptions);
        this.security = security;
        jars = kafkaJars();
        Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "kafka-testkit-stop"));
    }

    /**
     * Starts a cluster and waits until each node is there.
     *
     * @param directory where the nodes keep what they have; empty
     */
    public static KafkaCluster start(Path directory, int count) throws IOException, InterruptedException {
        return start(directory, count, List.of());
    }

    /** The same with more options for the nodes' JVMs. */
    public static KafkaCluster start(Path directory, int count, List<String> jvmOptions)
            throws IOException, InterruptedException {
        return start(new KafkaCluster(jvmOptions, null), directory, count);
    }

    /** The same where clients come in by TLS, with a name and a password. */
    public static KafkaCluster startSecured(Path directory, int count, KafkaSecurity security)
            throws IOException, InterruptedException {
        return start(new KafkaCluster(List.of(), security), directory, count);
    }

    private static KafkaCluster start(KafkaCluster cluster, Path directory, int count)
            throws IOException, InterruptedException {
        try {
            cluster.begin(directory, count);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void begin(Path directory, int count) throws IOException, InterruptedException {
        ReservedPorts taken = ReservedPorts.take(PORTS_OF_A_NODE * count);
        ports = taken;
        String voters = IntStream.range(0, count)
                .mapToObj(i -> (i + 1) + "@127.0.0.1:" + taken.number(count + i))
                .collect(Collectors.joining(","));
        String clusterId = randomId();
        for (int i = 0; i < count; i++) {
            KafkaNode node = new KafkaNode(Files.createDirectories(directory.resolve("kafka-" + i)), i + 1, jvmOptions);
            node.format(clusterId, settings(i + 1, count, taken, voters), jars, i == 0 ? null : nodes.get(0));
            nodes.add(node);
            addresses.add("127.0.0.1:" + taken.number(i));
        }
        for (KafkaNode node : nodes) {
            node.start(jars);
        }
        for (KafkaNode node : nodes) {
            node.awaitStarted();
        }
    }

    private Properties settings(int id, int count, ReservedPorts taken, String voters) {
        String copies = Integer.toString(Math.min(3, count));
        String inSync = Integer.toString(count < 3 ? 1 : 2);
        String clients = CLIENTS + "://127.0.0.1:" + taken.number(id - 1);
        String internal = "INTERNAL://127.0.0.1:" + taken.number(2 * count + id - 1);
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", Integer.toString(id));
        settings.setProperty("controller.quorum.voters", voters);
        settings.setProperty(
                "listeners", clients + "," + internal + ",CONTROLLER://127.0.0.1:" + taken.number(count + id - 1));
        settings.setProperty("advertised.listeners", clients + "," + internal);
        settings.setProperty(
                "listener.security.protocol.map",
                CLIENTS + ":" + (security == null ? "PLAINTEXT" : "SASL_SSL")
                        + ",INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.setProperty("inter.broker.listener.name", "INTERNAL");
        if (security != null) {
            security.secure(settings, CLIENTS);
        }
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("offsets.topic.replication.factor", copies);
        settings.setProperty("offsets.topic.num.partitions", "1");
        settings.setProperty("transaction.state.log.replication.factor", copies);
        settings.setProperty("transaction.state.log.min.isr", inSync);
        settings.setProperty("transaction.state.log.num.partitions", "2");
        settings.setProperty("group.initial.rebalance.delay.ms", "0");
        settings.setProperty("auto.create.topics.enable", "false");
        settings.setProperty("broker.session.timeout.ms", "4000");
        settings.setProperty("broker.heartbeat.interval.ms", "1000");
        settings.setProperty("log.retention.check.interval.ms", "1000");
        settings.setProperty("log.segment.delete.delay.ms", "1000");
        settings.setProperty("num.network.threads", "2");
        settings.setProperty(
                "num.replica.fetchers",
                "4"); // as docs/how-to/run-brokers-over-kafka.md says: the journal's copies do not wait for payloads
        settings.setProperty("num.io.threads", "4");
        return settings;
    }

    private static String randomId() {
        SecureRandom random = new SecureRandom();
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(random.nextLong() >>> 1)
                .putLong(random.nextLong())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Kafka's own jars: where {@value #JARS} says, or beside this module's classes. The build copies them with {@code -Dhawser.kafka}. */
    private static List<Path> kafkaJars() throws IOException {
        Path place = jarsPlace();
        if (!Files.isDirectory(place)) {
            throw new NoSuchFileException(
                    place.toString(),
                    null,
                    "Kafka's own jars are not there; 'mvn -pl broker/kafka-testkit -Dhawser.kafka generate-resources' in a clone"
                            + " fetches them");
        }
        try (var found = Files.list(place)) {
            return found.filter(path -> path.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static Path jarsPlace() throws IOException {
        String told = System.getProperty(JARS);
        if (told != null) {
            return Path.of(told);
        }
        try {
            return Path.of(KafkaCluster.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolveSibling("kafka");
        } catch (URISyntaxException e) {
            throw new IOException("the classes are in no directory", e);
        }
    }

    /** Where clients begin: {@code HOST:PORT} of each node, with commas. */
    public String bootstrap() {
        return String.join(",", addresses);
    }

    /** How many nodes it has, whether they run or not. */
    public int size() {
        return nodes.size();
    }

    /** Whether a node's process runs. */
    public boolean isRunning(int node) {
        return nodes.get(node).isRunning();
    }

    /** {@code kill -9} of a node. */
    public void kill(int node) {
        nodes.get(node).kill();
    }

    /** Starts a node that was killed, and waits until it is there. */
    public void restart(int node) throws IOException, InterruptedException {
        if (nodes.get(node).isRunning()) {
            throw new IllegalStateException("node " + node + " runs");
        }
        nodes.get(node).start(jars);
        nodes.get(node).awaitStarted();
    }

    /** Starts all that were killed, at once, and waits until each is there: less than half of them never are. */
    public void restartAll() throws IOException, InterruptedException {
        List<KafkaNode> dead = nodes.stream().filter(node -> !node.isRunning()).toList();
        for (KafkaNode node : dead) {
            node.start(jars);
        }
        for (KafkaNode node : dead) {
            node.awaitStarted();
        }
    }

    /** {@code kill -9} of all nodes. */
    public void killAll() {
        nodes.forEach(KafkaNode::kill);
    }

    /** Kills all nodes; their data is no longer needed. */
    @Override
    public void close() {
        killAll();
        ReservedPorts held = ports;
        if (held != null) {
            try {
                held.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
