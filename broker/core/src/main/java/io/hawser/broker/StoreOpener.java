package io.hawser.broker;

import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.ops.event.EventStorage;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Opens the broker's store. */
@FunctionalInterface
public interface StoreOpener {
    /**
     * Opens it, made if it is not there. Blocks until it can answer every question; where brokers share a store, until it is this
     * one's turn.
     *
     * @param directory the node's data directory, which this process holds
     * @param data where that is
     * @param reads where fragments are read to
     * @param loop where callbacks are posted
     * @param fatal told, on some thread, when the store has died; the node then has to end
     * @param opening told how it goes
     * @param events takes what happens to transfers
     * @throws java.util.concurrent.CancellationException if the process was told to end before it was this broker's turn
     */
    BrokerStore open(
            Storage storage,
            NodeDirectory directory,
            Path data,
            FragmentBufferPool reads,
            Executor loop,
            Consumer<StorageException> fatal,
            StoreOpeningListener opening,
            TransferEvents events)
            throws StorageException;

    /** Where the events of a broker with that store are kept; empty if in its data directory. */
    default Optional<EventStorage> events() {
        return Optional.empty();
    }

    /** On this machine. */
    static StoreOpener local(LocalStoreConfig config) {
        return (storage, directory, data, reads, loop, fatal, opening, events) ->
                LocalStore.open(storage, data, directory.epoch(), config, reads, loop, fatal, events);
    }
}
