package io.hawser.client;

import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
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
 * A transfer that the client accepted: futures of its custody levels, its progress, and its cancellation.
 *
 * <p>Every future fails with a {@link HawserException} if the transfer is refused or cancelled. Futures of landing and delivery also fail
 * with {@link HawserException.Reason#NOT_DELIVERED} if a far end will not deliver the transfer, or has it on its dead-letter list (an
 * operator may still deliver it from there), and with {@link HawserException.Reason#NOT_FOLLOWED} if too many transfers wait for their
 * receipts ({@link HawserClient}). After the client's own disk fails ({@link HawserClient#failure}), pending futures fail with {@link
 * HawserException.Reason#STORAGE_FAILED}; the transfer may still be in the journal, and the next client with it resumes it. A future that
 * is pending when the client closes stays pending.
 *
 * <p>Any thread may call any method. Only {@link #problem} blocks. Futures complete, and listeners run, on the thread {@code
 * hawser-callbacks}; what is chained to a future must not block.
 */
public final class SentTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(SentTransfer.class);

    private final TransferId id;
    private final String name;
    private final HawserClient client;
    private final Executor callbacks;
    /** Leads to {@link #callbacks} from the loop. */
    private final Executor batch;

    private final CompletableFuture<TransferId> spooled = new CompletableFuture<>();
    private final CompletableFuture<TransferId> brokered = new CompletableFuture<>();
    private final Completion all = new Completion();
    private final Map<CompletionRule, Completion> completions =
            new ConcurrentHashMap<>(Map.of(CompletionRule.ALL, all));
    private final List<Consumer<TransferProgress>> listeners = new CopyOnWriteArrayList<>();
    private volatile TransferProgress progress = new TransferProgress(-1, 0, 0);
    /** Set on the callback thread. */
    private volatile @Nullable TransferSnapshot latest;
    /** The broker's latest answer about the far ends. */
    private volatile List<FarEndProgress> told = List.of();

    /** Owned by the callback thread. */
    private @Nullable HawserException failure;

    /** The futures of one rule. */
    private static final class Completion {
        final CompletableFuture<TransferId> landed = new CompletableFuture<>();
        final CompletableFuture<List<DeliveryReceipt>> delivered = new CompletableFuture<>();

        boolean isDone() {
            return landed.isDone() && delivered.isDone();
        }

        void fail(HawserException cause) {
            landed.completeExceptionally(cause);
            delivered.completeExceptionally(cause);
        }
    }

    SentTransfer(TransferKey key, String name, HawserClient client, Executor callbacks, Executor batch) {
        this.id = new TransferId(key);
        this.name = name;
        this.client = client;
        this.callbacks = callbacks;
        this.batch = batch;
    }

    /** Its identity. */
    public TransferId id() {
        return id;
    }

    /** The name under which it is published, or a message's label. */
    public String name() {
        return name;
    }

    /**
     * Completes when the transfer is durable in this client's journal: it survives a crash of this program. Of a file that is read in
     * place the journal holds the digests, so the file must stay.
     */
    public CompletableFuture<TransferId> spooled() {
        return spooled;
    }

    /** Completes when the broker has the transfer durably: this program and its disk are no longer needed. */
    public CompletableFuture<TransferId> brokered() {
        return brokered;
    }

    /** Completes when all far ends have the transfer, durable and verified. */
    public CompletableFuture<TransferId> landed() {
        return all.landed;
    }

    /**
     * Completes when any {@code count} far ends have the transfer, durable and verified. The others get it all the same. Fails at once
     * when fewer than {@code count} subscriptions are owed it.
     *
     * @param count 1 to 9999
     * @throws IllegalArgumentException if {@code count} is outside its range
     */
    public CompletableFuture<TransferId> landedAtAny(int count) {
        return completion(CompletionRule.any(count)).landed;
    }

    /** Completes with the receipts when all far ends have published the transfer. */
    public CompletableFuture<List<DeliveryReceipt>> delivered() {
        return all.delivered;
    }

    /**
     * Completes with the receipts that there are when any {@code count} far ends have published the transfer. The others get it all the
     * same. Fails at once when fewer than {@code count} subscriptions are owed it.
     *
     * @param count 1 to 9999
     * @throws IllegalArgumentException if {@code count} is outside its range
     */
    public CompletableFuture<List<DeliveryReceipt>> deliveredAtAny(int count) {
        return completion(CompletionRule.any(count)).delivered;
    }

    private Completion completion(CompletionRule rule) {
        return completions.computeIfAbsent(rule, unused -> {
            Completion fresh = new Completion();
            callbacks.execute(() -> {
                if (failure != null) {
                    fresh.fail(failure);
                } else {
                    TransferSnapshot state = latest;
                    if (state != null) {
                        applyReceipts(rule, fresh, state);
                    }
                }
            });
            return fresh;
        });
    }

    /**
     * Whether the broker has the transfer and, as far as this client knows, no subscription to its topic exists. The broker keeps it for
     * the first subscription, or as long as its operator configured.
     */
    public boolean isUnclaimed() {
        TransferSnapshot state = latest;
        return state != null
                && state.phase() == SpoolPhase.BROKERED
                && state.deliverySet().isEmpty()
                && state.receipts().isEmpty();
    }

    /** Its latest progress. */
    public TransferProgress progress() {
        return progress;
    }

    /**
     * How far it is at each of its far ends, by the name of their subscriptions: as of the receipts, and of the broker's latest answer to
     * {@link HawserClient#askFarEnds}. Empty while no far end is known. Does not block.
     */
    public List<FarEnd> farEnds() {
        TransferSnapshot state = latest;
        return state == null
                ? List.of()
                : FarEndStates.of(state.deliverySet(), state.countedReceipts(), state.sizeBytes(), told);
    }

    /** What the broker has answered. Thread: the client's loop. */
    void onFarEnds(List<FarEndProgress> answer) {
        told = List.copyOf(answer);
    }

    /**
     * What the transfer waits for, as a phrase for people: no session with a broker, a refusal of the broker (no space, a quota), an
     * earlier transfer of the same path, or receipts. Empty if it moves or is finished. Blocks until the client's loop answers, which
     * takes well below a second.
     *
     * @throws IOException if the client is closed
     */
    public String problem() throws IOException {
        return client.problem(id.key());
    }

    /** Calls {@code listener} with the progress, now and at every change. What it throws is logged. */
    public void onProgress(Consumer<TransferProgress> listener) {
        callbacks.execute(() -> {
            listeners.add(listener);
            notify(listener);
        });
    }

    /**
     * Cancels the transfer wherever it is not delivered, also after {@link #brokered}. The cancel is durable in this client's journal: after a
     * crash the next client with it goes on. While a far end that may have the transfer is away, or the broker is, the result stays pending.
     * Where it was too late the receipt says DELIVERED, elsewhere CANCELLED.
     *
     * @param reason for logs and the receipts
     * @return completes when it is certain that no far end delivers the transfer. Fails with a {@link HawserException}: with {@link
     *     HawserException.Reason#NOT_FOUND} if a far end has delivered it before; the message names all that have
     */
    public CompletableFuture<TransferId> cancel(String reason) {
        return client.cancel(id, reason);
    }

    /** Sets the state of a transfer that was found again, before another thread sees it. */
    void begin(TransferSnapshot state) {
        apply(state);
    }

    /** Follows a change in the spool. Thread: the client's loop. */
    void onState(TransferSnapshot state) {
        batch.execute(() -> apply(state));
    }

    /** Fails every future. Thread: the client's loop. */
    void fail(HawserException cause) {
        batch.execute(() -> failAll(cause));
    }

    private void apply(TransferSnapshot state) {
        latest = state;
        TransferProgress now = new TransferProgress(state.sizeBytes(), state.durableBytes(), state.brokeredBytes());
        if (!now.equals(progress)) {
            progress = now;
            listeners.forEach(this::notify);
        }
        SpoolPhase phase = state.phase();
        if (phase == SpoolPhase.REFUSED || phase == SpoolPhase.CANCELLED) {
            failAll(
                    state.refusal() == null
                            ? new HawserException(HawserException.Reason.CANCELLED, "the transfer was cancelled")
                            : new HawserException(state.refusal()));
            return;
        }
        if (state.commit() != null) {
            spooled.complete(id);
        }
        if (phase == SpoolPhase.BROKERED || phase == SpoolPhase.FINISHED) {
            brokered.complete(id);
            completions.forEach((rule, completion) -> applyReceipts(rule, completion, state));
        }
    }

    private void notify(Consumer<TransferProgress> listener) {
        try {
            listener.accept(progress);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("transfer", id).log("A progress listener failed");
        }
    }

    private void applyReceipts(CompletionRule rule, Completion completion, TransferSnapshot state) {
        boolean hasReceipts = state.phase() == SpoolPhase.BROKERED || state.phase() == SpoolPhase.FINISHED;
        if (!hasReceipts || completion.isDone()) {
            return;
        }
        List<Receipt> receipts = state.countedReceipts();
        if (rule.isMet(state.deliverySet(), receipts, ReceiptStatus.LANDED)) {
            completion.landed.complete(id);
        }
        if (rule.isMet(state.deliverySet(), receipts, ReceiptStatus.DELIVERED)) {
            completion.delivered.complete(
                    receipts.stream().map(DeliveryReceipt::of).toList());
        }
        rule.failure(state.deliverySet(), receipts).ifPresent(why -> completion.fail(notDelivered(why)));
        rule.impasse(state.deliverySet(), receipts)
                .ifPresent(why ->
                        completion.delivered.completeExceptionally(notDelivered(why + ". There, 'hawser dead retry "
                                + id + "' has it delivered and 'hawser dead drop' gives it up")));
        // A finished transfer whose futures are still open lost its receipts to the bound on followed transfers.
        if (state.phase() == SpoolPhase.FINISHED && !completion.isDone()) {
            completion.fail(
                    new HawserException(
                            HawserException.Reason.NOT_FOLLOWED,
                            "whether it is delivered is not known here: too many transfers wait for their receipts, and the oldest are no longer"
                                    + " followed. The broker has it and delivers it; 'hawser status' there shows what becomes of it"));
        }
    }

    private static HawserException notDelivered(String why) {
        return new HawserException(HawserException.Reason.NOT_DELIVERED, "not delivered: " + why);
    }

    private void failAll(HawserException cause) {
        failure = cause;
        spooled.completeExceptionally(cause);
        brokered.completeExceptionally(cause);
        completions.values().forEach(completion -> completion.fail(cause));
    }
}
