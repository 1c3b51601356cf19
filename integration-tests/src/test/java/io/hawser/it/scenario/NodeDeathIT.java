package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Each node is killed in the middle of a {@code curl -T}, and the same bytes arrive, once. */
class NodeDeathIT extends Scenario {
    private static final long SIZE = BIG ? 1024 * MIB : 24 * MIB;
    private static final String UPLINK = HopStatus.PUBLISHER_TO_BROKER;
    private static final String DOWNLINK = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);

    @Test
    void agentBIsKilledInTheMiddle() throws Exception {
        chain.startAll();
        Path source = sample("source", SIZE, 1);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "a/file", SIZE / 2)) {
            awaitHop(Part.BROKER, "a/file", DOWNLINK, hop -> hop.bytes().durableBytes() > SIZE / 4);
            chain.kill(Part.AGENT_B);
            HopStatus atKill = hop(Part.BROKER, "a/file", DOWNLINK).orElseThrow();
            assertThat(atKill.bytes().durableBytes())
                    .as("a kill counts only if it was unfinished")
                    .isLessThan(SIZE);
            assertThat(visible(chain.target())).isEmpty();
            chain.start(Part.AGENT_B);
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        HopStatus hop = awaitDeliveredWatching(source, "a/file", Part.BROKER, DOWNLINK);
        assertThat(hop.bytes().resentBytes()).isLessThanOrEqualTo(hop.bytes().creditBytes());
        awaitOneDelivery("a/file");
    }

    @Test
    void theBrokerIsKilledInTheMiddle() throws Exception {
        chain.startAll();
        Path source = sample("source", SIZE, 2);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", SIZE / 2)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > SIZE / 4);
            chain.kill(Part.BROKER);
            HopStatus atKill = hop(Part.AGENT_A, "file", UPLINK).orElseThrow();
            assertThat(atKill.bytes().durableBytes())
                    .as("a kill counts only if it was unfinished")
                    .isLessThan(SIZE);
            chain.start(Part.BROKER);
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        awaitDelivered(source, "file");
        HopStatus hop = hop(Part.AGENT_A, "file", UPLINK).orElseThrow();
        assertThat(hop.bytes().resentBytes()).isLessThanOrEqualTo(hop.bytes().creditBytes());
        awaitOneDelivery("file");
    }

    @Test
    void agentAIsKilledAfterItsFinalReplyWithBytesLeftToSend() throws Exception {
        chain.startAll();
        Path source = sample("source", SIZE, 3);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", SIZE / 2)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > SIZE / 4);
            chain.kill(Part.BROKER);
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        HopStatus atKill = hop(Part.AGENT_A, "file", UPLINK).orElseThrow();
        assertThat(atKill.bytes().durableBytes()).as("bytes left to send").isLessThan(SIZE);
        chain.kill(Part.AGENT_A);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        awaitDelivered(source, "file");
        // Neither of the two remembers what the first agent-a sent, so all that was sent is counted.
        HopStatus hop = hop(Part.AGENT_A, "file", UPLINK).orElseThrow();
        assertThat(atKill.bytes().sentBytes()).isPositive();
        assertThat(atKill.bytes().sentBytes() + hop.bytes().sentBytes() - SIZE)
                .isBetween(0L, hop.bytes().creditBytes());
        awaitOneDelivery("file");
    }

    @Test
    void agentAIsKilledBeforeItsFinalReplyAndNothingBecomesVisibleUntilTheUploadIsRepeated() throws Exception {
        chain.startAll();
        Path source = sample("source", SIZE, 4);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", SIZE / 2)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > SIZE / 4);
            chain.kill(Part.AGENT_A);
            curl.resume();
            assertThat(curl.await(LIMIT)).as("curl saw its connection end").isNotZero();
        }
        chain.start(Part.AGENT_A);
        // Proof that the chain works again, and time for a wrong delivery to happen.
        Path marker = sample("marker", 10, 5);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("marker");
        upload(source, "file");
        awaitDelivered(source, "file");
    }

    @Test
    void agentBMayComeAfterTheUpload() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path source = sample("source", SIZE / 4, 6);
        upload(source, "never seen before");
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "never seen before");
        awaitOneDelivery("never seen before");

        assertThat(chain.stop(Part.AGENT_B)).isZero();
        upload(source, "while it was off");
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "while it was off");
    }

    @Test
    void sigtermInTheMiddleLosesNothing() throws Exception {
        chain.startAll();
        Path source = sample("source", SIZE, 7);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", SIZE / 2)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > SIZE / 4);
            assertThat(chain.stop(Part.BROKER)).isZero();
            chain.start(Part.BROKER);
            assertThat(chain.stop(Part.AGENT_B)).isZero();
            chain.start(Part.AGENT_B);
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        awaitDelivered(source, "file");
        assertThat(chain.stop(Part.AGENT_A)).isZero();
    }

    /** One receipt, and a file that its consumer took away does not come back, whoever is started again. */
    private void awaitOneDelivery(String name) throws Exception {
        await("the receipt of " + name).until(() -> receipts(name, "delivered") == 1);
        Files.delete(delivered(name));
        for (Part part : Part.values()) {
            chain.kill(part);
        }
        chain.startAll();
        Path marker = sample("marker", 10, 8);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("marker");
    }
}
