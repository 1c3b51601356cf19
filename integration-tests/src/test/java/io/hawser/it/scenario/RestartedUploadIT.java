package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.Curl;
import io.hawser.it.harness.TcpProxy;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A client that is killed and sends its file again from byte 0, as most scripts do. */
class RestartedUploadIT extends Scenario {
    private static final long SIZE = 40 * MIB;
    private static final int PIECE_BYTES = 64 << 10;

    private final AtomicLong upstreamBytes = new AtomicLong();

    private TcpProxy start() throws Exception {
        chain.start(Part.BROKER);
        TcpProxy proxy = new TcpProxy(chain::brokerPtcp, PIECE_BYTES, 0, (near, piece, length, up) -> {
            if (up) {
                upstreamBytes.addAndGet(length);
            }
        });
        chain.through(Part.AGENT_A, proxy.address());
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        return proxy;
    }

    private void killAt(Path source, long position) throws Exception {
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", position)) {
            awaitHop(
                    Part.BROKER,
                    "file",
                    HopStatus.PUBLISHER_TO_BROKER,
                    hop -> hop.bytes().durableBytes() >= position - 2 * MIB);
            curl.kill();
        }
        await("the break").until(() -> chain.status(Part.AGENT_A, "file")
                .filter(status -> status.state().equals("incomplete"))
                .isPresent());
    }

    @Test
    @Invariant({InvariantName.RESUME_FROM_DURABLE, InvariantName.EXACTLY_ONCE_DELIVERY})
    void sameFileCrossesTheLinkOnce() throws Exception {
        Path source = sample("source", SIZE, 1);
        try (TcpProxy proxy = start()) {
            killAt(source, SIZE * 6 / 10);
            killAt(source, SIZE * 9 / 10);
            upload(source, "file");

            awaitDelivered(source, "file");
            await("the receipt").until(() -> receipts("file", "delivered") == 1);
            assertThat(upstreamBytes.get()).isBetween(SIZE, SIZE * 112 / 100);
            assertThat(proxy.connections()).isNotEmpty();
        }
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void acceptedFileThatComesAgainIsPublishedAgainWithoutItsBytes() throws Exception {
        Path source = sample("source", SIZE, 3);
        try (TcpProxy proxy = start()) {
            upload(source, "file");
            awaitDelivered(source, "file");
            Object first = Files.readAttributes(chain.target().resolve("file"), BasicFileAttributes.class)
                    .fileKey();
            upload(source, "file");

            await("the second publication")
                    .until(() -> !Files.readAttributes(chain.target().resolve("file"), BasicFileAttributes.class)
                            .fileKey()
                            .equals(first));
            awaitDelivered(source, "file");
            await("the receipt").until(() -> receipts("file", "delivered") == 1);
            assertThat(upstreamBytes.get()).isBetween(SIZE, SIZE * 112 / 100);

            Files.writeString(chain.target().resolve("file"), "another program's");
            upload(source, "file");
            await("all its bytes")
                    .until(() -> Files.mismatch(source, chain.target().resolve("file")) < 0);
            assertThat(upstreamBytes.get()).isGreaterThan(2 * SIZE);
            assertThat(proxy.connections()).isNotEmpty();
        }
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void changedFileIsDeliveredWhole() throws Exception {
        Path source = sample("source", SIZE, 2);
        Path changed = directory.resolve("changed");
        Files.copy(source, changed);
        try (RandomAccessFile file = new RandomAccessFile(changed.toFile(), "rw")) {
            file.seek(SIZE * 3 / 10);
            int before = file.read();
            file.seek(SIZE * 3 / 10);
            file.write(before ^ 1);
        }
        try (TcpProxy proxy = start()) {
            killAt(source, SIZE * 6 / 10);
            upload(changed, "file");

            awaitDelivered(changed, "file");
            assertThat(visible(chain.target())).containsExactly("file");
            assertThat(upstreamBytes.get()).isLessThan(SIZE * 17 / 10);
            assertThat(proxy.connections()).isNotEmpty();
        }
    }
}
