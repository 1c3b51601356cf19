package io.hawser.broker.kafka;

import io.hawser.broker.StoreOpener;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.ops.event.EventStorage;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Opens the store over Kafka, and the journal of the broker's events there. Nothing of Kafka is loaded before.
 *
 * <p>Thread: any; blocks.
 *
 * @param settings of any run of the broker
 * @param listen where the broker will listen for agents
 */
record KafkaStoreOpener(KafkaStoreConfig settings, HostPort listen) implements StoreOpener {
    private static final String LOCAL_LOG = "log";

    @Override
    public BrokerStore open(
            Storage storage,
            NodeDirectory directory,
            Path data,
            FragmentBufferPool reads,
            Executor loop,
            Consumer<StorageException> fatal,
            StoreOpeningListener opening,
            TransferEvents events)
            throws StorageException {
        refuseLocal(storage, data);
        KafkaStoreConfig own = settings.withMember(GroupInstanceId.of(directory.id(), directory.epoch(), listen));
        return KafkaStore.open(storage, data, own, reads, loop, fatal, opening, events);
    }

    @Override
    public Optional<EventStorage> events() {
        return Optional.of((runtime, fatal) -> KafkaEventJournal.open(settings, fatal));
    }

    /** Refuses a data directory of a local store, whose transfers would be lost. */
    private static void refuseLocal(Storage storage, Path data) throws StorageException {
        Path log = data.resolve(LOCAL_LOG);
        if (storage.facts(log) != null && !storage.list(log).isEmpty()) {
            throw new RemoteStoreException(
                    data + " holds the log of a broker with --store local: a broker over Kafka takes a"
                            + " directory of its own");
        }
    }
}
