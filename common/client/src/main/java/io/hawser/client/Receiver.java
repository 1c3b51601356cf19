package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.transport.SubscriptionHop;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.DirectoryTarget;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that this client consumes. Closing it leaves the subscription at the broker, where transfers wait for the
 * next consumer.
 *
 * <p>Thread: any.
 */
public final class Receiver implements AutoCloseable {
    private final LandingArea landing;
    private final SubscriptionHop hop;
    private final HawserClient client;
    private final @Nullable ExecutorService handlerThread;
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();

    private Receiver(
            HawserClient client,
            String topic,
            LandingOptions landingOptions,
            DeliveryTarget target,
            @Nullable ExecutorService handlerThread)
            throws IOException {
        this.client = client;
        this.handlerThread = handlerThread;
        int fragmentSize = client.options().fragmentSizeBytes();
        FragmentBufferPool pool =
                new FragmentBufferPool(fragmentSize, client.options().buffers());
        SubscriptionHop[] created = new SubscriptionHop[1];
        this.landing = LandingArea.open(
                client.storage(),
                landingOptions,
                target,
                client.digests(),
                client.loop(),
                receipt -> created[0].receipt(receipt));
        this.hop = new SubscriptionHop(
                new SubscriptionHop.Request(
                        landingOptions.subscription(), new Topic(topic), StartAt.NOW, landingOptions.ackLevel()),
                landing,
                pool,
                landing::pendingReceipts,
                (long) fragmentSize * Math.max(2, client.options().buffers() / 2),
                new Listener());
        created[0] = hop;
        client.onLoop(() -> {
            landing.start();
            client.connection().subscribe(hop);
            return true;
        });
    }

    static Receiver intoDirectory(HawserClient client, String topic, String subscription, Path directory)
            throws IOException {
        client.storage().createDirectories(directory);
        return new Receiver(
                client,
                topic,
                LandingOptions.below(directory, subscription),
                new DirectoryTarget(client.storage(), directory),
                null);
    }

    static Receiver byApplication(
            HawserClient client, String topic, String subscription, Consumer<ReceivedObject> handler)
            throws IOException {
        Path inbox = client.options().state().resolve("inbox").resolve(subscription);
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "hawser-receive-" + subscription);
            created.setDaemon(true);
            return created;
        });
        return new Receiver(
                client,
                topic,
                LandingOptions.in(inbox, subscription).withAckLevel(AckLevel.CONSUMED),
                new ApplicationTarget(client, Receiver::open, thread, handler),
                thread);
    }

    private static InputStream open(VerifiedObject object) throws IOException {
        return Files.newInputStream(object.file());
    }

    /** Completes when the broker has connected the subscription; fails if it never will. */
    public CompletableFuture<Void> subscribed() {
        return subscribed;
    }

    /** Stops receiving. */
    @Override
    public void close() throws IOException {
        client.onLoop(() -> {
            client.connection().unsubscribe(hop);
            return true;
        });
        landing.close();
        if (handlerThread != null) {
            handlerThread.shutdown();
        }
    }

    private final class Listener implements SubscriptionHop.Listener {
        @Override
        public void onSubscribed() {
            client.callbacks().execute(() -> subscribed.complete(null));
        }

        @Override
        public void onRefused(Refusal refusal) {
            if (!refusal.code().retriable()) {
                client.callbacks().execute(() -> subscribed.completeExceptionally(new HawserException(refusal)));
            }
        }
    }
}
