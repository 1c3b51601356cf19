package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.it.harness.Shell;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.SampleFile;
import io.hawser.release.process.TwoBrokerChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers over a cluster of three nodes, all in processes of their own; what dies is killed with signal 9 in mid-transfer. */
@Tag("kafka")
class BrokerFailoverIT {
    private static final int MIB = 1 << 20;
    private static final long SIZE = 48L * MIB;
    private static final int AT_ONCE = 5;
    private static final Duration LIMIT = TestTimes.scaled(Duration.ofMinutes(2));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path clusterDirectory;

    @SuppressWarnings("NullAway.Init")
    private static KafkaCluster cluster;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private TwoBrokerChain nodes;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = KafkaCluster.start(clusterDirectory, 3);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @BeforeEach
    void startNodes(TestInfo test) throws Exception {
        nodes = new TwoBrokerChain(
                        directory.resolve("nodes"),
                        List.of(
                                "--store",
                                "kafka",
                                "--kafka-bootstrap",
                                cluster.bootstrap(),
                                "--kafka-name",
                                test.getTestMethod().orElseThrow().getName()))
                .startAll();
    }

    @AfterEach
    void endNodes() throws Exception {
        nodes.close();
        for (int broker = 1; broker <= 2; broker++) {
            assertThat(directory.resolve("nodes/broker-" + broker + ".log"))
                    .content()
                    .as("memory of broker " + broker)
                    .doesNotContain("OutOfMemoryError", "Cannot reserve");
        }
    }

    @Test
    void aBrokerThatReadsForAConsumerWhichWasAwayWhileMoreComesHasMemoryForBoth() throws Exception {
        nodes.agentB().kill();
        Path source = sample("source", SIZE, 5);
        List<Curl> before = uploads(source, "before");
        for (Curl curl : before) {
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        await("all of it at the broker")
                .until(() -> IntStream.range(0, AT_ONCE).allMatch(i -> nodes.uplink("before " + i)
                        .filter(hop -> hop.bytes().durableBytes() == SIZE)
                        .isPresent()));
        List<Curl> meanwhile = uploads(source, "while");
        nodes.startAgentB();
        for (Curl curl : meanwhile) {
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        for (int i = 0; i < AT_ONCE; i++) {
            awaitDelivered(source, "before " + i);
            awaitDelivered(source, "while " + i);
        }
        assertThat(nodes.broker(0).isReady()).as("the broker went on").isTrue();
    }

    private List<Curl> uploads(Path source, String name) throws Exception {
        List<Curl> all = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            all.add(Curl.upload(nodes.ftp(), source, name + " " + i));
        }
        return all;
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(50));
    }

