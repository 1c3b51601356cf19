package io.hawser.store.event;

import io.hawser.store.storage.StorageException;

/**
 * Takes the events of one store's transfers. A store tells of each when its cause is durable, in the order of the causes; at a start it
 * tells again what the records of earlier runs caused, and what is known already is ignored.
 *
 * <p>Thread: that of the store's records: the loop, the opening thread, the index.
 */
public interface TransferEvents {
    /** Ignores all. */
    TransferEvents NONE = new TransferEvents() {
        @Override
        public void begin(String logId, Cause end) {}

        @Override
        public void happened(TransferEvent event) {}

        @Override
        public long neededSegment() {
            return Long.MAX_VALUE;
        }

        @Override
        public void awaitDurable() {}

        @Override
        public void end() {}
    };

    /**
     * The store opens, before any event; its directory is held. Blocks.
     *
     * @param logId of the journal or log whose records cause events
     * @param end behind its last record
     */
    void begin(String logId, Cause end) throws StorageException;

    /** Must not block. */
    void happened(TransferEvent event);

    /** The lowest segment with the cause of an event that is not durable: it has to stay. {@link Long#MAX_VALUE} if there is none. */
    long neededSegment();

    /** Blocks until all events so far are durable; throws if they never will be. Not called on the loop. */
    void awaitDurable();

    /** The store closes, and tells of nothing more; its directory is still held. Blocks. Idempotent. */
    void end();
}
