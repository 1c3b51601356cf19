package io.hawser.client;

import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transfer that was handed over, and what becomes of it: futures for its custody levels, progress, cancelling. The futures
 * fail with a {@link HawserException} if the transfer is refused, cancelled or cannot be delivered. Those of delivery fail also if it is
 * on a far edge's dead-letter list, though a person there may have it delivered later; and if it is one of too many that wait for their
 * receipts ({@link HawserClient}).
 *
 * <p>Thread: any. Futures complete, and progress comes, on the client's callback thread.
 */
public final class SentTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(SentTransfer.class);

    private final TransferKey key;
    private final String name;
    private final HawserClient client;
    private final Executor callbacks;
    /** The same for what the loop tells. */
    private final Executor turn;

    private final CompletableFuture<TransferKey> spooled = new CompletableFuture<>();
    private final CompletableFuture<TransferKey> brokered = new CompletableFuture<>();
    private final Completion all = new Completion();
    private final Map<CompletionRule, Completion> completions =
            new ConcurrentHashMap<>(Map.of(CompletionRule.ALL, all));
    private final List<Consumer<TransferProgress>> listeners = new CopyOnWriteArrayList<>();
    private volatile TransferProgress progress = new TransferProgress(-1, 0, 0);
    /** As it was told last; set on the callback thread. */
    private volatile @Nullable TransferState last;

    private @Nullable HawserException failure;

    /** What one rule waits for. */
    private static final class Completion {
        final CompletableFuture<TransferKey> landed = new CompletableFuture<>();
        final CompletableFuture<List<Receipt>> delivered = new CompletableFuture<>();

        void fail(HawserException cause) {
            landed.completeExceptionally(cause);
            delivered.completeExceptionally(cause);
        }
    }

    SentTransfer(TransferKey key, String name, HawserClient client, Executor callbacks, Executor turn) {
        this.key = key;
        this.name = name;
        this.client = client;
        this.callbacks = callbacks;
        this.turn = turn;
    }

    /** The transfer's key: this client's node id and the transfer id. */
    public TransferKey key() {
        return key;
    }

    /** The name under which it is published. */
    public String name() {
        return name;
    }

    /** Durable on this side: it goes on after a crash of this program. For a file that is read in place: its digests are. */
    public CompletableFuture<TransferKey> spooled() {
        return spooled;
    }

    /** Durable at the broker: this program and its disk are no longer needed. */
    public CompletableFuture<TransferKey> brokered() {
        return brokered;
    }

    /** Durable and verified at every far edge that gets it. */
    public CompletableFuture<TransferKey> landed() {
        return all.landed;
    }

    /** Durable and verified at as many far edges as the rule says. */
    public CompletableFuture<TransferKey> landed(CompletionRule rule) {
        return completion(rule).landed;
    }

    /** Published at every far edge that gets it; the receipts say when. */
    public CompletableFuture<List<Receipt>> delivered() {
        return all.delivered;
    }

    /** Published at as many far edges as the rule says; the receipts are those that had come then. The others get it all the same. */
    public CompletableFuture<List<Receipt>> delivered(CompletionRule rule) {
        return completion(rule).delivered;
    }

    private Completion completion(CompletionRule rule) {
        return completions.computeIfAbsent(rule, unused -> {
            Completion fresh = new Completion();
            callbacks.execute(() -> {
                if (failure != null) {
                    fresh.fail(failure);
                } else {
                    TransferState state = last;
                    if (state != null) {
                        applyReceipts(rule, fresh, state);
                    }
                }
            });
            return fresh;
        });
    }

    /**
     * Whether the broker has it and no subscription has: nothing had subscribed to its topic when it was committed, or as far as is known
     * since. The broker keeps it for the first that comes, or as long as its operator has said.
     */
    public boolean isUnclaimed() {
        TransferState state = last;
        return state != null
                && state.phase() == SpoolPhase.BROKERED
                && state.deliverySet().isEmpty()
                && state.receipts().isEmpty();
    }

    /** How far it is. */
    public TransferProgress progress() {
        return progress;
    }

    /**
     * Why it does not go on for now, as a phrase for people: there is no session with a broker, the broker has refused it for now (no
     * space, a quota), an earlier transfer of its path must come first, or what the far ends have not said yet. Empty if it
     * goes on, or is finished. Asks the client's network thread, and so takes a moment.
     *
     * @throws IOException if the client is closed
     */
    public String problem() throws IOException {
        return client.problem(key);
    }

    /** Tells {@code listener} how far it is, and again whenever it is further. What it throws is logged and harms nobody else. */
    public void onProgress(Consumer<TransferProgress> listener) {
        callbacks.execute(() -> {
            listeners.add(listener);
            tell(listener);
        });
    }

    /**
     * Drops the transfer if the broker has not committed it yet.
     *
     * @return completes when it is dropped; fails if that is too late
     */
    public CompletableFuture<TransferKey> cancel(String reason) {
        return client.cancel(key, reason);
    }

    /** How it stands when it is found again, before anybody has it. */
    void begin(TransferState state) {
        apply(state);
    }

    /** The spool tells how it stands. Thread: the client's loop. */
    void onState(TransferState state) {
        turn.execute(() -> apply(state));
    }

    /** It was not taken. Thread: the client's loop. */
    void fail(HawserException cause) {
        turn.execute(() -> failAll(cause));
    }

    private void apply(TransferState state) {
        last = state;
        TransferProgress now = new TransferProgress(state.sizeBytes(), state.durableBytes(), state.brokeredBytes());
        if (!now.equals(progress)) {
            progress = now;
            listeners.forEach(this::tell);
        }
        SpoolPhase phase = state.phase();
        if (phase == SpoolPhase.REFUSED || phase == SpoolPhase.CANCELLED) {
            failAll(
                    state.refusal() == null
                            ? new HawserException("the transfer was cancelled")
                            : new HawserException(state.refusal()));
            return;
        }
        if (state.commit() != null) {
            spooled.complete(key);
        }
        if (phase == SpoolPhase.BROKERED || phase == SpoolPhase.FINISHED) {
            brokered.complete(key);
            completions.forEach((rule, completion) -> applyReceipts(rule, completion, state));
        }
    }

    private void tell(Consumer<TransferProgress> listener) {
        try {
            listener.accept(progress);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("transfer", key).log("A listener to progress failed");
        }
    }

    private void applyReceipts(CompletionRule rule, Completion completion, TransferState state) {
        if (state.phase() != SpoolPhase.BROKERED && state.phase() != SpoolPhase.FINISHED) {
            return;
        }
        List<Receipt> receipts = state.countedReceipts();
        if (rule.isMet(state.deliverySet(), receipts, ReceiptStatus.LANDED)) {
            completion.landed.complete(key);
        }
        if (rule.isMet(state.deliverySet(), receipts, ReceiptStatus.DELIVERED)) {
            completion.delivered.complete(receipts);
        }
        rule.failure(state.deliverySet(), receipts).ifPresent(why -> completion.fail(HawserException.undelivered(why)));
        rule.impasse(state.deliverySet(), receipts)
                .ifPresent(why -> completion.delivered.completeExceptionally(
                        HawserException.undelivered(why + ". There, 'hawser dead retry " + key
                                + "' has it delivered and 'hawser dead drop' gives it up")));
        // With receipts that nobody awaits any more: the others have completed these futures before.
        if (state.phase() == SpoolPhase.FINISHED) {
            completion.fail(
                    new HawserException(
                            "whether it is delivered is not known here: too many transfers wait for their receipts, and the oldest are no longer"
                                    + " followed. The broker has it and goes on; 'hawser status' there shows what becomes of it"));
        }
    }

    private void failAll(HawserException cause) {
        failure = cause;
        spooled.completeExceptionally(cause);
        brokered.completeExceptionally(cause);
        completions.values().forEach(completion -> completion.fail(cause));
    }
}
