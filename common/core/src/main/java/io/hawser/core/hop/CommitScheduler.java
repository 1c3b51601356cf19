package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the COMMIT of a transfer leaves, or the whole of a small one: in its turn (Order by path), and when the {@link CommitGate} lets it
 * pass. A transfer has its place from when that is known until it is done. While it is suspended it has none, as it may never go on: it
 * holds back no other.
 *
 * <p>Thread: the sender's loop.
 */
final class CommitScheduler {
    private final PathOrder order = new PathOrder();
    private final CommitGate gate;

    CommitScheduler(CommitGate gate) {
        this.gate = gate;
    }

    /** The transfer takes its place, if that is known. */
    void register(OutgoingTransfer transfer) {
        if (transfer.order > 0) {
            order.register(transfer.manifest, transfer.order);
        }
    }

    /** Whether no earlier one of its paths must go first. If one must, the transfer is among those that {@link #leave} of that one returns. */
    boolean isTurnOf(OutgoingTransfer transfer) {
        return !order.mustWait(transfer.manifest, transfer.order);
    }

    /** The earlier transfer of its paths that must go first; null if none must. */
    @Nullable
    TransferKey blocking(OutgoingTransfer transfer) {
        return order.blocking(transfer.manifest, transfer.order);
    }

    /** Whether the COMMIT of a transfer, which is known and may follow its fragments, may leave now. */
    boolean mayCommit(OutgoingTransfer transfer) {
        return isTurnOf(transfer) && gate.mayCommit(transfer.key(), transfer.isComplete());
    }

    /** Its source broke off: it gives its place up. Returns those that were waiting for it. */
    List<TransferKey> suspend(OutgoingTransfer transfer) {
        List<TransferKey> waiting = leave(transfer);
        transfer.suspended = true;
        return waiting;
    }

    /** Its source goes on: it has its place again. False if it was not suspended. */
    boolean goOn(OutgoingTransfer transfer) {
        if (!transfer.suspended) {
            return false;
        }
        transfer.suspended = false;
        register(transfer);
        return true;
    }

    /** It is done. Returns those that were waiting for it. */
    List<TransferKey> leave(OutgoingTransfer transfer) {
        return transfer.order > 0 && !transfer.suspended ? order.release(transfer.manifest, transfer.order) : List.of();
    }
}
