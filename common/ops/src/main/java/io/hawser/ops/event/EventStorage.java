package io.hawser.ops.event;

import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Opens the journal of a node's events.
 *
 * <p>Thread: any.
 */
@FunctionalInterface
public interface EventStorage {
    /**
     * Opens it, made if it is not there. From then on no earlier run of the node can write to it. Blocks.
     *
     * @param runtime the event log's
     * @param fatal told on some thread when it cannot be written: the node has to end
     */
    EventJournal open(StoreRuntime runtime, Consumer<StorageException> fatal) throws StorageException;

    /**
     * In files below {@code directory}, which is the event log's.
     *
     * @param quotaBytes how much it may take; room for it is kept free
     */
    static EventStorage local(Storage storage, Path directory, long quotaBytes) {
        return (runtime, fatal) -> LocalEventJournal.open(storage, directory, quotaBytes, runtime, fatal);
    }
}
