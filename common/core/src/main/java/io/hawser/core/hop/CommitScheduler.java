package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the COMMIT of a transfer leaves, or the whole of a small one: in its turn (Order by path), and when the {@link CommitSendGate}
 * lets it pass. A transfer takes part in the order from when its number is known until it is done, but not while it is suspended: it may
 * never resume, so it holds back no other.
 *
 * <p>Thread: the sender's loop.
 */
final class CommitScheduler {
    private final PathOrder order = new PathOrder();
    private final CommitSendGate gate;

    CommitScheduler(CommitSendGate gate) {
        this.gate = gate;
    }

    /** Enters the transfer in the order, if its number is known. */
    void register(OutgoingTransfer transfer) {
        if (transfer.order > 0) {
            order.register(transfer.manifest, transfer.order);
        }
    }

    /** Whether no earlier transfer of its paths must go first. If one must, {@link #leave} of that one returns this transfer. */
    boolean isTurnOf(OutgoingTransfer transfer) {
        return !order.mustWait(transfer.manifest, transfer.order);
    }

    /** The earlier transfer of its paths that must go first; null if none must. */
    @Nullable
    TransferKey blocking(OutgoingTransfer transfer) {
        return order.blocking(transfer.manifest, transfer.order);
    }

    /** Whether the COMMIT of a complete transfer may leave now. */
    boolean mayCommit(OutgoingTransfer transfer) {
        return isTurnOf(transfer) && gate.mayCommit(transfer.key(), transfer.isComplete());
    }

    /** Takes a transfer whose source broke off out of the order. Returns those that waited for it. */
    List<TransferKey> suspend(OutgoingTransfer transfer) {
        List<TransferKey> waiting = leave(transfer);
        transfer.suspended = true;
        return waiting;
    }

    /** Enters a transfer whose source has resumed in the order again. False if it was not suspended. */
    boolean resume(OutgoingTransfer transfer) {
        if (!transfer.suspended) {
            return false;
        }
        transfer.suspended = false;
        register(transfer);
        return true;
    }

    /** Takes a finished transfer out of the order. Returns those that waited for it. */
    List<TransferKey> leave(OutgoingTransfer transfer) {
        return transfer.order > 0 && !transfer.suspended ? order.release(transfer.manifest, transfer.order) : List.of();
    }
}
