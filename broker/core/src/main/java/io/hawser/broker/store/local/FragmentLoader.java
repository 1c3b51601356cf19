package io.hawser.broker.store.local;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordLog;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads fragments from the log into buffers of the pool, and verifies them.
 *
 * <p>Thread: any asks; it reads, and calls back, on disk threads.
 */
final class FragmentLoader {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentLoader.class);

    private final RecordLog log;
    private final FragmentBufferPool pool;
    private final DiskExecutor disk;

    FragmentLoader(RecordLog log, FragmentBufferPool pool, DiskExecutor disk) {
        this.log = log;
        this.pool = pool;
        this.disk = disk;
    }

    /**
     * Loads the fragment whose record is at {@code position}; waits for a buffer if none is free. The callback owns one
     * reference of the buffer. {@code NOT_FOUND} means that the segment is gone.
     */
    void load(TransferKey key, long index, LogPosition position, int expectedLength, Outcome.Callback<Fragment> done) {
        if (!disk.execute(Lane.CONTENT, () -> loadNow(key, index, position, expectedLength, done))) {
            done.accept(Outcome.refused(ErrorCode.STOPPING, "the store is closed"));
        }
    }

    private void loadNow(
            TransferKey key, long index, LogPosition position, int expectedLength, Outcome.Callback<Fragment> done) {
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            pool.whenAvailable(() -> load(key, index, position, expectedLength, done));
            return;
        }
        try {
            done.accept(Outcome.of(read(key, index, position, expectedLength, buffer)));
        } catch (PathMissingException e) {
            buffer.release();
            done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "fragment " + index + " is no longer in the log"));
        } catch (CannotOpenNowException e) {
            buffer.release();
            done.accept(Outcome.refused(
                    ErrorCode.STOPPING, "fragment " + index + " cannot be read now: " + e.getMessage()));
        } catch (StorageException e) {
            buffer.release();
            log.damages().unreadable(position, expectedLength);
            LOG.atError()
                    .addKeyValue("transfer", key)
                    .addKeyValue("fragment", index)
                    .addKeyValue("position", position)
                    .setCause(e)
                    .log("A fragment cannot be read from the log");
            done.accept(Outcome.refused(
                    ErrorCode.STORAGE_FAILED,
                    "fragment " + index + " is damaged in the broker's log: " + e.getMessage()));
        }
    }

    /** The segment of a fragment that is still needed is gone. Returns what is said of it. */
    String missing(TransferKey key, long index, LogPosition position, int expectedLength) {
        log.damages().unreadable(position, expectedLength);
        LOG.atError()
                .addKeyValue("transfer", key)
                .addKeyValue("fragment", index)
                .addKeyValue("position", position)
                .log(
                        "The segment with a fragment that is still needed is gone from the log. Restore it, and check the disk");
        return "the segment with fragment " + index + " is gone from the broker's log";
    }

    private Fragment read(TransferKey key, long index, LogPosition position, int expectedLength, FragmentBuffer buffer)
            throws StorageException {
        LogRecord record = log.read(position, expectedLength, buffer);
        if (!key.equals(record.key()) || record.index() != index) {
            throw new CorruptRecordException("at " + position + " there is fragment " + record.index() + " of "
                    + record.key() + ", not fragment " + index + " of " + key);
        }
        return new Fragment(key, index, record.payloadLength(), record.payloadCrc32c(), record.leaf(), buffer, 0);
    }
}
