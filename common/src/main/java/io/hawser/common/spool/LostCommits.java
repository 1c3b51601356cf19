package io.hawser.common.spool;

import io.hawser.common.hop.SenderStore;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.model.TransferKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the next hop had committed and does not have any more, since it goes on with an older copy of its data. What is still here is offered
 * again. Of the rest nobody knows how it ended: it has failed, with a receipt that says so.
 *
 * <p>Thread: the loop.
 */
final class LostCommits {
    private static final Logger LOG = LoggerFactory.getLogger(LostCommits.class);

    static final String CONTENT_GONE =
            "the broker no longer has the transfer that it had taken, and its content is no longer here: nobody knows whether it"
                    + " was delivered; send it again";
    static final String OVERTAKEN =
            "the broker no longer has the transfer that it had taken, and a later transfer of its path has gone on: nobody knows"
                    + " whether it was delivered before that";
    static final String FINISHED =
            "the broker finished the transfer before, and nobody knows any more how it ended; send it again if it is missing";

    private final TransferTable table;
    private final Transfers transfers;
    private final BrokersUsed brokers;
    private final LongSupplier epochMillis;
    private int offeredAgain;
    private int failed;

    LostCommits(TransferTable table, Transfers transfers, BrokersUsed brokers, LongSupplier epochMillis) {
        this.brokers = brokers;
        this.table = table;
        this.transfers = transfers;
        this.epochMillis = epochMillis;
    }

    /** As {@link SenderStore#toCheck}. */
    List<TransferKey> toCheck(@Nullable NodeId broker, long lastNumber) {
        if (broker == null) {
            return List.of();
        }
        brokers.connected(broker, lastNumber);
        return table.awaitReceipts().stream()
                .filter(transfer -> brokers.hasOnly(broker, transfer.manifest().number()))
                .map(SpoolTransfer::key)
                .toList();
    }

    /** As {@link SenderStore#followsUnchecked}. */
    boolean followsUnchecked(SpoolTransfer later) {
        Manifest manifest = later.manifest();
        return manifest.paths().stream()
                .flatMap(path -> table.touched().touching(manifest.topic(), path).stream())
                .anyMatch(each -> isWaiting(each) && each.manifest().comesBefore(manifest));
    }

    /** One of which a record is on its way to the journal, a receipt perhaps, is left to the next session. */
    private static boolean isWaiting(SpoolTransfer transfer) {
        return transfer.phase() == SpoolPhase.BROKERED && transfer.trail().isAtRest();
    }

    /** As {@link SenderStore#checked}. */
    void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        List<SpoolTransfer> lost = new ArrayList<>();
        for (SpoolTransfer transfer : table.awaitReceipts()) {
            if (isWaiting(transfer) && absent.contains(transfer.key())) {
                lost.add(transfer);
            } else if (isWaiting(transfer) && finished.contains(transfer.key())) {
                fail(transfer, FINISHED);
            }
        }
        lost.sort(Comparator.comparingLong(transfer -> transfer.manifest().number()));
        int failedBefore = failed;
        int offeredBefore = offeredAgain;
        for (SpoolTransfer transfer : lost) {
            if (!transfer.isContentKept()) {
                fail(transfer, CONTENT_GONE);
            } else if (isOvertaken(transfer, absent)) {
                fail(transfer, OVERTAKEN);
            } else {
                offeredAgain++;
                transfers.lostAtNextHop(transfer);
            }
        }
        if (!lost.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("offeredAgain", offeredAgain - offeredBefore)
                    .addKeyValue("failed", failed - failedBefore)
                    .addKeyValue("first", lost.get(0).key())
                    .log(
                            "The broker no longer has transfers that it had taken: was an older copy of its data put back?");
        }
    }

    /** Whether a later transfer of one of its paths is at the next hop or beyond: offered now it would come after that. */
    private boolean isOvertaken(SpoolTransfer transfer, Set<TransferKey> absent) {
        Manifest manifest = transfer.manifest();
        for (String path : manifest.paths()) {
            boolean laterIsThere = table.touched().touching(manifest.topic(), path).stream()
                    .anyMatch(each -> each.phase() == SpoolPhase.BROKERED
                            && !absent.contains(each.key())
                            && each.manifest().number() > manifest.number());
            TransferState last = table.lastEnded(manifest.topic(), path);
            boolean laterHasEnded = last != null
                    && last.phase() == SpoolPhase.FINISHED
                    && last.manifest().number() > manifest.number();
            if (laterIsThere || laterHasEnded) {
                return true;
            }
        }
        return false;
    }

    /** Everyone who has not said a final word has failed. */
    private void fail(SpoolTransfer transfer, String reason) {
        failed++;
        LOG.atWarn()
                .addKeyValue("transfer", transfer.key())
                .addKeyValue("reason", reason)
                .log("A transfer has failed");
        DeliveryReceipts delivery = transfer.delivery();
        List<String> silent = delivery.deliverySet().isEmpty()
                ? List.of(Receipt.NOBODY)
                : delivery.deliverySet().stream()
                        .filter(member -> !delivery.hasFinalWordOf(member))
                        .toList();
        for (String member : silent) {
            Receipt receipt =
                    new Receipt(transfer.key(), member, ReceiptStatus.FAILED, reason, epochMillis.getAsLong());
            transfers.receipt(transfer, receipt, () -> {});
        }
    }

    /** What an operator is told; empty if nothing was lost in this run. */
    Optional<String> warning() {
        return offeredAgain + failed == 0
                ? Optional.empty()
                : Optional.of("the broker no longer had " + (offeredAgain + failed)
                        + " transfers that it had taken: was an older copy of its data put back? " + offeredAgain
                        + " were offered again, " + failed + " have failed; 'hawser status', asked of this node, names"
                        + " them");
    }
}