    private static String complaints(Curl curl) {
        try {
            return "curl said: " + curl.complaints();
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private Path sample(String name, long sizeBytes, long seed) throws Exception {
        Path file = directory.resolve(name);
        SampleFile.write(file, sizeBytes, seed);
        return file;
    }

    @Test
    void theBrokerIsKilledInMidTransferAndTheOtherGoesOn() throws Exception {
        Path source = sample("source", SIZE, 1);
        await("the standby").until(() -> nodes.broker(1).log().contains("Watches the active broker"));
        try (Curl curl = Curl.uploadPart(nodes.ftp(), source, "file", SIZE / 2)) {
            awaitHalfway();
            nodes.broker(0).kill();
            long begun = System.nanoTime();
            await("the other broker").until(() -> nodes.isReady(1));
            System.out.printf(
                    "FIGURE most milliseconds until the other broker served = %d%n",
                    (System.nanoTime() - begun) / 1_000_000);
            assertThat(nodes.broker(1).log())
                    .as("what noticed the death, before Kafka's session timeout")
                    .contains("The active broker's process has ended");
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        awaitDelivered(source, "file");
        assertNothingReplicatedWasSentAgain();
        nodes.startBroker(0);
        awaitOneDelivery();
    }

    @Test
    void theBrokerThatEndsInOrderHandsOverAtOnce() throws Exception {
        Path source = sample("source", SIZE, 2);
        try (Curl curl = Curl.uploadPart(nodes.ftp(), source, "file", SIZE / 2)) {
            awaitHalfway();
            assertThat(nodes.broker(0).stop()).isZero();
            await("the other broker").until(() -> nodes.isReady(1));
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        awaitDelivered(source, "file");
        assertNothingReplicatedWasSentAgain();
        nodes.startBroker(0);
        awaitOneDelivery();
    }

    @Test
    void aNodeOfKafkaIsKilledInMidTransferAndNobodyNotices() throws Exception {
        Path source = sample("source", SIZE, 3);
        for (int node = 0; node < 3; node++) {
            String name = "file " + node;
            try (Curl curl = Curl.uploadPart(nodes.ftp(), source, name, SIZE / 2)) {
                await("half of it").until(() -> nodes.uplink(name)
                        .filter(hop -> hop.bytes().durableBytes() > SIZE / 4)
                        .isPresent());
                cluster.kill(node);
                curl.resume();
                assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
            }
            awaitDelivered(source, name);
            assertThat(nodes.uplink(name).orElseThrow().bytes().resentBytes())
                    .as("sent again")
                    .isZero();
            cluster.restart(node);
        }
        assertThat(nodes.isReady(0)).as("the broker went on").isTrue();
        assertThat(nodes.isReady(1)).as("the other stood by").isFalse();
    }

    @Test
    void aBrokerThatWasOnlyPausedIsFencedOffAndEnds() throws Exception {
        Path source = sample("source", SIZE, 4);
        try (Curl curl = Curl.uploadPart(nodes.ftp(), source, "file", SIZE / 2)) {
            awaitHalfway();
            Shell.signal("STOP", nodes.broker(0).pid());
            await("the other broker").until(() -> nodes.isReady(1));
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
            Shell.signal("CONT", nodes.broker(0).pid());
            assertThat(nodes.broker(0).awaitExit(LIMIT))
                    .as("exit code of the old one")
                    .isEqualTo(5);
        }
        awaitDelivered(source, "file");
        assertThat(nodes.isReady(1)).isTrue();
        nodes.startBroker(0);
        awaitOneDelivery();
    }

    private void awaitHalfway() {
        await("half of it").until(() -> nodes.uplink("file")
                .filter(hop -> hop.bytes().durableBytes() > SIZE / 4)
                .isPresent());
        assertThat(nodes.uplink("file").orElseThrow().bytes().durableBytes())
                .as("a kill counts only if it was unfinished")
                .isLessThan(SIZE);
    }

    private void awaitDelivered(Path source, String name) throws Exception {
        Path there = nodes.target().resolve(name);
        await(name + " at the far end").until(() -> Files.exists(there));
        assertThat(Files.mismatch(there, source)).as("first byte that differs").isEqualTo(-1);
    }

    /** What was on its way, unacknowledged, may be sent again; nothing else. */
    private void assertNothingReplicatedWasSentAgain() {
        HopStatus hop = nodes.uplink("file").orElseThrow();
        System.out.printf(
                "FIGURE most bytes sent again to the other broker = %d%n",
                hop.bytes().resentBytes());
        assertThat(hop.bytes().resentAckedBytes())
                .as("bytes sent again that had been acked as replicated")
                .isZero();
        HopStatus downlink = await("the other broker's page of it") // the first one that it is asked for
                .until(() -> nodes.downlink(1, "file"), Optional::isPresent)
                .orElseThrow();
        assertThat(downlink.bytes().resentAckedBytes())
                .as("bytes sent again that agent-b had acked to the other broker")
                .isZero();
        assertThat(hop.bytes().resentBytes()).isLessThanOrEqualTo(hop.bytes().creditBytes());
        assertThat(hop.bytes().sentBytes())
                .isLessThanOrEqualTo(SIZE + hop.bytes().creditBytes());
    }

    /** One receipt, and a file that its consumer took away does not come back, whoever is started again. */
    private void awaitOneDelivery() throws Exception {
        await("the receipt").until(() -> nodes.delivered("file") == 1);
        Files.delete(nodes.target().resolve("file"));
        nodes.broker(1).kill();
        await("the first broker again").until(() -> nodes.isReady(0));
        nodes.agentA().kill();
        nodes.agentB().kill();
        nodes.startAgentA();
        nodes.startAgentB();
        Path marker = sample("marker", 10, 8);
        try (Curl curl = Curl.upload(nodes.ftp(), marker, "marker")) {
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        awaitDelivered(marker, "marker");
        try (Stream<Path> visible = Files.list(nodes.target())) {
            assertThat(visible.map(path -> path.getFileName().toString()).filter(name -> !name.startsWith(".hawser")))
                    .containsExactly("marker");
        }
    }
}
