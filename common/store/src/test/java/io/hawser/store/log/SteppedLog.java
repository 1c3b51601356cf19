package io.hawser.store.log;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.SteppedDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The log that ships, its recovery, writer and format, in steps that a simulator chooses: what is given to {@link #write} is written as one
 * group and waits before its force until {@link #force}.
 *
 * <p>Thread: the simulator's.
 */
public final class SteppedLog {
    private static final int SEGMENT_BLOCKS = 8;

    private final SteppedDisk disk = new SteppedDisk();
    private final SegmentLog log;
    private final List<byte[]> found = new ArrayList<>();
    private boolean awaitsForce;
    private boolean failed;
    private int durable;

    private SteppedLog(Storage storage, Path directory, long epoch) throws StorageException {
        storage.createDirectories(directory);
        LogConfig config = LogConfig.of(directory, epoch, "stepped-log", disk.runtime())
                .withSegments((long) SEGMENT_BLOCKS * LogFormat.BLOCK_BYTES, 0);
        log = SegmentLog.open(storage, config, LogObserver.NONE, cause -> {});
        log.replay(LogPosition.START, record -> found.add(record.body()));
    }

    /** Opens the log as a node does after a crash. */
    public static SteppedLog open(Storage storage, Path directory, long epoch) throws StorageException {
        return new SteppedLog(storage, directory, epoch);
    }

    /** The bodies of all records that the recovery accepted, in their order. */
    public List<byte[]> found() {
        return found;
    }

    /** Whether the recovery found damage where there should be none. */
    public boolean isDamaged() {
        return !log.damages().all().isEmpty();
    }

    /** Writes records; when it returns they are written and wait for the force, wait behind others that do, or have failed. */
    public void write(List<byte[]> bodies) {
        AppendCallback answer = AppendCallback.of((sequence, position) -> durable++, cause -> failed = true);
        bodies.forEach(body -> log.append(1, null, 0, body, answer));
        if (!awaitsForce) {
            step();
        }
    }

    /** Lets the force happen, or fail. What waited then waits for the next force, as does what had no room in the segment. */
    public void force() {
        step();
        if (disk.hasTask()) {
            step();
        }
    }

    private void step() {
        disk.runOne();
        awaitsForce = disk.hasTask();
    }

    /** Whether something that was written waits for a force. */
    public boolean awaitsForce() {
        return awaitsForce;
    }

    /** How many of the records of this life are durable. */
    public int durableCount() {
        return durable;
    }

    public boolean hasFailed() {
        return failed;
    }
}
