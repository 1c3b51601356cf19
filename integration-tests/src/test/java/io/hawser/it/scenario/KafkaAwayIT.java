package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.config.HostPort;
import io.hawser.it.harness.CommandRun;
import io.hawser.kafkatestkit.ReservedPorts;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker over a Kafka of which nobody is there. */
class KafkaAwayIT {
    /** A JVM on a busy machine starts slowly; the broker itself needs no second. */
    private static final Duration SOON = TestTimes.scaled(Duration.ofSeconds(30));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private ReservedPorts ports;

    @SuppressWarnings("NullAway.Init")
    private NodeProcess broker;

    private HostPort kafka = new HostPort("127.0.0.1", 0);
    private HostPort admin = new HostPort("127.0.0.1", 0);

    @BeforeEach
    void startBroker() throws Exception {
        ports = ReservedPorts.take(2);
        kafka = new HostPort("127.0.0.1", ports.number(0));
        admin = new HostPort("127.0.0.1", ports.number(1));
        broker = NodeProcess.begin(
                directory.resolve("broker.log"),
                List.of(),
                NodeProcess.BROKER_OPTIONS,
                Map.of(),
                List.of(
                        "broker",
                        "--store",
                        "kafka",
                        "--kafka-bootstrap",
                        kafka.toString(),
                        "--data",
                        directory.resolve("data").toString(),
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        admin.toString()));
    }

    @AfterEach
    void endBroker() throws Exception {
        broker.close();
        ports.close();
    }

    private String problem() {
        return "Kafka cannot be reached at " + kafka + " (Connection refused)";
    }

    private JsonNode health() throws Exception {
        try {
            return Json.tree(new AdminClient(admin, null).health());
        } catch (CommandException e) {
            return Json.tree("{}".getBytes(StandardCharsets.UTF_8)); // it does not listen yet
        }
    }

    @Test
    void itSaysSoAtOnceInItsLogAndOnItsPagesAndEndsInOrderWhenItIsTold() throws Exception {
        Awaitility.await("the log").atMost(SOON).until(() -> broker.log().contains(problem()));
        Awaitility.await("/health")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(health()).asString().contains(problem()));
        assertThat(health().get("ok").asBoolean()).isFalse();
        CommandRun status = CommandRun.of("status", "--admin", admin.toString());
        assertThat(status.code()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(status.log()).contains("this broker does not serve: its store is not reached");

        assertThat(broker.stop()).as("exit code").isZero();
        assertThat(broker.log()).doesNotContain("hawser: ", "\tat ");
    }
}
