package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.Greeting;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.HeapProbe;
import io.hawser.it.scenario.Scenario;
import io.hawser.ptcp.NettyTransports;
import io.hawser.ptcp.PtcpException;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A chain with mutual TLS, an ACL file and audit logs, and raw nodes beside it. A raw node has a certificate of the CA and the rights that the
 * ACL file gives it.
 */
abstract class HostileScenario extends Scenario {
    /** What the honest nodes of the chain may do. */
    static final String HONEST =
            "agent-a:agent-a all " + ProcessChain.TOPIC + "\nagent-b:agent-b all " + ProcessChain.TOPIC + "\n";

    private static final int SAMPLE_FRAGMENT_BYTES = 64 << 10;

    private final EventLoopGroup loops = NettyTransports.newNioGroup(1);
    private final List<RawNode> rawNodes = new ArrayList<>();
    private final AtomicLong epochs = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Random random = new Random(7);
    private final Map<Part, Long> logBytesBefore = new EnumMap<>(Part.class);
    private Path keys = Path.of("");

    @BeforeEach
    void makeKeys() throws Exception {
        keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
    }

    @AfterEach
    void endRawNodes() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    // --- the chain
    /** Starts all nodes; the ACL file says {@link #HONEST} and {@code moreRules}. */
    final void startAll(String moreRules) throws Exception {
        configure(moreRules);
        chain.startAll();
        Part[] parts = Part.values();
        for (Part part : parts) {
            logBytesBefore.put(part, Files.size(chain.logFile(part)));
        }
    }

    /** The same without starting them. */
    final void configure(String moreRules) throws Exception {
        Files.writeString(acl(), HONEST + moreRules);
        chain.with(Part.BROKER, "--acl", acl().toString(), "--audit", audit().toString());
        chain.withTls(keys);
        chain.withJvmOptions(Part.BROKER, NodeProcess.BROKER_OPTIONS);
    }

    /** The ACL file says {@link #HONEST} and {@code moreRules} from now on. */
    final void rules(String moreRules) throws IOException {
        Path next = Files.writeString(directory.resolve("acl.next"), HONEST + moreRules);
        Files.move(next, acl(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    final Path acl() {
        return directory.resolve("acl");
    }

    private Path audit() {
        return directory.resolve("audit.log");
    }

    /** The keys of the chain's nodes and of the CA. */
    final Path keys() {
        return keys;
    }

    // --- raw nodes
    /** Makes a key directory for a raw node; its name in the ACL file is {@code role:name}. */
    final NodeTls keysOf(Role role, String name) throws Exception {
        Path target = directory.resolve("keys-" + name);
        if (!Files.exists(target)) {
            CommandRun.of("keys", "add", keys.toString(), target.toString(), "--role", role.fileName(), "--name", name)
                    .succeeded();
        }
        return NodeTls.load(target, role);
    }

    /** A session of a raw node of that role and name, with a node id of its own. */
    final RawNode raw(Role role, String name) throws Exception {
        return raw(role, keysOf(role, name), newNode());
    }

    /** The same with a given certificate and node id. */
    final RawNode raw(Role role, NodeTls tls, NodeId node) throws PtcpException {
        Greeting greeting = new Greeting(Greeting.Role.valueOf(role.name()), node, epochs.incrementAndGet());
        RawNode raw = RawNode.connect(loops, chain.brokerPtcp(), tls, greeting);
        rawNodes.add(raw);
        return raw;
    }

    /** The same with many streams, for as long as it wants. */
    final RawNode rawPatient(Role role, String name) throws Exception {
        Greeting greeting = new Greeting(Greeting.Role.valueOf(role.name()), newNode(), epochs.incrementAndGet());
        RawNode raw = RawNode.connectPatiently(loops, chain.brokerPtcp(), keysOf(role, name), greeting);
        rawNodes.add(raw);
        return raw;
    }

    /** A node id that nobody has. */
    final NodeId newNode() {
        return new NodeId(random.nextLong(), random.nextLong());
    }

    // --- transfers
    /** A file of a publisher, with random content. */
    final SampleTransfer file(NodeId publisher, String topic, String name, int sizeBytes) {
        long number = numbers.incrementAndGet();
        TransferKey key = new TransferKey(publisher, new TransferId(System.currentTimeMillis() << 16, number));
        return file(key, topic, name, sizeBytes);
    }

    /** The same under a given key. */
    final SampleTransfer file(TransferKey key, String topic, String name, int sizeBytes) {
        byte[] content = new byte[sizeBytes];
        random.nextBytes(content);
        Manifest manifest = new Manifest(
                key,
                numbers.incrementAndGet(),
                new Topic(topic),
                TransferKind.FILE,
                name,
                List.of(name),
                sizeBytes,
                SAMPLE_FRAGMENT_BYTES,
                Map.of());
        return SampleTransfer.of(manifest, content);
    }

    /** The key of a transfer of the chain's agent-a, by its name. */
    final TransferKey keyOf(String name) {
        AtomicReference<String> text = new AtomicReference<>("");
        await("the key of " + name).until(() -> {
            chain.status(Part.AGENT_A, name).ifPresent(status -> text.set(status.key()));
            return !text.get().isEmpty();
        });
        return TransferKey.parse(text.get());
    }

    // --- what is asserted
    /** The lines of the broker's audit log. */
    final List<String> audited() throws IOException {
        return Files.exists(audit()) ? Files.readAllLines(audit()) : List.of();
    }

    /** Waits for an audit line. */
    final void awaitAudited(String what, Predicate<String> line) {
        await("an audit line about " + what).until(() -> audited().stream().anyMatch(line));
    }

    /** The broker's heap after a full collection. */
    final long brokerHeapBytes() throws Exception {
        return HeapProbe.usedBytes(chain.node(Part.BROKER).pid());
    }

    /** By how much a node's log on disk (its standard error) has grown since {@link #startAll}. */
    final long logGrowthBytes(Part part) throws IOException {
        return Files.size(chain.logFile(part)) - logBytesBefore.getOrDefault(part, 0L);
    }

    /** Bytes of the files in a node's data directory, without the log's spare segments, which are filled in the background. */
    final long dataBytes(Part part) throws IOException {
        try (var files = Files.walk(chain.data(part))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("spare-"))
                    .mapToLong(HostileScenario::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // removed meanwhile
        }
    }

    /** An honest publisher is served: uploads a file by FTP now, and waits until it is delivered whole, with its receipt. */
    final void assertHonestIsServed(String name) throws Exception {
        Path source = sample(name, 2 * MIB + 17, name.hashCode());
        upload(source, name);
        awaitDelivered(source, name);
        await("the receipt of " + name).until(() -> receipts(name, "delivered") == 1);
        for (Part part : Part.values()) {
            assertThat(chain.isRunning(part)).as(part.command()).isTrue();
            assertThat(Files.readString(chain.logFile(part)))
                    .as("log of " + part.command())
                    .doesNotContain("OutOfMemoryError")
                    .doesNotContain(" ERROR ")
                    .doesNotContain("\tat ");
        }
    }
}
