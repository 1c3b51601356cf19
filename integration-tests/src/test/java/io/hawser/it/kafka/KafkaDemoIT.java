package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser demo --store kafka} with a small file: real processes, real kills, a real Kafka. */
@Tag("kafka")
class KafkaDemoIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private String demo(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("demo", "--store", "kafka", "--size", "48MiB"));
        words.addAll(List.of(more));
        Path complaints = directory.resolve("stderr");
        Process process = NodeProcess.launch(complaints, List.of("-Xmx128m"), Map.of(), words);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> said + "\n" + read(complaints)).isZero();
        return said;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void aBrokerDiesInMidTransferAndNothingReplicatedIsSentAgainAndOneDeliveryIsMade() throws Exception {
        Path data = directory.resolve("demo");

        String said = demo("--dir", data.toString());

        assertThat(said)
                .containsSubsequence(
                        "broker 1 runs",
                        "has the store",
                        "KILL -9 agent-b, while it had",
                        "KILL -9 broker 1, while",
                        "broker 2 has the store",
                        "KILL -9 node 1 of Kafka, while",
                        "the client's final reply: 226 Transfer",
                        "the consumer takes the file away",
                        "KILL -9 broker 2",
                        "a later file has arrived",
                        "Equal. Every byte arrived, once; nothing replicated was sent again.");
        assertThat(bytes(said, "broker 1 killed at 60 % .* of what was replicated (\\d+) bytes"))
                .isZero();
        assertThat(bytes(said, "node of Kafka killed at 80 % .* of what was replicated (\\d+) bytes"))
                .isZero();
        assertThat(bytes(said, "agent-b killed at 25 % .* of what it had acked (\\d+) bytes"))
                .isZero();
        assertThat(bytes(said, "agent-a sent \\d+ bytes .* of what was replicated (\\d+) bytes again"))
                .isZero();
        assertThat(bytes(said, "deliveries to subscription b +(\\d+)")).isOne();
        assertThat(data).as("it leaves nothing behind").doesNotExist();
    }

    @Test
    void onAClusterThatIsThereItRemovesItsTopics() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.start(Files.createDirectories(directory.resolve("there")), 3)) {
            String said = demo("--kafka-bootstrap", cluster.bootstrap());

            assertThat(said).contains("nothing replicated was sent again").doesNotContain("could not be removed");
            try (Admin admin =
                    Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, (Object) cluster.bootstrap()))) {
                assertThat(admin.listTopics().names().get()).isEmpty();
            }
        }
    }

    private static long bytes(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
