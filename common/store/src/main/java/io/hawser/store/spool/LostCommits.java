package io.hawser.store.spool;

import io.hawser.core.hop.SenderStore;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers that the next hop had committed and lost, since it runs on an older copy of its data. What is still here is offered
 * again. The outcome of the rest is unknown: it fails, with a receipt that says so.
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

    private final TransferRegister register;
    private final TransferLifecycle transfers;
    private final BrokerHistory brokers;
    private final LongSupplier epochMillis;
    /** They are to reach the next hop once more. */
    private final Set<TransferKey> offeredAgain = new LinkedHashSet<>();
    /** You have to send them again to have them delivered. */
    private final Map<TransferKey, Manifest> failed = new LinkedHashMap<>();

    LostCommits(
            TransferRegister register, TransferLifecycle transfers, BrokerHistory brokers, LongSupplier epochMillis) {
        this.brokers = brokers;
        this.register = register;
        this.transfers = transfers;
        this.epochMillis = epochMillis;
    }

    /** As {@link SenderStore#toCheck}. */
    List<TransferKey> toCheck(@Nullable NodeId broker, long lastNumber) {
        if (broker == null) {
            return List.of();
        }
        brokers.connected(broker, lastNumber);
        return register.awaitReceipts().stream()
                .filter(transfer -> brokers.hasOnly(broker, transfer.manifest().number()))
                .map(SpoolTransfer::key)
                .toList();
    }

    /** As {@link SenderStore#followsUnchecked}. */
    boolean followsUnchecked(SpoolTransfer later) {
        Manifest manifest = later.manifest();
        return manifest.paths().stream()
                .flatMap(path -> register.touched().touching(manifest.topic(), path).stream())
                .anyMatch(each -> isWaiting(each) && each.manifest().comesBefore(manifest));
    }

    /** One of which a record is on its way to the journal, a receipt perhaps, is left to the next session. */
    private static boolean isWaiting(SpoolTransfer transfer) {
        return transfer.phase() == SpoolPhase.BROKERED && transfer.isAtRest();
    }

    /** As {@link SenderStore#checked}. */
    void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        List<SpoolTransfer> lost = new ArrayList<>();
        for (SpoolTransfer transfer : register.awaitReceipts()) {
            if (isWaiting(transfer) && absent.contains(transfer.key())) {
                lost.add(transfer);
            } else if (isWaiting(transfer) && finished.contains(transfer.key())) {
                fail(transfer, FINISHED);
            }
        }
        lost.sort(Comparator.comparingLong(transfer -> transfer.manifest().number()));
        int offered = 0;
        for (SpoolTransfer transfer : lost) {
            String recall = transfer.recall();
            if (recall != null) {
                end(transfer, ReceiptStatus.CANCELLED, recall);
            } else if (!transfer.isContentKept()) {
                fail(transfer, CONTENT_GONE);
            } else if (isOvertaken(transfer.manifest(), absent)) {
                fail(transfer, OVERTAKEN);
            } else {
                offered++;
                offeredAgain.add(transfer.key());
                transfers.lostAtNextHop(transfer);
            }
        }
        if (!lost.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("offeredAgain", offered)
                    .addKeyValue("failed", lost.size() - offered)
                    .addKeyValue("first", lost.get(0).key())
                    .log(
                            "The broker no longer has transfers that it had taken: was an older copy of its data put back?");
        }
    }

    /** Whether a later transfer of one of its paths is at the next hop or beyond: offered now it would come after that. */
    private boolean isOvertaken(Manifest manifest, Set<TransferKey> absent) {
        for (String path : manifest.paths()) {
            boolean laterIsThere = register.touched().touching(manifest.topic(), path).stream()
                    .anyMatch(each -> each.phase() == SpoolPhase.BROKERED
                            && !absent.contains(each.key())
                            && each.manifest().number() > manifest.number());
            TransferSnapshot last = register.lastEnded(manifest.topic(), path);
            boolean laterHasEnded = last != null
                    && last.phase() == SpoolPhase.FINISHED
                    && last.manifest().number() > manifest.number();
            if (laterIsThere || laterHasEnded) {
                return true;
            }
        }
        return false;
    }

    /** Records FAILED for every subscription without a final receipt. */
    private void fail(SpoolTransfer transfer, String reason) {
        failed.put(transfer.key(), transfer.manifest());
        LOG.atWarn()
                .addKeyValue("transfer", transfer.key())
                .addKeyValue("reason", reason)
                .log("A transfer has failed");
        end(transfer, ReceiptStatus.FAILED, reason);
    }

    private void end(SpoolTransfer transfer, ReceiptStatus status, String reason) {
        DeliveryReceipts delivery = transfer.delivery();
        List<String> silent = delivery.deliverySet().isEmpty()
                ? List.of(Receipt.NOBODY)
                : delivery.deliverySet().stream()
                        .filter(member -> !delivery.hasFinalWordOf(member))
                        .toList();
        for (String member : silent) {
            Receipt receipt = new Receipt(transfer.key(), member, status, reason, epochMillis.getAsLong());
            transfers.receipt(transfer, receipt, () -> {});
        }
    }

    /**
     * A sentence for the operator about what was lost in this run; empty if nothing was, or once the next hop has again what was offered again, and
     * a later transfer of the path of each that has failed.
     */
    Optional<String> warning() {
        offeredAgain.removeIf(key -> !isOffered(register.get(key)));
        failed.entrySet().removeIf(each -> !isKnown(each.getKey()) || isOvertaken(each.getValue(), Set.of()));
        int lost = offeredAgain.size() + failed.size();
        return lost == 0
                ? Optional.empty()
                : Optional.of(
                        "the broker no longer had " + lost
                                + " transfers that it had taken: was an older copy of its data put back? "
                                + offeredAgain.size()
                                + " were offered again, " + failed.size()
                                + " have failed; 'hawser status', asked of this node, names them. Upload again those that have failed");
    }

    private static boolean isOffered(@Nullable SpoolTransfer transfer) {
        return transfer != null && transfer.phase() == SpoolPhase.SPOOLED;
    }

    private boolean isKnown(TransferKey key) {
        return register.get(key) != null || register.ended(key) != null;
    }
}
