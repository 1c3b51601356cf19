package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Topic;
import io.hawser.it.harness.FlippingProxy;
import io.hawser.it.harness.NearEdge;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A file is read from the far end while the nodes on the way are killed. */
class CallsIT extends Scenario {
    private static final int BLOCKS = 20;
    private static final int FLIPS = 3;

    @Test
    void aFileIsReadWholeWhileTheBrokerAndAgentBAreKilled() throws Exception {
        byte[] bytes = new byte[BLOCKS * NearEdge.BLOCK];
        new Random(7).nextBytes(bytes);
        Files.write(chain.target().resolve("large.bin"), bytes);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);

        try (NearEdge near = new NearEdge(chain.brokerPtcp())) {
            NearEdge.Download download = near.download(new Topic(ProcessChain.TOPIC), "large.bin", bytes.length);
            download.upTo(2);
            await("the first blocks").until(() -> download.blocks() == 2);
            download.upTo(10);
            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            await("more blocks").until(() -> download.blocks() == 10);
            download.upTo(18);
            chain.kill(Part.BROKER);
            chain.start(Part.BROKER);
            download.upTo(BLOCKS);

            assertThat(download.whole().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(bytes);
            await("every buffer to be given back").until(() -> near.buffersInUse() == 0);
        }
    }

    @Test
    void bitsThatFlipOnTheWayAreFoundAndAskedForAgain() throws Exception {
        byte[] bytes = new byte[BLOCKS * NearEdge.BLOCK];
        new Random(8).nextBytes(bytes);
        Files.write(chain.target().resolve("large.bin"), bytes);
        chain.start(Part.BROKER);
        try (FlippingProxy proxy = new FlippingProxy(chain.brokerPtcp(), 4 * MIB, FLIPS);
                NearEdge near = new NearEdge(chain.brokerPtcp())) {
            chain.through(Part.AGENT_B, proxy.address());
            chain.start(Part.AGENT_B);
            NearEdge.Download download = near.download(new Topic(ProcessChain.TOPIC), "large.bin", bytes.length)
                    .upTo(BLOCKS);

            assertThat(download.whole().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(bytes);
            assertThat(proxy.flips()).as("the bits did flip").isEqualTo(FLIPS);
            assertThat(chain.node(Part.BROKER).log()).as("it is reported").contains("damaged (CRC32C)");
        }
    }
}
