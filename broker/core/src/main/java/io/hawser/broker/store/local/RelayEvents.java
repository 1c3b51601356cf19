package io.hawser.broker.store.local;

import io.hawser.core.model.Receipt;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;

/**
 * Tells of the broker's transfers what the log's records say. The index is written only after the events of what it covers are durable, so
 * that a start reads the records of the others again.
 *
 * <p>Thread: index only.
 */
final class RelayEvents {
    private final TransferEvents events;

    RelayEvents(TransferEvents events) {
        this.events = events;
    }

    /** The transfer is committed. */
    void committed(IndexedTransfer state, LogRecord record) {
        tell(state, EventType.BROKERED, "", state.committedMillis, false, record);
    }

    /** The transfer is cancelled. */
    void cancelled(IndexedTransfer state, String reason, long millis, LogRecord record) {
        tell(state, EventType.CANCELLED, reason, millis, true, record);
    }

    /** {@code receipt} is kept for its publisher. */
    void receipt(IndexedTransfer state, Receipt receipt, long millis, LogRecord record) {
        if (events != TransferEvents.NONE) {
            boolean isLast = receipt.status().isFinal()
                    && state.committed()
                    && state.deliverySet.stream().allMatch(state::hasFinalWordOf);
            events.happened(TransferEvent.of(receipt, state.manifest, state.commit, millis, isLast, cause(record)));
        }
    }

    private void tell(
            IndexedTransfer state, EventType type, String reason, long millis, boolean ends, LogRecord record) {
        if (events != TransferEvents.NONE) {
            events.happened(new TransferEvent(
                    type, state.key(), state.manifest, state.commit, "", reason, millis, ends, cause(record)));
        }
    }

    private static Cause cause(LogRecord record) {
        return cause(record.position());
    }

    static Cause cause(LogPosition position) {
        return new Cause(position.segment(), position.offset());
    }
}
