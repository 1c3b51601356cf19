package io.hawser.broker.store.local;

import io.hawser.core.model.FragmentRanges;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Objects;

/**
 * Folds a whole log into an empty index.
 *
 * <p>Thread: index only.
 */
final class IndexBuilder {
    private static final int PAGE = 100;

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
        if (state.hasAdopted()) {
            forgetLost();
        }
        set.filling(false);
        set.flush();
    }

    /** Carried states also name fragments whose records the log has lost since: their publishers have to send them again. */
    private void forgetLost() {
        List<IndexedTransfer> page = index.transfers().page(null, PAGE);
        while (!page.isEmpty()) {
            page.forEach(this::forgetLost);
            set.flush();
            page = index.transfers().page(page.get(page.size() - 1).key(), PAGE);
        }
    }

    private void forgetLost(IndexedTransfer row) {
        if (row.released || row.durable.isEmpty()) {
            return;
        }
        FragmentRanges lost = row.durableBeyond(index.runs().coverage(row.key()).fragments());
        if (!lost.isEmpty()) {
            IndexedTransfer transfer = Objects.requireNonNull(set.find(row.key()));
            set.kept(transfer, -transfer.forget(lost));
            set.dirty(transfer);
        }
    }

    TransferIndexCache set() {
        return set;
    }

    RecordApplier state() {
        return state;
    }
}
