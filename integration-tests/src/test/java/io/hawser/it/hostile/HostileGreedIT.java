package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.Program;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.SessionMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node with rights on a topic of its own takes what it can get of the broker's memory. The nodes beside it are served. */
class HostileGreedIT extends HostileScenario {
    private static final String PLANS = "plans";
    private static final String MALLORY = "client:mallory publish,subscribe,serve,list,read " + PLANS + "\n";
    private static final int HOP = 1;
    private static final long HEAP_LIMIT_BYTES = 64 * MIB;

    /** A transfer without bytes, with as much text as a manifest takes. */
    private static SampleTransfer wordy(NodeId publisher, int number) {
        Manifest manifest = new Manifest(
                new TransferKey(publisher, new TransferId(System.currentTimeMillis() << 16, number)),
                number,
                new Topic(PLANS),
                TransferKind.MESSAGE,
                "m" + number,
                List.of(),
                0,
                1 << 16,
                Map.of(
                        "a",
                        "x".repeat(4000),
                        "b",
                        "y".repeat(4000),
                        "c",
                        "z".repeat(4000),
                        "d",
                        "w".repeat(4000),
                        "e",
                        "x".repeat(4000),
                        "f",
                        "y".repeat(4000),
                        "g",
                        "z".repeat(4000)));
        return SampleTransfer.of(manifest, new byte[0]);
    }

    private void subscribed(RawNode node, int hop, String name, ServingMode serving) {
        node.subscribe(hop, name, PLANS, serving);
        await("SUBSCRIBED").until(() -> node.heard().contains(new SessionMessage.Subscribed(hop)));
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void questionsThatAreNeverAnsweredLeaveMemoryForTheReadersOfOthers() throws Exception {
        startAll(MALLORY);
        Path source = sample("true", MIB, 3);
        upload(source, "true");
        awaitDelivered(source, "true");

        NodeTls tls = keysOf(Role.CLIENT, "mallory");
        try (RawNode server = raw(Role.CLIENT, tls, newNode());
                RawNode asker = raw(Role.CLIENT, tls, newNode())) {
            subscribed(server, HOP, "plans", ServingMode.SERVES);
            for (int call = 1; call <= 64; call++) {
                asker.send(new SessionMessage.Ask(call, new Topic(PLANS), new Question.Read("f", "", 0, 1 << 16)));
            }
            asker.awaitHeard();
            await("questions").until(() -> server.heard().stream().anyMatch(SessionMessage.Ask.class::isInstance));
            Program.run(directory, "curl", "-sS", "-m", "20", "-o", "got", "ftp://" + chain.ftp() + "/true")
                    .succeeded();
        }
        assertThat(directory.resolve("got")).hasSameBinaryContentAs(source);
    }

    @Test
    @Invariant({InvariantName.BOUNDED_MEMORY, InvariantName.AUTHORISED_BEFORE_MEMORY})
    void longQuestionsOfManySessionsFillNoHeap() throws Exception {
        startAll(MALLORY);
        assertHonestIsServed("before");
        NodeTls tls = keysOf(Role.CLIENT, "mallory");
        long before = brokerHeapBytes();
        List<RawNode> nodes = new ArrayList<>();
        try (RawNode server = raw(Role.CLIENT, tls, newNode())) {
            subscribed(server, HOP, "plans", ServingMode.SERVES);
            String name = "n".repeat(Question.MAX_NAME_LENGTH_BYTES - 8);
            for (int i = 0; i < 60; i++) {
                RawNode asker = raw(Role.CLIENT, tls, newNode());
                nodes.add(asker);
                asker.flood(
                        1024,
                        call -> new SessionMessage.Ask(call + 1, new Topic(PLANS), new Question.Stat(name + call)));
                asker.awaitHeard();
            }
            assertThat(brokerHeapBytes() - before).as("heap").isLessThan(HEAP_LIMIT_BYTES);
            nodes.forEach(RawNode::close);
        }
        assertHonestIsServed("after");
    }

    @Test
    @Invariant({InvariantName.BOUNDED_MEMORY, InvariantName.AUTHORISED_BEFORE_MEMORY})
    void openTransfersWithLongManifestsFillNoHeap() throws Exception {
        startAll(MALLORY);
        assertHonestIsServed("before");
        long before = brokerHeapBytes();
        try (RawNode mallory = raw(Role.CLIENT, "mallory")) {
            mallory.flood(
                    4096,
                    i -> new SessionMessage.OfHop(
                            RawNode.PUBLISHING_HOP,
                            new HopMessage.Open(wordy(mallory.id(), i + 1).manifest(), false)));
            mallory.awaitHeard();
            assertThat(brokerHeapBytes() - before).as("heap").isLessThan(HEAP_LIMIT_BYTES);
        }
        assertHonestIsServed("after");
    }
}
