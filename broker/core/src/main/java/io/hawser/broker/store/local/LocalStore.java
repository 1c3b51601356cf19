package io.hawser.broker.store.local;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogEpochReader;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The store on this machine, with its log in segment files beside the index.
 *
 * <p>Thread: as for {@link LogStore}.
 */
public final class LocalStore extends LogStore {
    static final String LOG = "log";
    /** A second one hides the latency of the first; more gain nothing on one disk. */
    private static final int READS_AT_ONCE = 2;

    private LocalStore(
            Storage storage,
            Path directory,
            LogConfig logConfig,
            LocalStoreConfig config,
            StoreRuntime runtime,
            IndexDatabase database,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal)
            throws StorageException {
        super(
                storage,
                directory,
                config,
                runtime,
                database,
                pool,
                loop,
                fatal,
                observer -> open(storage, knownLog(storage, directory), logConfig, observer, fatal));
    }

    private static SegmentLog open(
            Storage storage, KnownLog known, LogConfig config, LogObserver observer, Consumer<StorageException> fatal)
            throws StorageException {
        known.check();
        SegmentLog log = SegmentLog.open(storage, config, observer, fatal);
        try {
            known.learn(log.id());
            return log;
        } catch (StorageException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    static KnownLog knownLog(Storage storage, Path directory) {
        return new KnownLog(storage, directory, LOG, INDEX);
    }

    /**
     * Opens the store, made if it is not there. Blocks until it can answer every question.
     *
     * @param directory the node's data directory, which the caller has locked
     * @param epoch the node's epoch
     * @param pool where fragments are read to
     * @param loop where callbacks are posted
     * @param fatal told, on some thread, when the store has died; the node then has to end
     */
    public static LocalStore open(
            Storage storage,
            Path directory,
            long epoch,
            LocalStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal)
            throws StorageException {
        return open(storage, directory, epoch, config, pool, loop, fatal, TransferEvents.NONE);
    }

    /** As the other; {@code events} takes what happens to transfers. */
    public static LocalStore open(
            Storage storage,
            Path directory,
            long epoch,
            LocalStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal,
            TransferEvents events)
            throws StorageException {
        StoreRuntime runtime =
                StoreRuntime.of(new ThreadedDisk("store", READS_AT_ONCE)).withEvents(events);
        IndexDatabase database = indexIn(storage, directory);
        return open(storage, directory, epoch, config, runtime, database, pool, loop, fatal);
    }

    /** As the other, in any process, with the index in {@code database}; {@code runtime} is closed with the store. */
    public static LocalStore open(
            Storage storage,
            Path directory,
            long epoch,
            LocalStoreConfig config,
            StoreRuntime runtime,
            IndexDatabase database,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal)
            throws StorageException {
        LogConfig logConfig = LogConfig.of(directory.resolve(LOG), epoch, "hawser-log-writer", runtime)
                .withSegments(config.segments().sizeBytes(), config.segments().spares());
        LocalStore store = new LocalStore(storage, directory, logConfig, config, runtime, database, pool, loop, fatal);
        store.start();
        return store;
    }

    /** The youngest epoch in which the store in {@code directory} was written to, 0 if there is none; it need not be open. Blocks. */
    public static long writtenEpoch(Storage storage, Path directory) throws StorageException {
        return LogEpochReader.youngest(storage, directory.resolve(LOG));
    }
}
