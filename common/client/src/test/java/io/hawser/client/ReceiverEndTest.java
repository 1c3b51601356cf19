package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.PlainTarget;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** How a program learns that a receiver has ended. No broker listens. */
class ReceiverEndTest extends FailingDiskClient {
    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void aReceiverEndsWhenItsDiskFails() throws Exception {
        leaveUnacknowledged(LandingOptions.in(directory.resolve("inbox/indexer"), "indexer"));
        Receiver receiver = client.receive("site-b", "indexer", object -> {
            storage.failCalls(call -> new StorageException("Input/output error"));
            object.ack();
        });

        assertThat(receiver.ended())
                .failsWithin(TestTimes.LIMIT)
                .withThrowableThat()
                .withMessageContaining("subscription indexer")
                .withMessageContaining("Input/output error");
        assertThat(receiver.subscribed()).isCompletedExceptionally();
        assertThat(client.failure()).isEmpty();
        receiver.close();
    }

    @Test
    void aReceiverEndsWhenItIsClosed() throws Exception {
        Receiver receiver = client.receiveInto("site-b", "site-c", directory.resolve("into"));
        assertThat(receiver.ended()).isNotDone();

        receiver.close();

        assertThat(receiver.ended()).succeedsWithin(TestTimes.LIMIT);
    }

    /** Leaves an object that arrived in the inbox of a receiver. */
    private static void leaveUnacknowledged(LandingOptions inbox) throws Exception {
        SampleTransfer sample = SampleTransfer.file(new NodeId(7, 8), 1, "site-b", "f", 5, 8192, 1);
        ExecutorService loop = Executors.newSingleThreadExecutor();
        try (DigestThreads digests = DigestThreads.start(1);
                LandingArea landing = LandingArea.open(
                        new DiskStorage(),
                        inbox.withAckLevel(AckLevel.DURABLE),
                        new SilentTarget(),
                        digests,
                        loop,
                        receipt -> {})) {
            CompletableFuture<Outcome<List<String>>> arrived = new CompletableFuture<>();
            loop.execute(() -> {
                landing.start();
                Fragment fragment = Objects.requireNonNull(sample.fragment(0, new FragmentBufferPool(8192, 1)));
                landing.small(sample.manifest(), fragment, sample.commit(), arrived::complete);
                fragment.buffer().release();
            });
            assertThat(arrived.get(TestTimes.SECONDS, TimeUnit.SECONDS).isRefused())
                    .isFalse();
        } finally {
            loop.shutdown();
        }
    }

    /** Settles nothing. */
    private static final class SilentTarget extends PlainTarget {
        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            // the process ends before it has
        }
    }
}
