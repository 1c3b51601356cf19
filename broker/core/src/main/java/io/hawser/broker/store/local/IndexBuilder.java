package io.hawser.broker.store.local;

import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.StorageException;

/**
 * Folds a whole log into an empty index.
 *
 * <p>Thread: index only.
 */
final class IndexBuilder {
    private final H2Index index;
    private final TransferIndexCache set;
    private final RecordApplier state;

    IndexBuilder(H2Index empty, String logId, LocalStoreConfig.Forgetting forgetting) {
        this.index = empty;
        this.set = new TransferIndexCache(
                empty, logId, new BrokerTombstones(forgetting.tombstoneAge().toMillis(), forgetting.maxTombstones()));
        this.state = new RecordApplier(set);
        state.rebuilding(true);
        set.filling(true);
    }

    void apply(LogRecord record) throws StorageException {
        state.apply(record);
    }

    /** Writes what is not written yet, and last that this is all; the index is complete then, but not forced. */
    void finish() {
        state.rebuilding(false);
        set.flush();
        index.runs().deleteOrphans();
        index.completeSchema();
        set.filling(false);
        set.flush();
    }

    TransferIndexCache set() {
        return set;
    }

    RecordApplier state() {
        return state;
    }
}
