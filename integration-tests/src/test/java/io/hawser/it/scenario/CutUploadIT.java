package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** An upload that is cut never becomes visible; of two uploads to one path the later one stands. */
class CutUploadIT extends Scenario {
    private static final int CUTS = BIG ? 200 : 20;

    @Test
    void anUploadWhoseClientIsKilledNeverBecomesVisible() throws Exception {
        chain.startAll();
        Path source = sample("source", 24 * MIB, 1);
        for (int i = 0; i < CUTS; i++) {
            String name = "cut-" + i;
            try (Curl curl = Curl.upload(chain.ftp(), source, name, "--limit-rate", "4M")) {
                int after = i;
                awaitHop(
                        Part.AGENT_A,
                        name,
                        HopStatus.CLIENT_TO_AGENT,
                        hop -> hop.bytes().durableBytes() > (1 + after % 4) * MIB / 2);
                assertThat(curl.isAlive()).as("killed in mid-upload").isTrue();
                curl.kill();
            }
        }
        Path marker = sample("marker", 10, 2);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("marker");
    }

    @Test
    void theSecondOfTwoUploadsToOnePathStandsAtTheEnd() throws Exception {
        chain.startAll();
        Path large = sample("large", 24 * MIB, 3);
        Path small = sample("small", 5000, 4);
        try (Curl curl = Curl.upload(chain.ftp(), large, "one/path", "--limit-rate", "8M")) {
            awaitHop(
                    Part.BROKER,
                    "one/path",
                    HopStatus.PUBLISHER_TO_BROKER,
                    hop -> hop.bytes().durableBytes() > 4 * MIB);
            // The far end is slow: the first upload's publication comes long after the second was sent.
            chain.kill(Part.AGENT_B);
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        upload(small, "one/path");
        chain.start(Part.AGENT_B);
        await("the second's bytes")
                .until(() -> Files.exists(delivered("one/path")) && Files.mismatch(delivered("one/path"), small) == -1);
        Path marker = sample("marker", 10, 5);
        upload(marker, "one/marker");
        awaitDelivered(marker, "one/marker");
        assertThat(Files.mismatch(delivered("one/path"), small)).isEqualTo(-1);
    }
}
