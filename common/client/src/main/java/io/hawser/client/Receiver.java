package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.transport.SubscriptionHop;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.DirectoryTarget;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that this client consumes. After {@link #close} the subscription stays at the broker, which keeps its transfers for the
 * next consumer.
 *
 * <p>Any thread may call any method.
 */
public final class Receiver implements AutoCloseable {
    private static final long CLOSE_MILLIS = 1_000;
    private static final long POLL_MILLIS = 5;
    private static final long DISK_CHECK_MILLIS = 500;

    private final LandingArea landing;
    private final SubscriptionHop hop;
    private final HawserClient client;
    private final String subscription;
    private final @Nullable ExecutorService handlerThread;
    /** Objects that the program settled for good and for which the landing area has no receipt yet. */
    private final AtomicInteger settled;

    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReceiverFutures futures;

    private Receiver(
            HawserClient client,
            String topic,
            LandingOptions landingOptions,
            DeliveryTarget target,
            AtomicInteger settled,
            @Nullable ExecutorService handlerThread)
            throws IOException {
        this.client = client;
        this.subscription = landingOptions.subscription();
        this.settled = settled;
        this.handlerThread = handlerThread;
        this.futures = new ReceiverFutures(client.callbacks(), this::leave);
        ClientOptions.Limits limits = client.options().limits();
        FragmentBufferPool pool = new FragmentBufferPool(limits.fragmentSizeBytes(), limits.buffers());
        this.landing = LandingArea.open(
                client.storage(), landingOptions, target, client.digests(), client.loop(), this::onReceipt);
        this.hop = new SubscriptionHop(
                new SubscriptionHop.Request(subscription, new Topic(topic), StartAt.NOW, landingOptions.ackLevel()),
                landing,
                pool,
                landing::pendingReceipts,
                (long) limits.fragmentSizeBytes() * Math.max(2, limits.buffers() / 2),
                futures);
        client.onLoop(() -> {
            landing.start();
            client.connection().subscribe(hop);
            watchDisk();
            return true;
        });
    }

    static Receiver intoDirectory(HawserClient client, String topic, String subscription, Path directory)
            throws IOException {
        return intoDirectory(client, topic, subscription, directory, target -> target, new AtomicInteger());
    }

    /** The same, until {@code most} files have come to their end. */
    static Receiver intoDirectory(
            HawserClient client,
            String topic,
            String subscription,
            Path directory,
            long most,
            Consumer<ReceivedFile> listener)
            throws IOException {
        AtomicInteger settled = new AtomicInteger();
        return intoDirectory(
                client,
                topic,
                subscription,
                directory,
                target -> new LimitedTarget(target, new AtomicLong(most), settled, listener),
                settled);
    }

    private static Receiver intoDirectory(
            HawserClient client,
            String topic,
            String subscription,
            Path directory,
            UnaryOperator<DeliveryTarget> wrapping,
            AtomicInteger settled)
            throws IOException {
        client.storage().createDirectories(directory);
        return new Receiver(
                client,
                topic,
                LandingOptions.below(directory, subscription),
                wrapping.apply(new DirectoryTarget(client.storage(), directory)),
                settled,
                null);
    }

    static Receiver byHandler(HawserClient client, String topic, String subscription, Consumer<ReceivedObject> handler)
            throws IOException {
        Path inbox = client.options().state().resolve("inbox").resolve(subscription);
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "hawser-receive-" + subscription);
            created.setDaemon(true);
            return created;
        });
        AtomicInteger settled = new AtomicInteger();
        return new Receiver(
                client,
                topic,
                LandingOptions.in(inbox, subscription).withAckLevel(AckLevel.CONSUMED),
                new ApplicationTarget(client, Receiver::open, thread, handler, settled),
                settled,
                thread);
    }

    private static InputStream open(VerifiedObject object) throws IOException {
        return Files.newInputStream(object.file());
    }

    /** Thread: the client's loop. */
    private void onReceipt(Receipt receipt) {
        if (receipt.status().isFinal()) {
            settled.updateAndGet(count -> Math.max(0, count - 1)); // what is received without a limit is not counted
        }
        hop.receipt(receipt);
    }

    /**
     * Completes when the broker has connected the subscription. Fails with a {@link HawserException} if {@link #ended} fails before, for
     * instance without the right to the topic. Completes on the thread {@code hawser-callbacks}. Does not block.
     */
    public CompletableFuture<Void> subscribed() {
        return futures.subscribed();
    }

    /**
     * Completes when the receiver is closed. Fails with a {@link HawserException} when it receives nothing more: with {@link
     * HawserException.Reason#STORAGE_FAILED} after its disk failed, with another reason after the broker refused the subscription for
     * good, also if it was connected before. Close the receiver then. Completes on the thread {@code hawser-callbacks}. Does not block.
     */
    public CompletableFuture<Void> ended() {
        return futures.ended();
    }

    /** Leaves the subscription to other consumers. Thread: the client's loop. */
    private void leave() {
        client.connection().unsubscribe(hop);
    }

    /** Leaves when the disk has failed. Thread: the client's loop. */
    private void watchDisk() {
        StorageException cause = landing.failure() == null ? landing.fileFailure() : landing.failure();
        if (cause != null) {
            leave();
            futures.fail(new HawserException(
                    HawserException.Reason.STORAGE_FAILED,
                    "cannot write what subscription " + subscription + " receives: " + cause.getMessage() + ". "
                            + OpenTransfers.advice(cause)
                            + ", then receive again: the broker keeps what is not acknowledged"));
        } else if (!closed.get()) {
            var unused = client.loop().schedule(this::watchDisk, DISK_CHECK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Stops receiving and closes the inbox. Objects that the program did not acknowledge come again. Blocks until the broker has the receipts
     * of those that it did, 1 s at most, and until writes to the disk are complete; not until the handler returns. A second call does nothing.
     *
     * @throws IOException if the calling thread is interrupted
     */
    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Boolean> reported = new CompletableFuture<>();
        client.onLoop(() -> {
            awaitReceipts(reported);
            return true;
        });
        boolean unused = reported.completeOnTimeout(false, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        client.onLoop(() -> {
            client.connection().unsubscribe(hop);
            return true;
        });
        landing.close();
        if (handlerThread != null) {
            handlerThread.shutdown();
        }
        futures.closed();
    }

    /** A program that acknowledges its last object and ends must not leave its sender without the receipt. Thread: the client's loop. */
    private void awaitReceipts(CompletableFuture<Boolean> reported) {
        boolean complete = settled.get() == 0
                && landing.pendingReceipts().stream()
                        .noneMatch(receipt -> receipt.status().isFinal());
        if (complete || !client.isConnected()) {
            reported.complete(complete);
        } else if (!reported.isDone()) {
            var unused = client.loop().schedule(() -> awaitReceipts(reported), POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
