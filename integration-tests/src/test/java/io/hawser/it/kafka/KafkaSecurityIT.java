package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.kafkatestkit.KafkaSecurity;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.SampleFile;
import io.hawser.release.process.TwoBrokerChain;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka that wants TLS and a password (SASL), and brokers with {@code --kafka-properties}. */
@Tag("kafka")
class KafkaSecurityIT {
    private static final Duration LIMIT = TestTimes.scaled(Duration.ofMinutes(2));
    private static final String USER = "hawser";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path clusterDirectory;

    @SuppressWarnings("NullAway.Init")
    private static KafkaSecurity security;

    @SuppressWarnings("NullAway.Init")
    private static KafkaCluster cluster;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeAll
    static void startCluster() throws Exception {
        security = KafkaSecurity.make(clusterDirectory.resolve("keys"), USER, "the right one");
        cluster = KafkaCluster.startSecured(clusterDirectory, 1, security);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    private List<String> store(String name, Map<String, String> properties) throws Exception {
        Properties lines = new Properties();
        lines.putAll(properties);
        Path file = directory.resolve(name + ".properties");
        try (OutputStream out = Files.newOutputStream(file)) {
            lines.store(out, null);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        List<String> words = new ArrayList<>(openStore(name));
        words.addAll(List.of("--kafka-properties", file.toString()));
        return words;
    }

    private static List<String> openStore(String name) {
        return List.of(
                "--store",
                "kafka",
                "--kafka-bootstrap",
                cluster.bootstrap(),
                "--kafka-name",
                name,
                "--kafka-development");
    }

    @Test
    void withTheRightPasswordBrokersServeAndOneTakesOverFromTheOther() throws Exception {
        Path source = directory.resolve("source");
        SampleFile.write(source, 5 << 20, 1);
        try (TwoBrokerChain nodes = new TwoBrokerChain(
                        directory.resolve("nodes"), store("right", security.clientProperties()))
                .startAll()) {
            upload(nodes, source, "one");
            assertThat(nodes.broker(0).stop()).isZero();
            Awaitility.await("the other broker").atMost(LIMIT).until(() -> nodes.isReady(1));
            upload(nodes, source, "two");
        }
    }

    private static void upload(TwoBrokerChain nodes, Path source, String name) throws Exception {
        try (Curl curl = Curl.upload(nodes.ftp(), source, name)) {
            assertThat(curl.await(LIMIT)).isZero();
        }
        Path there = nodes.target().resolve(name);
        Awaitility.await(name + " at the far end").atMost(LIMIT).until(() -> Files.exists(there));
        assertThat(Files.mismatch(there, source)).as("first byte that differs").isEqualTo(-1);
    }

    /** What a broker says that ends by itself. */
    private String refused(List<String> store) throws Exception {
        Path said = directory.resolve("said");
        List<String> words = new ArrayList<>(List.of(
                "broker",
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "off",
                "--data",
                directory.resolve("data").toString()));
        words.addAll(store);
        Process broker = NodeProcess.launch(said, NodeProcess.BROKER_OPTIONS, Map.of(), words);
        try {
            assertThat(broker.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
            assertThat(broker.exitValue()).isEqualTo(ExitCode.STORAGE.code());
            return Files.readString(said);
        } finally {
            broker.destroyForcibly();
        }
    }

    @Test
    void aWrongPasswordIsSaidToBeOneAtOnce() throws Exception {
        long began = System.nanoTime();

        String said = refused(store("wrong", security.clientProperties(USER, "another one")));

        assertThat(said)
                .contains("Kafka at " + cluster.bootstrap()
                        + " does not list its topics: it does not let this broker in with"
                        + " what --kafka-properties says (Authentication failed: Invalid username or password)")
                .doesNotContain("another one")
                .doesNotContain("\tat ");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(40));
    }

    @Test
    void aCertificateThatNobodyTrustsIsSaidToBeOne() throws Exception {
        KafkaSecurity stranger = KafkaSecurity.make(directory.resolve("stranger"), USER, "the right one");

        assertThat(refused(store("stranger", stranger.clientProperties())))
                .contains(
                        "does not list its topics: TLS fails", "--kafka-properties says which certificates are trusted")
                .doesNotContain("\tat ");
    }

    /** Kafka's own clients would take the alert for a length, and the broker would end for want of memory. */
    @Test
    void whereNothingIsSaidOfTlsItIsSaidThatKafkaWantsIt() throws Exception {
        assertThat(refused(openStore("plain")))
                .contains("Kafka at " + cluster.bootstrap() + " wants TLS: --kafka-properties has to say")
                .doesNotContain("OutOfMemoryError")
                .doesNotContain("\tat ");
    }
}
