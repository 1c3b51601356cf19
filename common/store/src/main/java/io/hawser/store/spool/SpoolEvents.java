package io.hawser.store.spool;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.LogPosition;
import io.hawser.store.runtime.StoreRuntime;

/**
 * Tells of the spool's transfers what their records say: by the same rules when a record becomes durable and when it is read at a start.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class SpoolEvents {
    private final TransferEvents events;
    private final StoreRuntime runtime;

    SpoolEvents(StoreRuntime runtime) {
        this.events = runtime.events();
        this.runtime = runtime;
    }

    /** What is to be known of a transfer before a record is applied to it. */
    record Before(SpoolPhase phase, boolean isBorn, boolean takesReceipt) {
        static Before of(SpoolTransfer transfer, SpoolRecord record) {
            boolean takes = record instanceof SpoolRecord.Receipted receipted
                    && transfer.delivery().takes(receipted.receipt());
            return new Before(transfer.phase(), transfer.milestones().isBorn(), takes);
        }
    }

    /** {@code record} is durable and was applied. */
    void applied(SpoolTransfer transfer, SpoolRecord record, Before before, LogPosition position) {
        if (events == TransferEvents.NONE) {
            return;
        }
        if (record instanceof SpoolRecord.Small) {
            if (!before.isBorn()) {
                tell(transfer, EventType.ACCEPTED, "", false, position);
            }
        } else if (record instanceof SpoolRecord.Committed) {
            if (before.phase() == SpoolPhase.RECEIVING || before.phase() == SpoolPhase.INCOMPLETE) {
                tell(transfer, EventType.ACCEPTED, "", false, position);
            }
        } else if (record instanceof SpoolRecord.Brokered) {
            if (before.phase() != SpoolPhase.BROKERED && before.phase() != SpoolPhase.FINISHED) {
                tell(transfer, EventType.BROKERED, "", false, position);
            }
        } else if (record instanceof SpoolRecord.Receipted receipted) {
            if (before.takesReceipt()) {
                tell(transfer, receipted.receipt(), transfer.isSettled(), position);
            }
        } else if (record instanceof SpoolRecord.Refused refused) {
            if (transfer.phase() == SpoolPhase.REFUSED && before.phase() != SpoolPhase.REFUSED) {
                tell(transfer, EventType.FAILED, refused.refusal().detail(), true, position);
            }
        } else if (record instanceof SpoolRecord.Settled settled) {
            tell(transfer, settled.last(), true, position);
        } else if (record instanceof SpoolRecord.Ended) {
            ended(transfer, position);
        }
    }

    private void ended(SpoolTransfer transfer, LogPosition position) {
        Refusal why = transfer.refusal();
        switch (transfer.phase()) {
            case BROKERED, FINISHED -> {
                if (!transfer.delivery().isSettled()) {
                    tell(transfer, EventType.BROKERED, TransferSnapshot.NOT_FOLLOWED, true, position);
                }
            }
            case REFUSED -> {} // told when it was refused
            default -> tell(transfer, EventType.CANCELLED, why == null ? "" : why.detail(), true, position);
        }
    }

    private void tell(SpoolTransfer transfer, EventType type, String reason, boolean ends, LogPosition position) {
        events.happened(new TransferEvent(
                type,
                transfer.key(),
                transfer.manifest(),
                transfer.commit(),
                "",
                reason,
                runtime.nowMillis(),
                ends,
                cause(position)));
    }

    private void tell(SpoolTransfer transfer, Receipt receipt, boolean ends, LogPosition position) {
        events.happened(TransferEvent.of(
                receipt, transfer.manifest(), transfer.commit(), runtime.nowMillis(), ends, cause(position)));
    }

    static Cause cause(LogPosition position) {
        return new Cause(position.segment(), position.offset());
    }
}
