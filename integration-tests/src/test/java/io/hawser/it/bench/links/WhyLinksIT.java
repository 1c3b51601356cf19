package io.hawser.it.bench.links;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.config.HostPort;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.why.Trials;
import io.hawser.it.why.Verdicts;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Throttles the link between agent-a and the broker, emulated between two network namespaces, by rate, delay and loss, and asks agent-a 5 s
 * later what holds the transfer back: at least 95 % of all trials must say so. The directory of the emulator is given with
 * {@code -Dhawser.wan}; without it these tests say nothing.
 */
@Tag("full")
class WhyLinksIT {
    private static final long FILE_BYTES = 256L << 20;
    private static final Trials RESULTS = new Trials();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final List<NodeProcess> nodes = new ArrayList<>();

    @AfterEach
    void kill() {
        nodes.forEach(NodeProcess::kill);
    }

    @AfterAll
    static void report() {
        RESULTS.report();
    }

    @Test
    void aSlowLink() throws Exception {
        trials(Link.of(20, 20), Set.of("link"));
    }

    @Test
    void aLinkThatLosesPackets() throws Exception {
        trials(new Link(500, 40, 1, true), Set.of("loss"));
    }

    /** Without losses and a rate that is reached, the round trip limits by the windows: TCP's, or Hawser's credit. */
    @Test
    void aLongLink() throws Exception {
        trials(Link.of(2_000, 600), Set.of("stream-window", "credit"));
    }

    private void trials(Link link, Set<String> wanted) throws Exception {
        String emulator = System.getProperty("hawser.wan", "");
        Assumptions.assumeTrue(
                !emulator.isEmpty() && Wan.problem(Path.of(emulator)).isEmpty(),
                "no link emulator: give its directory with -Dhawser.wan");
        Path source = directory.resolve("source");
        SampleFile.write(source, FILE_BYTES, 1);
        try (Wan wan = new Wan(Path.of(emulator), directory)) {
            wan.up(link);
            NodeProcess agentA = chain(wan);
            for (int trial = 0; trial < Trials.COUNT; trial++) {
                String name = "trial-" + trial;
                assertThat(wan.run(
                                Site.LEFT,
                                "curl",
                                "-sS",
                                "-T",
                                source.toString(),
                                "ftp://" + agentA.address("ftp") + "/" + name))
                        .isZero();
                TimeUnit.MILLISECONDS.sleep(Trials.WINDOW_MILLIS); // the window of the verdict is what is tested
                RESULTS.add(link.toString(), wanted, verdict(answer(wan, agentA.address("admin"), name)));
            }
            kill(); // before the link goes down
        }
    }

    private static Verdicts.Found verdict(JsonNode why) {
        JsonNode window = Stream.iterate(0, i -> i + 1)
                .limit(why.path("hops").size())
                .map(i -> why.path("hops").get(i))
                .filter(hop -> hop.path("hop").asText().equals(HopStatus.PUBLISHER_TO_BROKER))
                .findFirst()
                .orElseThrow()
                .path("windows")
                .get(0);
        return new Verdicts.Found(
                window.path("bottleneck").asText(), window.path("sentence").asText() + " " + window.path("shares"));
    }

    private static JsonNode answer(Wan wan, HostPort admin, String name) throws Exception {
        String key = get(wan, "http://" + admin + "/transfers?key=" + name)
                .path("transfers")
                .get(0)
                .path("key")
                .asText();
        return get(wan, "http://" + admin + "/why?key=" + key);
    }

    private static JsonNode get(Wan wan, String url) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(wan.at(Site.LEFT));
        words.addAll(List.of("curl", "-sS", url));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(wan.environment());
        Process curl = builder.start();
        byte[] answer = curl.getInputStream().readAllBytes();
        assertThat(curl.waitFor())
                .as(new String(answer, StandardCharsets.UTF_8))
                .isZero();
        return Json.tree(answer);
    }

    /** Broker and agent-b at the right site, agent-a at the left one; returns agent-a. */
    private NodeProcess chain(Wan wan) throws IOException {
        Path target = Files.createDirectories(directory.resolve("delivered"));
        NodeProcess broker = start(
                wan,
                Site.RIGHT,
                NodeProcess.BROKER_OPTIONS,
                List.of(
                        "broker",
                        "--listen",
                        Site.RIGHT.address() + ":0",
                        "--admin",
                        "off",
                        "--insecure",
                        "--data",
                        directory.resolve("broker").toString()));
        String address = broker.address("ptcp").toString();
        NodeProcess agentB = start(
                wan,
                Site.RIGHT,
                NodeProcess.NODE_OPTIONS,
                List.of(
                        "agent-b",
                        "--broker",
                        address,
                        "--admin",
                        "off",
                        "--data",
                        directory.resolve("agent-b").toString(),
                        "--subscribe",
                        LinkNodes.TOPIC,
                        "--into",
                        target.toString(),
                        "--name",
                        "b"));
        agentB.awaitReady(NodeProcess.START_LIMIT);
        NodeProcess agentA = start(
                wan,
                Site.LEFT,
                NodeProcess.NODE_OPTIONS,
                List.of(
                        "agent-a",
                        "--broker",
                        address,
                        "--admin",
                        "127.0.0.1:0",
                        "--spool",
                        directory.resolve("agent-a").toString(),
                        "--ftp",
                        "127.0.0.1:0",
                        "--to",
                        LinkNodes.TOPIC));
        Awaitility.await("the session").atMost(TestTimes.LIMIT).until(() -> get(
                        wan, "http://" + agentA.address("admin") + "/health")
                .path("detail")
                .path("broker")
                .asText()
                .equals("connected"));
        return agentA;
    }

    private NodeProcess start(Wan wan, Site site, List<String> options, List<String> command) throws IOException {
        NodeProcess node = NodeProcess.start(
                directory.resolve(command.get(0) + ".log"), wan.at(site), options, wan.environment(), command);
        nodes.add(node);
        return node;
    }
}
