package io.hawser.agenta;

import io.hawser.core.hop.HopSender;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.ConnectionState;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.WarningCode;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.SpoolUsage;
import io.hawser.store.spool.TransferSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is in agent-a's spool and needs an operator or a metric, found in one pass over its transfers.
 *
 * @param transfers that the spool knows
 * @param withoutRight accepted, and waiting for a right at the broker
 * @param refused accepted and refused for good
 * @param failed accepted and known to have failed at a subscription
 * @param undelivered accepted and failed in a way that a person has to look after; not those that expired by a rule or were cancelled
 * @param longestIdleMillis the longest that one has waited to get to the broker or for its receipts
 * @param usage of the spool's space
 * @param lostAtBroker what the broker had committed and has lost, as a sentence
 * @param stalled what does not move
 *
 * <p>Thread: immutable once it is made, on the loop.
 */
record SpoolSurvey(
        int transfers,
        int withoutRight,
        int refused,
        int failed,
        int undelivered,
        long longestIdleMillis,
        SpoolUsage usage,
        Optional<String> lostAtBroker,
        StalledTransfers stalled) {
    private static final String STATUS = "'hawser status', asked of this node,";

    /**
     * @param reported transfers whose failure a client was told of
     * @param warnAfter what has not moved for so long is stalled
     */
    static SpoolSurvey of(
            Spool spool, HopSender sender, ConnectionState broker, Set<TransferKey> reported, Duration warnAfter) {
        List<TransferSnapshot> all = spool.states();
        List<TransferSnapshot> accepted = all.stream()
                .filter(state -> state.commit() != null && !reported.contains(state.key()))
                .toList();
        StalledTransfers stalled = new StalledTransfers(warnAfter);
        new SpoolStalls(sender, broker).find(all, stalled);
        long awaitsReceipts = all.stream()
                .filter(state -> state.phase() == SpoolPhase.BROKERED)
                .mapToLong(TransferSnapshot::idleMillis)
                .max()
                .orElse(0);
        return new SpoolSurvey(
                all.size(),
                count(accepted, TransferSnapshot::lacksRight),
                count(accepted, state -> state.phase() == SpoolPhase.REFUSED),
                count(accepted, state -> has(state, SpoolSurvey::hasFailed)),
                count(accepted, state -> state.phase() != SpoolPhase.REFUSED && has(state, SpoolSurvey::needsAPerson)),
                Math.max(sender.longestIdleMillis(), awaitsReceipts),
                spool.usage(),
                spool.lostAtNextHop(),
                stalled);
    }

    private static int count(List<TransferSnapshot> states, Predicate<TransferSnapshot> which) {
        return (int) states.stream().filter(which).count();
    }

    private static boolean has(TransferSnapshot state, Predicate<Receipt> which) {
        return state.receipts().stream().anyMatch(which);
    }

    /** Whether a person has to look after it. What expired or was cancelled did so by a rule or a command. */
    private static boolean needsAPerson(Receipt receipt) {
        return hasFailed(receipt) && receipt.status() != ReceiptStatus.EXPIRED;
    }

    private static boolean hasFailed(Receipt receipt) {
        return !receipt.status().isGood() && receipt.status() != ReceiptStatus.CANCELLED;
    }

    /** What clients were told is accepted, and what will not arrive all the same, or not yet. */
    List<HealthWarning> warnings() {
        List<HealthWarning> problems = new ArrayList<>();
        lostAtBroker.ifPresent(text -> problems.add(WarningCode.LOST_AT_BROKER.says(text)));
        add(
                problems,
                WarningCode.REFUSED,
                refused,
                " was",
                "s were",
                " refused for good and will not arrive; " + STATUS + " says why");
        add(
                problems,
                WarningCode.FAILED,
                undelivered,
                " was",
                "s were",
                " not delivered; " + STATUS + " says why. This warning ends when the node forgets them");
        add(
                problems,
                WarningCode.WITHOUT_RIGHT,
                withoutRight,
                " waits",
                "s wait",
                " for a right at the broker and will continue when that is given; " + STATUS + " names it");
        if (usage.journalDamages() > 0) {
            problems.add(
                    WarningCode.SPOOL_JOURNAL.says("the disk has damaged the spool's journal (" + usage.journalDamages()
                            + " places, see the log): uploads that were accepted may be lost. Check the disk, and upload again what"
                            + " did not arrive"));
        }
        add(
                problems,
                WarningCode.SPOOL_DAMAGED,
                usage.damaged(),
                "",
                "s",
                " cannot be sent, since the disk has damaged their bytes in the spool; " + STATUS
                        + " names them. Upload them again or delete them, and check the disk");
        problems.addAll(stalled.warnings());
        return problems;
    }

    private static void add(
            List<HealthWarning> problems, WarningCode code, int count, String one, String many, String rest) {
        if (count > 0) {
            problems.add(code.says(count + " accepted transfer" + (count == 1 ? one : many) + rest));
        }
    }
}
