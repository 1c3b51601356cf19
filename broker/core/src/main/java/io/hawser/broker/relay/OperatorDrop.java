package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drops a transfer at an operator's request: removes it from all subscriptions that are owed it, frees its bytes, and sends its
 * publisher the receipt EXPIRED with the reason. A consumer that already has all of it keeps it, and then its subscription is not dropped.
 *
 * <p>Thread: the relay's loop.
 */
public final class OperatorDrop {
    private static final String REASON = "dropped by the operator of the broker";

    private final Relay relay;
    private final RelayStore store;
    private final LongSupplier epochMillis;

    /** @param epochMillis wall clock, for receipts */
    public OperatorDrop(Relay relay, RelayStore store, LongSupplier epochMillis) {
        this.relay = relay;
        this.store = store;
        this.epochMillis = epochMillis;
    }

    /**
     * Answers when the records of all that is dropped are durable, and once more whenever one of the consumers that were asked has
     * answered. Refused if nothing is dropped and no consumer was asked.
     */
    public void drop(TransferKey key, Outcome.Callback<DropResult> progress) {
        store.lookup(key, outcome -> {
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            Refusal refusal = whyNot(key, kept);
            if (kept == null || refusal != null) {
                progress.accept(new Outcome<>(null, refusal));
            } else if (kept.deliverySet().isEmpty() && kept.owed().isEmpty()) {
                dropUnclaimed(key, progress);
            } else {
                dropOwed(kept, progress);
            }
        });
    }

    private static @Nullable Refusal whyNot(TransferKey key, @Nullable KeptTransfer kept) {
        if (kept == null) {
            return new Refusal(ErrorCode.NOT_FOUND, "the broker keeps no transfer " + key);
        }
        if (kept.commit() == null) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "transfer " + key
                            + " is not complete at the broker: end it at its publisher, or wait for --retain-incomplete");
        }
        return kept.owed().isEmpty() && !kept.deliverySet().isEmpty()
                ? new Refusal(ErrorCode.NOT_FOUND, "no subscription is owed transfer " + key + " any more")
                : null;
    }

    private void dropUnclaimed(TransferKey key, Outcome.Callback<DropResult> progress) {
        store.append(new RelayRecord.Expired(key, REASON, epochMillis.getAsLong()), appended -> {
            relay.receipts().made(() -> {});
            if (appended.isRefused()) {
                progress.accept(appended.map(sequence -> new DropResult(List.of(), List.of(), Map.of())));
                return;
            }
            store.lookup(
                    key,
                    outcome -> { // the record has no effect if a subscription came for it before
                        KeptTransfer kept =
                                outcome.isRefused() ? null : outcome.get().transfer();
                        if (kept == null || kept.owed().isEmpty()) {
                            progress.accept(Outcome.of(new DropResult(List.of(), List.of(), Map.of())));
                        } else {
                            dropOwed(kept, progress);
                        }
                    });
        });
    }

    private void dropOwed(KeptTransfer kept, Outcome.Callback<DropResult> progress) {
        TransferKey key = kept.manifest().key();
        Dropping dropping = new Dropping(key, progress);
        for (String name : kept.owed()) {
            SubscriptionFeed end = relay.subscriptions().find(name);
            if (end == null) {
                dropping.kept.put(name, "the subscription is being removed");
            } else {
                dropping.writing.add(name);
                end.giveUp(PendingDrop.byOperator(
                        relay.receipts().now(key, name, ReceiptStatus.EXPIRED, REASON), dropping.of(name)));
            }
        }
        dropping.begun();
    }

    /** How far one is, by subscription. */
    private static final class Dropping {
        private final TransferKey key;
        private final Outcome.Callback<DropResult> progress;
        /** Those whose receipt is being made durable. */
        private final Set<String> writing = new TreeSet<>();

        private final List<String> dropped = new ArrayList<>();
        private final Set<String> asked = new TreeSet<>();
        private final Map<String, String> kept = new TreeMap<>();
        private boolean begun;

        Dropping(TransferKey key, Outcome.Callback<DropResult> progress) {
            this.key = key;
            this.progress = progress;
        }

        PendingDrop.Listener of(String name) {
            return new PendingDrop.Listener() {
                @Override
                public void asked() {
                    writing.remove(name);
                    asked.add(name);
                }

                @Override
                public void expired() {
                    dropped.add(name);
                    ended();
                }

                @Override
                public void kept(String reason) {
                    kept.put(name, reason);
                    ended();
                }

                private void ended() {
                    writing.remove(name);
                    asked.remove(name);
                    tell();
                }
            };
        }

        /** All subscriptions have been told. */
        void begun() {
            begun = true;
            tell();
        }

        private void tell() {
            if (begun && writing.isEmpty()) {
                progress.accept(
                        dropped.isEmpty() && asked.isEmpty()
                                ? Outcome.refused(ErrorCode.NOT_ALLOWED, whyKept())
                                : Outcome.of(new DropResult(dropped, List.copyOf(asked), kept)));
            }
        }

        private String whyKept() {
            return kept.entrySet().stream()
                    .map(each -> "subscription " + each.getKey() + ": " + each.getValue())
                    .collect(Collectors.joining("; ", "transfer " + key + " is not dropped: ", ""));
        }
    }
}
