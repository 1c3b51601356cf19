package io.hawser.broker.store.local;

import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.log.LogConfig;
import io.hawser.common.log.SegmentLog;
import io.hawser.common.log.WrittenEpochs;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The store on this machine: its log lies in files beside the index.
 *
 * <p>Thread: as for {@link LogStore}.
 */
public final class LocalStore extends LogStore {
    private static final String LOG = "log";

    private LocalStore(
            Storage storage,
            Path directory,
            LogConfig logConfig,
            LocalStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal)
            throws StorageException {
        super(
                storage,
                directory,
                config,
                pool,
                loop,
                fatal,
                observer -> SegmentLog.open(storage, logConfig, observer, fatal));
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
        LogConfig logConfig = LogConfig.of(directory.resolve(LOG), epoch, "hawser-log-writer")
                .withSegments(config.segments().sizeBytes(), config.segments().spares())
                .withCrashPoints(config.crashPoints());
        LocalStore store = new LocalStore(storage, directory, logConfig, config, pool, loop, fatal);
        store.start();
        return store;
    }

    /** The youngest epoch in which the store in {@code directory} was written to, 0 if there is none; it need not be open. Blocks. */
    public static long writtenEpoch(Storage storage, Path directory) throws StorageException {
        return WrittenEpochs.youngest(storage, directory.resolve(LOG));
    }
}
