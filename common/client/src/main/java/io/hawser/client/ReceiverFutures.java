package io.hawser.client;

import io.hawser.core.hop.Refusal;
import io.hawser.core.transport.SubscriptionHop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Completes the futures of a {@link Receiver} on the callback thread.
 *
 * <p>Thread: any.
 */
final class ReceiverFutures implements SubscriptionHop.Listener {
    private final Executor callbacks;
    private final Runnable leave;
    private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** @param leave ends the subscription in this client; called on the loop */
    ReceiverFutures(Executor callbacks, Runnable leave) {
        this.callbacks = callbacks;
        this.leave = leave;
    }

    CompletableFuture<Void> subscribed() {
        return subscribed;
    }

    CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void onSubscribed() {
        callbacks.execute(() -> subscribed.complete(null));
    }

    @Override
    public void onRefused(Refusal refusal) {
        if (!refusal.code().retriable()) {
            leave.run(); // or a later session would subscribe again, after the program was told that it is over
            fail(new HawserException(refusal));
        }
    }

    /** The receiver receives nothing more. */
    void fail(HawserException why) {
        callbacks.execute(() -> {
            subscribed.completeExceptionally(why);
            ended.completeExceptionally(why);
        });
    }

    /** The program closed the receiver. */
    void closed() {
        callbacks.execute(() -> ended.complete(null));
    }
}
