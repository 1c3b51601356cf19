package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.FlippingProxy;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A flipped bit is found wherever it happens, and is never delivered. */
class FlippedBitIT extends Scenario {
    private static final long SIZE = 16 * MIB;
    private static final int FLIPS = 3;
    private static final String REPORT = "(?is).*(corrupt|damaged|crc).*";

    @Test
    void bitsThatFlipOnTheWayAreFoundAndSentAgain() throws Exception {
        chain.start(Part.BROKER);
        try (FlippingProxy proxy = new FlippingProxy(chain.brokerPtcp(), 4 * MIB, FLIPS)) {
            chain.through(Part.AGENT_A, proxy.address());
            chain.start(Part.AGENT_A);
            chain.start(Part.AGENT_B);
            Path source = sample("source", SIZE, 1);
            upload(source, "file");
            awaitDelivered(source, "file");
            assertThat(proxy.flips()).as("the bits did flip").isEqualTo(FLIPS);
            awaitHop(
                    Part.AGENT_A,
                    "file",
                    HopStatus.PUBLISHER_TO_BROKER,
                    uplink -> uplink.bytes().durableBytes() == SIZE
                            && uplink.bytes().resentBytes() > 0);
            assertThat(chain.node(Part.BROKER).log() + chain.node(Part.AGENT_A).log())
                    .as("it is reported")
                    .containsIgnoringCase("crc");
        }
    }

    @Test
    void aBitThatFlipsInTheLogIsRepairedFromTheCopyAtAgentA() throws Exception {
        Path source = uploadAndFlipInLog();
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "file");
        await("the receipt").until(() -> receipts("file", "delivered") == 1);
        assertThat(chain.node(Part.BROKER).log()).as("it is reported").matches(REPORT);
    }

    @Test
    void aBitThatFlipsInTheLogIsNeverDeliveredWhereNobodyHasAnotherCopyUntilTheOperatorDropsIt() throws Exception {
        chain.with(Part.BROKER, "--warn-after", "2s");
        Path source = uploadAndFlipInLog();
        removeAll(chain.data(Part.AGENT_A));
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        String downlink = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
        awaitHop(Part.BROKER, "file", downlink, hop -> hop.reason().contains("STORAGE_FAILED"));
        HopStatus waits = hop(Part.BROKER, "file", downlink).orElseThrow();
        assertThat(waits.bytes().durableBytes()).isLessThan(Files.size(source));
        assertThat(chain.node(Part.BROKER).log()).as("it is reported").matches(REPORT);
        // Time for a wrong delivery to happen, and proof that the rest goes on.
        Path marker = sample("marker", 100_000, 3);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        assertThat(visible(chain.target())).containsExactly("marker");
        awaitHop(Part.BROKER, "file", downlink, hop -> hop.reason().contains("STORAGE_FAILED"));

        await("the warning").until(() -> page(Part.BROKER, "/health").contains("stalled.subscription"));
        assertThat(page(Part.BROKER, "/health")).contains("log.damaged");
        CommandRun.of(
                        "drop",
                        chain.status(Part.BROKER, "file").orElseThrow().key(),
                        "--admin",
                        chain.admin(Part.BROKER).orElseThrow().toString())
                .succeeded();
        await("its state").until(() -> chain.status(Part.BROKER, "file")
                .filter(status -> status.state().equals("expired"))
                .isPresent());
        await("no stall").until(() -> !page(Part.BROKER, "/health").contains("stalled."));
    }

    /** Leaves the nodes stopped, with the whole file at agent-a and the broker, and one bit flipped in the broker's log. */
    private Path uploadAndFlipInLog() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path source = sample("source", SIZE, 2);
        upload(source, "file");
        awaitHop(
                Part.BROKER,
                "file",
                HopStatus.PUBLISHER_TO_BROKER,
                hop -> hop.bytes().durableBytes() == SIZE);
        assertThat(chain.stop(Part.AGENT_A)).isZero();
        assertThat(chain.stop(Part.BROKER)).isZero();
        flipInLog(source, 5 * MIB + 12_345);
        return source;
    }

    private static void removeAll(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    /** Finds a piece of the file in the broker's log, and flips one bit of it. */
    private void flipInLog(Path source, long position) throws IOException {
        byte[] piece = new byte[64];
        try (FileChannel channel = FileChannel.open(source)) {
            channel.read(ByteBuffer.wrap(piece), position);
        }
        List<Path> files;
        try (Stream<Path> paths = Files.walk(chain.data(Part.BROKER))) {
            files = paths.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            byte[] content = Files.readAllBytes(file);
            int at = indexOf(content, piece);
            if (at >= 0) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(new byte[] {(byte) (piece[10] ^ 1)}), at + 10);
                }
                return;
            }
        }
        throw new AssertionError("the file's bytes are not in the broker's data directory");
    }

    private static int indexOf(byte[] content, byte[] piece) {
        for (int i = 0; i + piece.length <= content.length; i++) {
            if (content[i] == piece[0] && Arrays.equals(content, i, i + piece.length, piece, 0, piece.length)) {
                return i;
            }
        }
        return -1;
    }
}
