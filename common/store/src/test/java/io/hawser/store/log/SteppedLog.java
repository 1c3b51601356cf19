package io.hawser.store.log;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The log that ships, its recovery, writer and format, in steps that a simulator chooses: what is given to {@link #write} is written as one
 * group and waits before its force until {@link #force}. The writer keeps its thread, but only one of the two threads ever runs, so that a step
 * always does the same.
 *
 * <p>Thread: the simulator's.
 */
public final class SteppedLog {
    private static final int SEGMENT_BLOCKS = 8;

    private final AppendQueue queue = new AppendQueue(1 << 20);
    private final List<byte[]> found = new ArrayList<>();
    private final List<LogDamage> damages = new ArrayList<>();
    private final Thread thread;
    private final Object turn = new Object();
    private boolean parked;
    private boolean go;
    private boolean abandoned;
    private boolean failed;
    private int submitted;
    private int durable;
    private int refused;

    private SteppedLog(Storage storage, Path directory, long epoch) throws StorageException {
        storage.createDirectories(directory);
        LogConfig config = LogConfig.of(directory, epoch, "stepped-log")
                .withSegments((long) SEGMENT_BLOCKS * LogFormat.BLOCK_BYTES, 0)
                .withCrashPoints(this::reached);
        SegmentFiles files = new SegmentFiles(storage, directory);
        LogRecovery.Recovered recovered = new LogRecovery(files, config, damages::add).recover();
        SegmentCatalog catalog = new SegmentCatalog();
        for (LogSegment segment : recovered.segments()) {
            catalog.add(segment);
            readAll(storage, segment, epoch);
        }
        SpareSegments spares = new SpareSegments(files, config);
        LogWriter writer = new LogWriter(
                config,
                recovered.id(),
                files,
                recovered.list(),
                spares,
                catalog,
                queue,
                LogObserver.NONE,
                cause -> {},
                recovered.lastSequence());
        thread = new Thread(writer, "stepped-log");
        thread.setDaemon(true);
    }

    /** Opens the log as a node does after a crash. */
    public static SteppedLog open(Storage storage, Path directory, long epoch) throws StorageException {
        SteppedLog log = new SteppedLog(storage, directory, epoch);
        log.thread.start();
        return log;
    }

    private void readAll(Storage storage, LogSegment segment, long epoch) throws StorageException {
        try (StorageFile file = storage.open(segment.path(), OpenMode.READ, FileIoMode.DIRECT)) {
            new SegmentScanner(file, segment.header(), true, epoch, damages::add)
                    .scan(0, Long.MAX_VALUE, true, record -> found.add(record.body()));
        }
    }

    /** The bodies of all records that the recovery accepted, in their order. */
    public List<byte[]> found() {
        return found;
    }

    /** Whether the recovery found damage where there should be none. */
    public boolean isDamaged() {
        return !damages.isEmpty();
    }

    /** Writes records; returns when they are written and wait for the force, or have failed. */
    public void write(List<byte[]> bodies) {
        submitted += bodies.size();
        synchronized (queue) { // the writer sees them together
            for (byte[] body : bodies) {
                StorageException closed = queue.put(new PendingAppend(1, null, 0, body, null, false, new Answer()));
                if (closed != null) {
                    new Answer().failed(closed);
                }
            }
        }
        awaitTurn();
    }

    /** Lets the force happen; returns when it has, or has failed. A group that ran over a segment's end then waits for the next force. */
    public void force() {
        synchronized (turn) {
            go = true;
            parked = false;
            turn.notifyAll();
        }
        awaitTurn();
    }

    /** Whether something that was written waits for a force. */
    public boolean awaitsForce() {
        synchronized (turn) {
            return parked;
        }
    }

    /** How many of the records of this life are durable. */
    public int durableCount() {
        synchronized (turn) {
            return durable;
        }
    }

    public boolean hasFailed() {
        synchronized (turn) {
            return failed;
        }
    }

    /** The process is dead (its storage has been told so before): ends the thread, which can do nothing any more. */
    public void abandon() {
        synchronized (turn) {
            abandoned = true;
            turn.notifyAll();
        }
        queue.close(new StorageException("the process is dead"));
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the simulation was interrupted", e);
        }
    }

    private void reached(String point) {
        if (!point.equals("log.before-force")) {
            return;
        }
        synchronized (turn) {
            parked = true;
            turn.notifyAll();
            waitWhile(() -> !go && !abandoned);
            go = false;
            parked = false;
        }
    }

    private void awaitTurn() {
        synchronized (turn) {
            waitWhile(() -> !parked && !failed && durable + refused < submitted);
        }
    }

    private interface Condition {
        boolean holds();
    }

    private void waitWhile(Condition condition) {
        try {
            while (condition.holds()) {
                turn.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the simulation was interrupted", e);
        }
    }

    /** Counts. */
    private final class Answer implements AppendCallback {
        @Override
        public void durable(long sequence, LogPosition position) {
            synchronized (turn) {
                durable++;
                turn.notifyAll();
            }
        }

        @Override
        public void failed(StorageException cause) {
            synchronized (turn) {
                refused++;
                failed = true;
                turn.notifyAll();
            }
        }
    }
}
