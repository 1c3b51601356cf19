package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.observe.HopStatus;
import io.hawser.common.observe.TransferStatus;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.NodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two subscriptions on one topic. */
class FanOutIT extends Scenario {
    private static final long SIZE = 16 * MIB;

    @Test
    void bothGetEachFileAndTheUplinkAndTheLogCarryItOnce() throws Exception {
        chain.startAll();
        Path target = directory.resolve("second");
        try (NodeProcess second = startSecond()) {
            // It begins with what comes after it.
            await("the second subscription").until(() -> second.log().contains("subscribed"));
            Path source = sample("source", SIZE, 1);
            upload(source, "file");
            awaitDelivered(source, "file");
            await("the second copy").until(() -> Files.exists(target.resolve("file")));
            assertThat(Files.mismatch(target.resolve("file"), source)).isEqualTo(-1);
            HopStatus uplink = hop(Part.AGENT_A, "file", HopStatus.PUBLISHER_TO_BROKER)
                    .or(() -> hop(Part.BROKER, "file", HopStatus.PUBLISHER_TO_BROKER))
                    .orElseThrow();
            // Once, and what the tail sends twice when a stream lags.
            assertThat(uplink.sentBytes() - uplink.resentBytes()).isEqualTo(SIZE);
            assertThat(uplink.resentBytes()).isLessThanOrEqualTo(uplink.creditBytes());
            await("both receipts").until(() -> receipts("file", "delivered") == 2);
            assertThat(replicas("file"))
                    .containsPattern("(?m)^site-b  b  16 MiB  \\S+Z  hts256-1048576:[0-9a-f]{64}$")
                    .containsPattern("(?m)^site-b  second  16 MiB  \\S+Z  hts256-1048576:[0-9a-f]{64}$")
                    .endsWith("2 copies");
            assertThat(loggedBytes())
                    .as("bytes that are not zero in the broker's log")
                    .isLessThan(SIZE * 3 / 2);
        }
    }

    private NodeProcess startSecond(String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "agent-b",
                "--broker",
                chain.brokerPtcp().toString(),
                "--data",
                directory.resolve("second-data").toString(),
                "--subscribe",
                Chain.TOPIC,
                "--into",
                Files.createDirectories(directory.resolve("second")).toString(),
                "--name",
                "second",
                "--admin",
                "127.0.0.1:0"));
        command.addAll(List.of(more));
        return NodeProcess.start(directory.resolve("second.log"), command);
    }

    @Test
    void whoComesAfterwardsMayHaveWhatTheOthersHaveNotYet() throws Exception {
        chain.startAll();
        Path before = sample("before", MIB, 1);
        upload(before, "before");
        awaitDelivered(before, "before");
        await("the publisher's receipt").until(() -> receipts("before", "delivered") == 1);
        chain.kill(Part.AGENT_B);
        Path kept = sample("kept", 3 * MIB, 2);
        upload(kept, "kept");
        await("the commit").until(() -> chain.status(Part.BROKER, "kept")
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));

        try (NodeProcess second = startSecond("--from", "earliest")) {
            await("the second subscription").until(() -> second.log().contains("subscribed"));
            Path copy = directory.resolve("second/kept");
            await("the second copy").until(() -> Files.exists(copy));
            assertThat(Files.mismatch(copy, kept)).isEqualTo(-1);
            chain.start(Part.AGENT_B);
            awaitDelivered(kept, "kept");
            assertThat(visible(directory.resolve("second"))).containsExactly("kept");
        }
    }

    private String replicas(String name) throws Exception {
        String broker = chain.admin(Part.BROKER).orElseThrow().toString();
        return CommandRun.of("replicas", name, "--broker-admin", broker)
                .succeeded()
                .out()
                .strip();
    }

    /** Random content has few zero bytes, and what is allocated ahead is zero. */
    private long loggedBytes() throws Exception {
        long count = 0;
        List<Path> files;
        try (Stream<Path> paths = Files.walk(chain.data(Part.BROKER))) {
            files = paths.filter(Files::isRegularFile)
                    .filter(path -> !path.toString().endsWith(".db"))
                    .toList();
        }
        for (Path file : files) {
            for (byte b : Files.readAllBytes(file)) {
                if (b != 0) {
                    count++;
                }
            }
        }
        return count;
    }
}
