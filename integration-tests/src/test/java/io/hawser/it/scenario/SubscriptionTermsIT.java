package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each subscription is given, and when a sender calls it enough: with nodes in processes of their own. */
class SubscriptionTermsIT extends Scenario {
    private final List<NodeProcess> ends = new ArrayList<>();

    @AfterEach
    void endThem() {
        ends.forEach(NodeProcess::close);
    }

    private NodeProcess startEnd(String name, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "agent-b",
                "--broker",
                chain.brokerPtcp().toString(),
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
        command.addAll(List.of(more));
        NodeProcess node = NodeProcess.begin(
                directory.resolve(name + ".log"), List.of(), NodeProcess.NODE_OPTIONS, Map.of(), command);
        ends.add(node);
        node.awaitReady(NodeProcess.START_LIMIT);
        await("the subscription of " + name).until(() -> node.log().contains("subscribed"));
        return node;
    }

    private Path target(String end) {
        return directory.resolve(end);
    }

    @Test
    void eachNodesRateBoundsWhatItSendsInEachOfItsSessions() throws Exception {
        long size = 12 * MIB;
        chain.with(Part.AGENT_A, "--rate", "6MB/s").with(Part.BROKER, "--rate", "3MB/s");
        chain.startAll();
        startEnd("second");
        Path source = sample("source", size, 1);
        long begun = System.nanoTime();

        upload(source, "file");
        awaitHop(
                Part.BROKER,
                "file",
                HopStatus.PUBLISHER_TO_BROKER,
                hop -> hop.bytes().durableBytes() == size);
        double up = size / ((System.nanoTime() - begun) / 1e9);
        await("both copies")
                .until(() -> Files.exists(delivered("file"))
                        && Files.exists(target("second").resolve("file")));
        double down = size / ((System.nanoTime() - begun) / 1e9);

        assertThat(up).as("bytes per second of agent-a").isLessThan(6e6 * 1.1);
        // Each of the two sessions has the broker's rate to itself: with half of it they would need twice as long.
        assertThat(down).as("bytes per second of the broker to each").isBetween(1.6e6, 3e6 * 1.1);
    }

    @Test
    void whoComesAfterwardsBeginsAtTheEarliestOrAtATime() throws Exception {
        chain.startAll();
        await("the first subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"b\""));
        chain.kill(Part.AGENT_B);
        Path one = sample("one", 2 * MIB, 1);
        upload(one, "one");
        awaitCommitted("one");
        String between = Instant.now().toString();
        Path two = sample("two", 1000, 2);
        upload(two, "two");
        awaitCommitted("two");

        startEnd("late", "--from", between);
        startEnd("earliest", "--from", "earliest");
        startEnd("now");
        Path three = sample("three", 1000, 3);
        upload(three, "three");

        await("what comes last, at all")
                .until(() -> visible(target("late")).contains("three")
                        && visible(target("earliest")).size() == 3
                        && visible(target("now")).contains("three"));
        await("what was replayed").until(() -> visible(target("late")).contains("two"));
        assertThat(visible(target("late"))).containsExactly("three", "two");
        assertThat(visible(target("now"))).containsExactly("three");
        assertThat(Files.mismatch(target("earliest").resolve("one"), one)).isEqualTo(-1);
    }

    private void awaitCommitted(String name) {
        await("the commit of " + name).until(() -> chain.status(Part.BROKER, name)
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));
    }

    @Test
    void anyOneOfTwoIsEnoughWhereTheSenderSaysSoAndAllWaitsForTheSecond() throws Exception {
        chain.with(Part.AGENT_A, "--custody", "delivered", "--complete", "any:1")
                .startAll();
        startEnd("second").kill();
        Path source = sample("source", 1000, 1);

        upload(source, "by-ftp"); // with curl's final reply
        awaitDelivered(source, "by-ftp");
        Process any = send("any", "any:1");
        assertThat(any.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("send with any:1 ends")
                .isTrue();
        assertThat(any.exitValue()).isZero();

        Process all = send("all", "all");
        await("the first copy").until(() -> Files.exists(delivered("all")));
        await("its receipt at the broker").until(() -> replicas("all").contains("1 copy"));
        assertThat(all.isAlive()).as("send waits for the other").isTrue();
        startEnd("second");
        assertThat(all.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("send with all ends")
                .isTrue();
        assertThat(all.exitValue()).isZero();
        assertThat(replicas("all")).contains("2 copies");
    }

    private Process send(String name, String rule) throws IOException {
        Path file = sample(name, 1000, name.length());
        return NodeProcess.launch(
                directory.resolve("send-" + name + ".log"),
                List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"),
                Map.of(),
                List.of(
                        "send",
                        file.toString(),
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--to",
                        ProcessChain.TOPIC,
                        "--state",
                        directory.resolve("state-" + name).toString(),
                        "--wait",
                        "delivered",
                        "--complete",
                        rule));
    }

    private String replicas(String name) throws Exception {
        String broker = chain.admin(Part.BROKER).orElseThrow().toString();
        return CommandRun.of("replicas", name, "--admin", broker).out();
    }

    @Test
    void whereTooFewAreLeftForTheRuleTheSenderIsTold() throws Exception {
        chain.with(Part.AGENT_A, "--custody", "delivered", "--complete", "any:2")
                .startAll();
        startEnd("second", "--deadline", "1s").kill();
        Path source = sample("source", 1000, 1);

        try (Curl curl = Curl.upload(chain.ftp(), source, "file")) {
            assertThat(curl.await(LIMIT)).as("curl's exit code").isNotZero();
        }

        awaitDelivered(source, "file");
        await("both receipts").until(() -> receipts("file", "delivered") == 1 && receipts("file", "expired") == 1);
        Process send = send("sent", "any:2");
        assertThat(send.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("send ends")
                .isTrue();
        assertThat(send.exitValue()).isNotZero();
        assertThat(Files.readString(directory.resolve("send-sent.log")))
                .contains("it goes to 2 subscriptions, of which 1 can have it, and any:2 was requested");
    }
}
