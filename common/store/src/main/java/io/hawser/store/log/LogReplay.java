package io.hawser.store.log;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows records in their order on the caller's thread, while a disk thread reads ahead of it: the disk and who takes the
 * records work at the same time. What is ahead is bounded in number and bytes. Where no two tasks run at once, nothing is read ahead.
 *
 * <p>Thread: its creator; the reading is on {@code hawser-log-replay}.
 */
final class LogReplay {
    private static final int BATCH_RECORDS = 1_000;
    private static final int BATCH_BODY_BYTES = 256 << 10;
    private static final int MAX_WAITING_BATCHES = 3;

    private final DiskExecutor disk;
    private final Source source;
    private final ArrayDeque<List<LogRecord>> waiting = new ArrayDeque<>();
    private List<LogRecord> batch = new ArrayList<>(BATCH_RECORDS);
    private int batchBodyBytes;
    private boolean ended;
    private boolean stopped;
    private boolean interrupted;
    private @Nullable Throwable failure;

    LogReplay(DiskExecutor disk, Source source) {
        this.disk = disk;
        this.source = source;
    }

    /** Where the records come from. */
    @FunctionalInterface
    interface Source {
        /** Shows all of them, in order. */
        void readAll(RecordVisitor visitor) throws StorageException;
    }

    /** The caller of {@link #run} stopped it. */
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the replay was stopped", null, false, false);
        }
    }

    /** Shows all records that the source has, then fails as it did, if it did. Blocks. */
    void run(RecordVisitor visitor) throws StorageException {
        if (!disk.isConcurrent()) {
            source.readAll(visitor);
            return;
        }
        try (SerialQueue reader = disk.serial(Lane.JOURNAL, "hawser-log-replay")) {
            reader.execute(this::read);
            takeAll(visitor);
        }
        rethrow();
    }

    private void takeAll(RecordVisitor visitor) throws StorageException {
        try {
            for (List<LogRecord> next = take(); next != null; next = take()) {
                for (LogRecord record : next) {
                    visitor.record(record);
                }
            }
        } finally {
            stop();
        }
    }

    private void read() {
        Throwable thrown = null;
        try {
            source.readAll(this::add);
            handOver();
        } catch (StorageException | RuntimeException | Error e) {
            thrown = e;
        }
        synchronized (waiting) {
            failure = thrown;
            ended = true;
            waiting.notifyAll();
        }
    }

    private void add(LogRecord record) {
        batch.add(record);
        batchBodyBytes += record.body().length;
        if (batch.size() >= BATCH_RECORDS || batchBodyBytes >= BATCH_BODY_BYTES) {
            handOver();
        }
    }

    private void handOver() {
        synchronized (waiting) {
            waitWhile(() -> waiting.size() >= MAX_WAITING_BATCHES && !stopped);
            if (stopped) {
                throw new StoppedException();
            }
            waiting.add(batch);
            waiting.notifyAll();
        }
        batch = new ArrayList<>(BATCH_RECORDS);
        batchBodyBytes = 0;
    }

    /** The next batch, or null after the last. */
    private @Nullable List<LogRecord> take() {
        synchronized (waiting) {
            waitWhile(() -> waiting.isEmpty() && !ended);
            List<LogRecord> next = waiting.poll();
            waiting.notifyAll();
            return next;
        }
    }

    /** The reader has a file open, and is in the middle of a read perhaps: it is not interrupted, but waited for. */
    private void stop() {
        synchronized (waiting) {
            stopped = true;
            waiting.notifyAll();
            waitWhile(() -> !ended);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // Called with the lock.
    private void waitWhile(BooleanSupplier condition) {
        while (condition.getAsBoolean()) {
            try {
                waiting.wait();
            } catch (InterruptedException e) {
                interrupted = true; // kept for the caller
            }
        }
    }

    private void rethrow() throws StorageException {
        Throwable thrown;
        synchronized (waiting) {
            thrown = failure;
        }
        if (thrown instanceof StorageException storage) {
            throw storage;
        }
        if (thrown instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }
}
