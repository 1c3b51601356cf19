package io.hawser.release.demo;

import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.SampleFile;
import io.hawser.release.process.TwoBrokerChain;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The story with Kafka: an upload during which agent-b, then the broker that serves, then a node of Kafka are killed. The other broker
 * goes on. Then the consumer takes the file away, and that broker is killed, too: what was delivered does not come again.
 *
 * <p>Thread: main only.
 */
final class KafkaDemo extends DemoScenario<KafkaWatch> {
    private static final String MARKER = "marker.txt";
    private static final double KILL_KAFKA_AT = 0.80;

    private final TwoBrokerChain nodes;
    private final Optional<KafkaCluster> cluster;
    private boolean ackedWasResent;

    /** @param cluster whose nodes may be killed; empty where the user has named one */
    KafkaDemo(TwoBrokerChain nodes, Optional<KafkaCluster> cluster, Terms terms) {
        super(terms, new KafkaWatch(nodes, NAME, terms.out()));
        this.nodes = nodes;
        this.cluster = cluster;
    }

    /** Returns whether the same bytes are at both ends, delivered once, and nothing was sent again that had been acked. */
    @Override
    boolean run() throws IOException, InterruptedException {
        String expected = makeSource();
        startNodes();
        try (Arrivals arrivals = new Arrivals(nodes.target(), NAME)) {
            PacedUpload upload = beginUpload(nodes.ftp());
            killAgentB(upload);
            killBroker(upload);
            killKafka(upload);
            awaitDelivery(upload);
            Path taken = takeAway();
            killTheOtherBroker();
            stopNodes();
            return judge(expected, SampleFile.sha256(taken), arrivals.count());
        }
    }

    private void startNodes() throws IOException {
        nodes.startAll();
        for (int i = 0; i < 2; i++) {
            watch.say(
                    "broker %d runs, pid %d, and %s",
                    i + 1, nodes.broker(i).pid(), nodes.isReady(i) ? "has the store" : "stands by");
        }
        watch.say(
                "agent-a runs, pid %d; agent-b runs, pid %d",
                nodes.agentA().pid(), nodes.agentB().pid());
    }

    private void killAgentB(PacedUpload upload) throws IOException, InterruptedException {
        awaitUpload(upload, KILL_AGENT_B_AT);
        watch.await("agent-b takes bytes", LIMIT, () -> watch.agentBBytes() > 0);
        long before = watch.agentBBytes();
        HopStatus then = watch.downlink();
        nodes.agentB().kill();
        watch.say(
                "KILL -9 agent-b, while it had %s of %s durable (unfinished)", human(before), human(terms.sizeBytes()));
        requireUnfinished(before);
        upload.ceiling(share(KILL_BROKER_AT - PAUSE_AFTER));
        long began = System.nanoTime();
        nodes.startAgentB();
        watch.await("agent-b goes on", LIMIT, () -> watch.agentBBytes() > before);
        watch.await(
                "agent-b catches up", LIMIT, () -> watch.brokerBytes() - watch.agentBBytes() < terms.sizeBytes() / 16);
        told("agent-b", KILL_AGENT_B_AT, then, watch.downlink(), "of what it had acked");
        watch.say("agent-b is back and has caught up, %.1f s after its restart began", DemoWatch.secondsSince(began));
    }

    private void killBroker(PacedUpload upload) throws InterruptedException {
        awaitUpload(upload, KILL_BROKER_AT - 2 * PAUSE_AFTER);
        watch.await("broker 1 replicates", LIMIT, () -> watch.brokerBytes() > terms.sizeBytes() / 2);
        upload.ceiling(share(KILL_KAFKA_AT + PAUSE_AFTER)); // it dies while bytes are on their way
        awaitUpload(upload, KILL_BROKER_AT);
        HopStatus then = watch.uplink();
        nodes.broker(0).kill();
        long began = System.nanoTime();
        watch.poll();
        long replicated = watch.brokerBytes();
        long atAgentB = watch.agentBBytes();
        watch.say(
                "KILL -9 broker 1, while %s of %s were replicated (unfinished); it stays down",
                human(replicated), human(terms.sizeBytes()));
        requireUnfinished(replicated);
        watch.serving(1);
        watch.await("broker 2 has the store", LIMIT, () -> nodes.isReady(1));
        double served = DemoWatch.secondsSince(began);
        watch.say("broker 2 has the store, %.1f s after the kill; the client has not noticed", served);
        watch.await(
                "it goes on at broker 2",
                LIMIT,
                () -> watch.brokerBytes() > replicated && watch.agentBBytes() > atAgentB);
        watch.say("it goes on at broker 2, %.1f s after the kill", DemoWatch.secondsSince(began));
        told("broker 1", KILL_BROKER_AT, then, watch.uplink(), "of what was replicated");
    }

