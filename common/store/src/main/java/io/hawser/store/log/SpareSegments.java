package io.hawser.store.log;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are ready to become segments: zero-filled in the background, or left over from segments that are no longer needed. If
 * there is none, the log grows a new file instead; so nothing here ever delays an append, and nothing here is fatal.
 *
 * <p>Thread: any; the files are filled by a thread of its own, which pauses between writes so that the log goes first.
 */
final class SpareSegments {
    private static final Logger LOG = LoggerFactory.getLogger(SpareSegments.class);
    private static final int FILL_STEP_BYTES = 1 << 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int ROOM_IN_SEGMENTS = 8;
    /** Zero-filling while the log is being written would take the disk from it, and gains little with direct writes. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How many spares are made; more are only kept, when segments are no longer needed. */
    private static final int FILLED_AHEAD = 1;

    private final SegmentFiles files;
    private final LogConfig config;
    private final ArrayDeque<Path> ready = new ArrayDeque<>();
    private long lastName;
    private boolean filling;
    private @Nullable Thread filler;
    private volatile long lastTakenNanos = System.nanoTime() - QUIET_NANOS;
    private volatile boolean stopped;

    SpareSegments(SegmentFiles files, LogConfig config) throws StorageException {
        this.files = files;
        this.config = config;
        for (String name : files.storage().list(files.directory())) {
            if (name.startsWith(SegmentFiles.SPARE_PREFIX)) {
                adopt(files.directory().resolve(name), name);
            }
        }
    }

    private void adopt(Path path, String name) throws StorageException {
        if (ready.size() >= config.spareSegments() || files.sizeBytes(path) != config.segmentSizeBytes()) {
            files.storage().delete(path);
            return;
        }
        ready.add(path);
        try {
            lastName = Math.max(lastName, Long.parseLong(name.substring(SegmentFiles.SPARE_PREFIX.length())));
        } catch (NumberFormatException e) {
            LOG.atDebug().addKeyValue("file", name).log("A spare with an unusual name is used all the same");
        }
    }

    /** A file to use, or null if none is ready; asks for another one to be made. A deleted one is skipped. */
    synchronized @Nullable Path take() throws StorageException {
        Path path = ready.poll();
        while (path != null && files.sizeBytes(path) != config.segmentSizeBytes()) {
            LOG.atWarn().addKeyValue("file", path).log("A spare segment is gone or was cut; the log does without it");
            path = ready.poll();
        }
        lastTakenNanos = System.nanoTime();
        if (ready.size() < filledAhead() && !filling && !stopped) {
            filling = true;
            Thread next = new Thread(this::fill, config.threadName() + "-spare");
            next.setDaemon(true);
            next.start();
            filler = next;
        }
        return path;
    }

    /** Keeps the file of a segment that is no longer needed, or deletes it. Durable when it returns. */
    void recycle(Path path, long sizeBytes) throws StorageException {
        Path spare = null;
        synchronized (this) {
            if (!stopped && sizeBytes == config.segmentSizeBytes() && ready.size() < config.spareSegments()) {
                spare = nextName();
            }
        }
        if (spare == null) {
            files.delete(path);
            return;
        }
        files.storage().rename(path, spare);
        files.storage().forceDirectory(files.directory());
        synchronized (this) {
            ready.add(spare);
        }
    }

    private synchronized Path nextName() {
        lastName++;
        return files.directory().resolve(SegmentFiles.SPARE_PREFIX + lastName);
    }

    synchronized long sizeBytes() {
        return ready.size() * config.segmentSizeBytes();
    }

    /** Makes no more. When it returns nothing here touches the directory, which may be another process's then. */
    void stop() {
        Thread last;
        synchronized (this) {
            stopped = true;
            last = filler;
        }
        if (last != null) {
            LockSupport.unpark(last);
            UninterruptibleJoin.await(last);
        }
    }

    private synchronized boolean wantsMore() {
        filling = !stopped && ready.size() < filledAhead();
        return filling;
    }

    private int filledAhead() {
        return Math.min(FILLED_AHEAD, config.spareSegments());
    }

    private void awaitQuiet() {
        while (!stopped && System.nanoTime() - lastTakenNanos < QUIET_NANOS) {
            LockSupport.parkNanos(QUIET_NANOS / 4);
        }
    }

    private void fill() {
        try {
            awaitQuiet();
            while (wantsMore()) {
                Path spare = nextName();
                Path temporary = spare.resolveSibling(spare.getFileName() + ".tmp");
                if (!fillOne(temporary)) {
                    giveUp();
                    return;
                }
                files.storage().rename(temporary, spare);
                files.storage().forceDirectory(files.directory());
                synchronized (this) {
                    ready.add(spare);
                }
            }
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("No spare segment could be made; the log grows as it is written");
            giveUp();
        }
    }

    private synchronized void giveUp() {
        filling = false; // asked again when the next segment begins
    }

    private boolean fillOne(Path path) throws StorageException {
        Storage storage = files.storage();
        if (storage.usableSpaceBytes(files.directory()) < ROOM_IN_SEGMENTS * config.segmentSizeBytes()) {
            return false;
        }
        try (StorageFile file = storage.open(path, OpenMode.CREATE_NEW, FileIoMode.DIRECT)) {
            ByteBuffer zeroes = ByteBuffer.allocate((int) Math.min(FILL_STEP_BYTES, config.segmentSizeBytes()));
            for (long offset = 0; offset < config.segmentSizeBytes(); offset += zeroes.capacity()) {
                if (stopped) {
                    break;
                }
                zeroes.clear().limit((int) Math.min(zeroes.capacity(), config.segmentSizeBytes() - offset));
                file.write(zeroes, offset);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            file.force(true);
        }
        if (stopped) {
            storage.delete(path);
            return false;
        }
        return true;
    }
}
