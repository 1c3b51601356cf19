package io.hawser.broker.store.local;

import io.hawser.common.log.LogRecord;
import io.hawser.common.storage.StorageException;

/**
 * The fold of a whole log into an index that is empty at first.
 *
 * <p>Thread: index only.
 */
final class IndexFold {
    private final H2Index index;
    private final WorkingSet set;
    private final StoreState state;

    IndexFold(H2Index empty, String logId, LocalStoreConfig.Forgetting forgetting) {
        this.index = empty;
        this.set = new WorkingSet(
                empty, logId, new Tombstones(forgetting.tombstoneAge().toMillis(), forgetting.maxTombstones()));
        this.state = new StoreState(set);
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

    WorkingSet set() {
        return set;
    }

    StoreState state() {
        return state;
    }
}