    private void killKafka(PacedUpload upload) throws InterruptedException {
        if (cluster.isEmpty()) {
            upload.ceiling(Long.MAX_VALUE);
            return;
        }
        awaitUpload(upload, KILL_KAFKA_AT);
        watch.await("broker 2 replicates", LIMIT, () -> watch.brokerBytes() > share(KILL_BROKER_AT));
        HopStatus then = watch.uplink();
        long replicated = watch.brokerBytes();
        cluster.get().kill(0);
        watch.say(
                "KILL -9 node 1 of Kafka, while %s of %s were replicated (unfinished); it stays down",
                human(replicated), human(terms.sizeBytes()));
        requireUnfinished(replicated);
        upload.ceiling(Long.MAX_VALUE);
        watch.await("it goes on with two nodes of Kafka", LIMIT, () -> watch.brokerBytes() > replicated);
        told("node of Kafka", KILL_KAFKA_AT, then, watch.uplink(), "of what was replicated");
    }

    private void awaitDelivery(PacedUpload upload) throws InterruptedException {
        awaitReply(upload);
        watch.await("delivery", LIMIT, () -> nodes.delivered(NAME) > 0);
        watch.printProgress();
        HopStatus up = watch.uplink();
        HopStatus down = watch.downlink();
        ackedWasResent |= up.bytes().resentAckedBytes() + down.bytes().resentAckedBytes() != 0;
        watch.say(
                "delivered; agent-a sent %d bytes of %d, of these %d again, and of what was replicated %d bytes again",
                up.bytes().sentBytes(),
                terms.sizeBytes(),
                up.bytes().resentBytes(),
                up.bytes().resentAckedBytes());
        watch.say(
                "broker 2 sent %d bytes to agent-b, of these %d again, and of what agent-b had acked to it %d bytes again",
                down.bytes().sentBytes(),
                down.bytes().resentBytes(),
                down.bytes().resentAckedBytes());
    }

    private Path takeAway() throws IOException {
        Path taken = terms.directory().resolve("taken.bin");
        Files.move(nodes.target().resolve(NAME), taken);
        watch.say("the consumer takes the file away");
        return taken;
    }

    /** Whoever forgot that it was delivered would deliver it again. */
    private void killTheOtherBroker() throws IOException, InterruptedException {
        nodes.startBroker(0);
        nodes.broker(1).kill();
        nodes.agentB().kill();
        long began = System.nanoTime();
        watch.say("broker 1 is started again; KILL -9 broker 2 and agent-b");
        nodes.startAgentB();
        watch.serving(0);
        watch.await("broker 1 has the store", LIMIT, () -> nodes.isReady(0));
        watch.say("broker 1 has the store, %.1f s after the kill", DemoWatch.secondsSince(began));
        PacedUpload marker = PacedUpload.start(
                nodes.ftp(),
                MARKER,
                new ByteArrayInputStream("what comes later\n".getBytes(StandardCharsets.UTF_8)),
                terms.bytesPerSecond());
        marker.reply().join();
        watch.await("a later file", LIMIT, () -> Files.exists(nodes.target().resolve(MARKER)));
        watch.say("a later file has arrived");
    }

    private void stopNodes() {
        for (NodeProcess node : List.of(nodes.agentA(), nodes.agentB(), nodes.broker(0))) {
            requireStopped("a node", node.stop());
        }
        watch.say("agent-a, agent-b and broker 1 stopped in order after SIGTERM");
    }

    private boolean judge(String expected, String found, int arrivals) {
        boolean equal = found.equals(expected);
        boolean once = arrivals == 1;
        summary.add(line("deliveries to subscription %s", TwoBrokerChain.SUBSCRIPTION) + arrivals);
        printEnd(
                expected,
                found,
                !equal
                        ? "NOT EQUAL."
                        : !once
                                ? "NOT DELIVERED ONCE."
                                : ackedWasResent
                                        ? "SOMETHING THAT HAD BEEN ACKED WAS SENT AGAIN."
                                        : "Equal. Every byte arrived, once; nothing replicated was sent again.");
        return equal && once && !ackedWasResent;
    }

    private void told(String killed, double part, HopStatus then, HopStatus now, String ofWhat) {
        long resentAcked = now.bytes().resentAckedBytes() - then.bytes().resentAckedBytes();
        ackedWasResent |= resentAcked != 0;
        summary.add(line(killed + " killed at %.0f %%", 100 * part)
                + String.format(
                        Locale.ROOT,
                        "%s re-sent (credit %s), %s %d bytes",
                        human(now.bytes().resentBytes() - then.bytes().resentBytes()),
                        human(now.bytes().creditBytes()),
                        ofWhat,
                        resentAcked));
    }

    private void awaitUpload(PacedUpload upload, double part) throws InterruptedException {
        awaitUpload(upload, part, () -> true);
    }

    private static String line(String format, Object... values) {
        return column(32, format, values);
    }
}
