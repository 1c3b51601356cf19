package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives replies and completes the futures of their requests. Keeps replies in memory, as the futures are, and drops a reply without a
 * request. A reply has at most one fragment.
 *
 * <p>Thread: the client's loop.
 */
final class ReplyInbox implements ReceiverStore {
    private final String subscription;
    private final EventLoop loop;
    private final Executor callbacks;
    private final Consumer<Receipt> receipts;
    private final Map<String, CompletableFuture<byte[]>> requests = new HashMap<>();
    private final Map<TransferKey, Manifest> open = new HashMap<>();
    private final Map<TransferKey, byte[]> bodies = new HashMap<>();
    private final Map<TransferKey, Receipt> unacked = new LinkedHashMap<>();

    ReplyInbox(String subscription, EventLoop loop, Executor callbacks, Consumer<Receipt> receipts) {
        this.subscription = subscription;
        this.loop = loop;
        this.callbacks = callbacks;
        this.receipts = receipts;
    }

    void expect(String correlation, CompletableFuture<byte[]> reply) {
        assert loop.inEventLoop();
        requests.put(correlation, reply);
    }

    void forget(String correlation) {
        assert loop.inEventLoop();
        requests.remove(correlation);
    }

    Collection<Receipt> pendingReceipts() {
        return List.copyOf(unacked.values());
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        StoredTransfer.State state =
                unacked.containsKey(key) ? StoredTransfer.State.COMMITTED : StoredTransfer.State.ABSENT;
        post(done, Outcome.of(new StoredTransfer(state, StoredTransfer.absent().durable())));
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        if (manifest.sizeBytes() > manifest.fragmentSizeBytes()) {
            post(done, Outcome.refused(ErrorCode.TOO_LARGE, "a reply has at most one fragment"));
            return;
        }
        open.put(manifest.key(), manifest);
        post(done, Outcome.of(manifest));
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        if (fragment.index() > 0) {
            post(done, Outcome.refused(ErrorCode.TOO_LARGE, "a reply has at most one fragment"));
            return;
        }
        bodies.put(fragment.key(), copy(fragment));
        post(done, Outcome.of(fragment));
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        arrived(open.remove(key), bodies.remove(key));
        post(done, Outcome.of(List.of(subscription)));
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        arrived(manifest, copy(fragment));
        post(done, Outcome.of(List.of(subscription)));
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        open.remove(key);
        bodies.remove(key);
        post(done, Outcome.of(key));
    }

    @Override
    public void recall(TransferKey key, String reason) {
        open.remove(key);
        bodies.remove(key);
        Receipt delivered = unacked.get(key);
        Receipt receipt = delivered != null
                ? delivered
                : new Receipt(key, subscription, ReceiptStatus.CANCELLED, reason, System.currentTimeMillis());
        unacked.put(key, receipt);
        loop.execute(() -> receipts.accept(receipt));
    }

    @Override
    public void receiptAcked(TransferKey key, String acked, ReceiptStatus status) {
        unacked.remove(key);
    }

    private void arrived(@Nullable Manifest manifest, byte @Nullable [] body) {
        if (manifest == null) {
            return;
        }
        TransferKey key = manifest.key();
        CompletableFuture<byte[]> reply =
                requests.remove(manifest.attributes().getOrDefault(Attributes.CORRELATION, ""));
        if (reply != null) {
            byte[] bytes = body == null ? new byte[0] : body;
            callbacks.execute(() -> reply.complete(bytes));
        }
        Receipt receipt = new Receipt(key, subscription, ReceiptStatus.DELIVERED, "", System.currentTimeMillis());
        unacked.put(key, receipt);
        loop.execute(() -> receipts.accept(receipt));
    }

    private static byte[] copy(Fragment fragment) {
        byte[] bytes = new byte[fragment.length()];
        fragment.buffer().payload(fragment.offset(), fragment.length()).get(bytes);
        return bytes;
    }

    private <T> void post(Outcome.Callback<T> done, Outcome<T> outcome) {
        assert loop.inEventLoop();
        loop.execute(() -> done.accept(outcome));
    }
}
