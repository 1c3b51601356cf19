package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.observe.HopStatus;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.FlippingProxy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A flipped bit is found wherever it happens, and is never delivered. */
class FlippedBitIT extends Scenario {
    private static final long SIZE = 16 * MIB;
    private static final int FLIPS = 3;

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
            HopStatus uplink =
                    hop(Part.AGENT_A, "file", HopStatus.PUBLISHER_TO_BROKER).orElseThrow();
            assertThat(uplink.durableBytes()).isEqualTo(SIZE);
            assertThat(uplink.resentBytes()).isPositive();
            assertThat(chain.node(Part.BROKER).log() + chain.node(Part.AGENT_A).log())
                    .as("it is reported")
                    .containsIgnoringCase("crc");
        }
    }

    @Test
    void aBitThatFlipsInTheLogIsNeverDelivered() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path source = sample("source", SIZE, 2);
        upload(source, "file");
        awaitHop(Part.BROKER, "file", HopStatus.PUBLISHER_TO_BROKER, hop -> hop.durableBytes() == SIZE);
        assertThat(chain.stop(Part.AGENT_A)).isZero();
        assertThat(chain.stop(Part.BROKER)).isZero();
        flipInLog(source, 5 * MIB + 12_345);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        Path marker = sample("marker", 100_000, 3);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        await("the report").until(() -> chain.node(Part.BROKER).log().matches("(?is).*(corrupt|damaged|crc).*"));
        assertThat(visible(chain.target())).containsExactly("marker");
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
