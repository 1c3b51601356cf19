package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two subscriptions on one topic. */
class FanOutIT extends Scenario {
    private static final long SIZE = 16 * MIB;
    private static final long MAX_BYTES_PER_SECOND = 8_000_000;

    @Test
    void bothGetEachFileAndTheUplinkAndTheLogCarryItOnce() throws Exception {
        chain.startAll();
        Path target = directory.resolve("second");
        try (NodeProcess second = startSecond("--max-rate", "8MB/s")) {
            // It begins with what comes after it.
            await("the second subscription").until(() -> second.log().contains("subscribed"));
            Path source = sample("source", SIZE, 1);
            long begun = System.nanoTime();
            upload(source, "file");
            awaitDelivered(source, "file");
            await("the second copy").until(() -> Files.exists(target.resolve("file")));
            assertThat(SIZE / ((System.nanoTime() - begun) / 1e9))
                    .as("bytes per second to the second, which has asked for no more than 8 MB/s")
                    .isLessThan(MAX_BYTES_PER_SECOND * 1.1);
            assertThat(Files.mismatch(target.resolve("file"), source)).isEqualTo(-1);
            HopStatus uplink = hop(Part.AGENT_A, "file", HopStatus.PUBLISHER_TO_BROKER)
                    .or(() -> hop(Part.BROKER, "file", HopStatus.PUBLISHER_TO_BROKER))
                    .orElseThrow();
            // Once, and what the tail sends twice when a stream lags.
            assertThat(uplink.bytes().sentBytes() - uplink.bytes().resentBytes())
                    .isEqualTo(SIZE);
            assertThat(uplink.bytes().resentBytes())
                    .isLessThanOrEqualTo(uplink.bytes().creditBytes());
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
                ProcessChain.TOPIC,
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
        upload(sample("other", 1000, 3), "other");
        Path kept = sample("kept", 3 * MIB, 2);
        upload(kept, "kept");
        await("the commit").until(() -> chain.status(Part.BROKER, "kept")
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));

        // What the one that is away costs is shown.
        String broker = chain.admin(Part.BROKER).orElseThrow().toString();
        assertThat(CommandRun.of("status", "--admin", broker).succeeded().out())
                .containsPattern("site-b  b  away since \\S+Z  is owed 2 transfers, 3.0 MiB, the oldest .* old\n"
                        + " +they wait since \\S+Z, until it has them or is removed;"
                        + " kept for it alone: 2 transfers, 3.0 MiB\n");
        assertThat(page(Part.BROKER, "/metrics"))
                .contains("hawser_loan_bytes ")
                .contains("hawser_subscription_held_bytes{subscription=\"b\",topic=\"site-b\"} 3146728.0\n")
                .contains("hawser_subscription_pending_transfers{subscription=\"b\",topic=\"site-b\"} 2.0\n");

        try (NodeProcess second = startSecond("--from", "1h", "--from-names", "k*")) {
            await("the second subscription").until(() -> second.log().contains("subscribed"));
            Path copy = directory.resolve("second/kept");
            await("the second copy").until(() -> Files.exists(copy));
            assertThat(Files.mismatch(copy, kept)).isEqualTo(-1);
            chain.start(Part.AGENT_B);
            awaitDelivered(kept, "kept");
            assertThat(visible(directory.resolve("second"))).containsExactly("kept");
        }
    }

    @Test
    void whatAnAbsentOneHasNotGotWithinItsDeadlineIsGivenUpForItAloneAndFreesItsSpace() throws Exception {
        chain.startAll();
        try (NodeProcess second = startSecond("--deadline", "4s")) {
            await("the second subscription").until(() -> second.log().contains("subscribed"));
        }
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        await("what it costs, and until when").until(() -> {
            SubscriptionStatus second = subscription("second");
            return second.backlog().pendingBytes() == 3 * MIB
                    && second.backlog().untilEpochMillis() == second.backlog().sinceEpochMillis() + 4_000
                    && !second.presence().connected();
        });

        awaitDelivered(source, "file");
        await("its receipt").until(() -> receipts("file", "expired") == 1);
        assertThat(receipts("file", "delivered")).isEqualTo(1);
        await("the space").until(() -> page(Part.BROKER, "/metrics").contains("\nhawser_store_used_bytes 0.0\n"));
        assertThat(page(Part.BROKER, "/metrics"))
                .contains("hawser_loan_bytes ")
                .contains("hawser_subscription_held_bytes{subscription=\"second\",topic=\"site-b\"} 0.0\n");

        try (NodeProcess second = startSecond("--deadline", "4s")) {
            await("the second subscription").until(() -> second.log().contains("subscribed"));
            Path next = sample("next", MIB, 2);
            upload(next, "next");
            await("what comes afterwards").until(() -> Files.exists(directory.resolve("second/next")));
            assertThat(visible(directory.resolve("second"))).containsExactly("next");
        }
    }

    private SubscriptionStatus subscription(String name) throws IOException {
        return Json.readList(
                        page(Part.BROKER, "/subscriptions").getBytes(StandardCharsets.UTF_8), SubscriptionStatus.class)
                .stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private String replicas(String name) throws Exception {
        String broker = chain.admin(Part.BROKER).orElseThrow().toString();
        return CommandRun.of("replicas", name, "--admin", broker)
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
