package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.client.FarEnd;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.client.TransferProgress;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API says of how far a transfer is. */
class ProgressIT {
    private static final int SIZE_BYTES = 9 * (1 << 20) + 77;

    @TempDir
    Path directory;

    private LocalChain chain;
    private final List<TransferProgress> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory);
    }

    @AfterEach
    void stop() {
        chain.close();
    }

    private static byte[] content() {
        byte[] bytes = new byte[SIZE_BYTES];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private void assertThatItGrewToTheFullSize(SentTransfer transfer) {
        TransferProgress all = new TransferProgress(SIZE_BYTES, SIZE_BYTES, SIZE_BYTES);
        assertThat(transfer.progress()).isEqualTo(all);
        await().until(() -> seen.get(seen.size() - 1).equals(all));
        assertThat(seen).hasSizeGreaterThan(2).doesNotHaveDuplicates();
        assertThat(seen).extracting(TransferProgress::spooledBytes).isSorted();
        assertThat(seen).extracting(TransferProgress::brokeredBytes).isSorted();
        assertThat(seen).allMatch(each -> each.spooledBytes() <= SIZE_BYTES && each.brokeredBytes() <= SIZE_BYTES);
        assertThat(seen).allMatch(each -> each.sizeBytes() == SIZE_BYTES || each.sizeBytes() == -1);
    }

    @Test
    void aFileGrowsToItsSizeWhateverAListenerThrows() throws Exception {
        Path file = Files.write(directory.resolve("f"), content());
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.send("site-b", file);
            transfer.onProgress(progress -> {
                throw new IllegalStateException("a listener's own mistake");
            });
            transfer.onProgress(seen::add);
            transfer.brokered().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            assertThatItGrewToTheFullSize(transfer);
        }
    }

    @Test
    void aStreamOfUnknownLengthEndsAtItsFullSize() throws Exception {
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.send("site-b", "streamed", new ByteArrayInputStream(content()));
            transfer.spooled().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            assertThat(transfer.progress()).isEqualTo(new TransferProgress(SIZE_BYTES, SIZE_BYTES, 0));
            transfer.onProgress(seen::add);
            chain.restartBroker();
            transfer.brokered().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            assertThatItGrewToTheFullSize(transfer);
        }
    }

    @Test
    void whatGoesOnAfterARestartBeginsWhereItWasAndEndsAtItsFullSize() throws Exception {
        Path file = Files.write(directory.resolve("f"), content());
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            client.send("site-b", file).spooled().get(TestTimes.SECONDS, TimeUnit.SECONDS);
        }
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.findPending("site-b", "f", file).orElseThrow();
            assertThat(transfer.progress()).isEqualTo(new TransferProgress(SIZE_BYTES, SIZE_BYTES, 0));
            transfer.onProgress(seen::add);
            chain.restartBroker();
            transfer.brokered().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            assertThatItGrewToTheFullSize(transfer);
        }
    }

    @Test
    void theSecondLegIsKnownBeforeTheReceipt() throws Exception {
        Path into = directory.resolve("into");
        AgentB first = chain.agentB("site-b", "b", into);
        await().until(() -> chain.subscriptions().contains("b"));
        first.stop();
        try (HawserClient client = chain.client("sender")) {
            SentTransfer transfer = client.send("site-b", "f", content());
            transfer.brokered().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            assertThat(transfer.farEnds()).containsExactly(new FarEnd("b", FarEnd.State.OWED, 0));
            await().untilAsserted(() -> {
                client.askFarEnds(List.of(transfer));
                assertThat(transfer.farEnds()).containsExactly(new FarEnd("b", FarEnd.State.AWAY, 0));
            });
            AgentB agent = chain.agentB("site-b", "b", into);
            try {
                List<FarEnd> told = new CopyOnWriteArrayList<>();
                await().pollInterval(Duration.ofMillis(1)).until(() -> {
                    client.askFarEnds(List.of(transfer));
                    told.addAll(transfer.farEnds());
                    return transfer.delivered().isDone();
                });
                assertThat(told).extracting(FarEnd::durableBytes).isSorted();
                await().untilAsserted(() -> assertThat(transfer.farEnds())
                        .containsExactly(new FarEnd("b", FarEnd.State.DELIVERED, SIZE_BYTES)));
            } finally {
                agent.stop();
            }
        }
    }
}
