package io.hawser.it.reference;

import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.landing.DeadLetter;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingTransferStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Where a landing area that was opened does not say what the documents find in its directory. Thread: the landing area's loop. */
public final class LandingComparison {
    private static final String GONE = "GONE";
    private static final String CANCELLED = "CANCELLED";
    private static final Set<String> ENDED = Set.of(GONE, CANCELLED);

    private final Map<String, String> facts = new TreeMap<>();
    private final Map<String, String> found = new TreeMap<>();

    private LandingComparison() {}

    /**
     * Asks before the landing area starts.
     *
     * @param keys what is asked for besides what the documents find
     * @param mayBeTooOld whether the clock has jumped, so that what has ended need not be remembered
     * @param done gets a sentence for each transfer on which they differ
     */
    public static void differences(
            ReferenceLanding documents,
            LandingArea area,
            String subscription,
            Collection<TransferKey> keys,
            boolean mayBeTooOld,
            Consumer<List<String>> done) {
        LandingComparison comparison = new LandingComparison();
        comparison.collectFacts(area);
        Set<TransferKey> all = new TreeSet<>(documents.transfers().keySet());
        all.addAll(keys);
        int[] waiting = {all.size() + 1};
        Runnable answered = () -> {
            if (--waiting[0] == 0) {
                Map<String, String> expected = expected(documents, subscription);
                if (mayBeTooOld) {
                    expected.entrySet()
                            .removeIf(each ->
                                    ENDED.contains(each.getValue()) && !comparison.found.containsKey(each.getKey()));
                }
                done.accept(ReferenceDifference.between(expected, comparison.found));
            }
        };
        all.forEach(key -> area.lookup(key, outcome -> {
            comparison.found(key, outcome.get());
            answered.run();
        }));
        answered.run();
    }

    private void collectFacts(LandingArea area) {
        for (LandingTransferStatus status : area.transfers()) {
            LandingState state = status.state();
            boolean committed = state != LandingState.OPEN && state != LandingState.ABANDONED;
            facts.put(
                    status.transfer(),
                    " " + state + " " + status.name() + (committed ? "" : " " + status.durableBytes()));
        }
        for (DeadLetter letter : area.deadLetters()) {
            facts.merge(
                    letter.transfer(),
                    " " + letter.sinceMillis() + " " + letter.reason() + " " + letter.overtakenBy(),
                    String::concat);
        }
        for (Receipt receipt : area.pendingReceipts()) {
            facts.merge(receipt.key().toString(), " " + receipt, String::concat);
        }
    }

    private void found(TransferKey key, StoredTransfer stored) {
        if (stored.state() != StoredTransfer.State.ABSENT) {
            boolean open = stored.state() == StoredTransfer.State.OPEN;
            found.put(
                    key.toString(),
                    stored.state() + (open ? " " + stored.durable() : "") + facts.getOrDefault(key.toString(), ""));
        }
    }

    private static Map<String, String> expected(ReferenceLanding landing, String subscription) {
        Map<String, String> all = new TreeMap<>();
        landing.transfers()
                .forEach((key, transfer) -> all.put(
                        key.toString(),
                        switch (transfer.phase()) {
                            case OPENED ->
                                "OPEN " + transfer.leaves().fragments()
                                        + (transfer.hasFile() ? " OPEN " : " ABANDONED ")
                                        + name(transfer) + " "
                                        + transfer.leaves().bytes();
                            case VERIFIED -> "COMMITTED VERIFIED " + name(transfer);
                            case PARKED ->
                                "COMMITTED PARKED " + name(transfer) + " " + transfer.number() + " "
                                        + transfer.reason() + " " + transfer.overtakenBy() + " "
                                        + new Receipt(
                                                key,
                                                subscription,
                                                ReceiptStatus.DEAD,
                                                transfer.reason(),
                                                transfer.number());
                            case ENDED -> "COMMITTED " + transfer.receipt();
                            case CANCELLED -> CANCELLED;
                            case ACKED, ACKED_FAILURE -> GONE;
                            case DROPPED -> throw new AssertionError(key);
                        }));
        return all;
    }

    private static String name(ReferenceLanding.Transfer transfer) {
        return Objects.requireNonNull(transfer.manifest()).name();
    }
}
