package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.SlowLink;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.PatternStream;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * One source and twenty far ends, each a process: one at the end of a line of 1 Mbit/s, one that is dead, and one that comes when 60 % of
 * the file are there.
 */
@EnabledIfSystemProperty(named = "hawser.big", matches = "true") // two minutes
class TwentyEndsIT extends Scenario {
    private static final long SIZE = 5 * MIB;
    private static final long SLOW_BYTES_PER_SECOND = 125_000;
    /** As fast as it gets. */
    private static final long UNPACED = 1L << 50;

    private static final int FAST_ENDS = 17;
    private static final int STARTERS = 4;

    private final Map<String, NodeProcess> ends = new HashMap<>();

    @AfterEach
    void endThem() {
        ends.values().forEach(NodeProcess::kill);
    }

    private NodeProcess startEnd(String name, HostPort broker) throws IOException {
        NodeProcess node = NodeProcess.start(
                directory.resolve(name + ".log"),
                List.of(
                        "agent-b",
                        "--broker",
                        broker.toString(),
                        "--data",
                        directory.resolve(name + "-data").toString(),
                        "--subscribe",
                        ProcessChain.TOPIC,
                        "--into",
                        Files.createDirectories(target(name)).toString(),
                        "--name",
                        name,
                        "--admin",
                        "127.0.0.1:0"));
        await("the subscription of " + name).until(() -> node.log().contains("subscribed"));
        return node;
    }

    private void startFastEnds() throws Exception {
        ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
        try {
            Map<String, Future<NodeProcess>> starting = new HashMap<>();
            for (String name : fast()) {
                starting.put(name, starters.submit((Callable<NodeProcess>) () -> startEnd(name, chain.brokerPtcp())));
            }
            for (Map.Entry<String, Future<NodeProcess>> each : starting.entrySet()) {
                ends.put(each.getKey(), each.getValue().get());
            }
        } finally {
            starters.shutdownNow();
        }
    }

    private static List<String> fast() {
        return IntStream.rangeClosed(1, FAST_ENDS).mapToObj(i -> "fast-" + i).toList();
    }

    private Path target(String name) {
        return directory.resolve(name);
    }

    private boolean has(String name) throws IOException {
        Path file = target(name).resolve("file");
        return Files.exists(file) && PatternStream.matches(file, SIZE, 1);
    }

    private SubscriptionStatus subscription(String name) throws IOException {
        byte[] page = new AdminClient(chain.admin(Part.BROKER).orElseThrow(), null).get("/subscriptions", Map.of());
        return Json.readList(page, SubscriptionStatus.class).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nobodyWaitsForTheSlowAndTheDeadAndWhoComesLateGetsEverything() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        try (SlowLink line = new SlowLink(chain.brokerPtcp(), SLOW_BYTES_PER_SECOND)) {
            ends.put("slow", startEnd("slow", line.address()));
            startFastEnds();
            startEnd("dead", chain.brokerPtcp()).kill();

            PacedUpload upload = PacedUpload.start(chain.ftp(), "file", new PatternStream(SIZE, 1), UNPACED);
            upload.ceiling(SIZE * 6 / 10);
            awaitHop(
                    Part.BROKER,
                    "file",
                    HopStatus.PUBLISHER_TO_BROKER,
                    hop -> hop.bytes().durableBytes() >= SIZE / 2);
            ends.put("late", startEnd("late", chain.brokerPtcp()));
            upload.ceiling(SIZE);
            long lastByte = System.nanoTime();

            List<String> soon = new ArrayList<>(fast());
            soon.add("late");
            for (String name : soon) {
                await("the copy of " + name).until(() -> has(name));
            }
            // They have not waited for the slow one, which has yet to get most of it.
            assertThat(line.downstreamBytes())
                    .as("what the slow line had carried when all the others had the file")
                    .isLessThan(SIZE * 9 / 10);
            assertThat(Files.exists(target("slow").resolve("file"))).isFalse();

            // What the dead one costs is shown.
            assertThat(subscription("dead"))
                    .satisfies(dead -> assertThat(dead.presence().connected()).isFalse())
                    .satisfies(dead -> assertThat(dead.backlog().pendingBytes()).isEqualTo(SIZE));

            // The uplink has carried it once, and what the tail sends twice when a stream lags.
            HopStatus uplink =
                    hop(Part.AGENT_A, "file", HopStatus.PUBLISHER_TO_BROKER).orElseThrow();
            assertThat(uplink.bytes().sentBytes() - uplink.bytes().resentBytes())
                    .isEqualTo(SIZE);
            assertThat(uplink.bytes().resentBytes())
                    .isLessThanOrEqualTo(uplink.bytes().creditBytes());

            await("the copy at the end of the slow line").until(() -> has("slow"));
            double seconds = (System.nanoTime() - lastByte) / 1e9;
            assertThat(line.downstreamBytes() / seconds)
                    .as("bytes per second over the slow line")
                    .isGreaterThan(SLOW_BYTES_PER_SECOND * 0.6);
            await("nineteen receipts").until(() -> receipts("file", "delivered") == FAST_ENDS + 2);

            assertThat(subscription("dead").backlog().heldBytes())
                    .as("what is kept for the dead one alone")
                    .isEqualTo(SIZE);

            // And the dead one, when it is there again.
            ends.put("dead", startEnd("dead", chain.brokerPtcp()));
            await("the copy of the one that was dead").until(() -> has("dead"));
            await("twenty receipts").until(() -> receipts("file", "delivered") == FAST_ENDS + 3);
            assertThat(upload.reply().join()).startsWith("226");
        }
    }
}
