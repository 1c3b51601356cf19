package io.hawser.store.log;

import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are ready to become segments: zero-filled in the background, or left over from segments that are no longer needed. If
 * there is none, the log grows a new file instead; so nothing here ever delays an append, and nothing here is fatal.
 *
 * <p>Thread: any; a file is filled by tasks of a serial queue, each of which writes a piece. They pause so that the log goes first.
 */
final class SpareSegments {
    private static final Logger LOG = LoggerFactory.getLogger(SpareSegments.class);
    private static final int FILL_STEP_BYTES = 1 << 20;
    private static final Duration PAUSE = Duration.ofMillis(4);
    private static final int ROOM_IN_SEGMENTS = 8;
    /** Zero-filling while the log is being written would take the disk from it, and gains little with direct writes. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** How many spares are made; more are only kept, when segments are no longer needed. */
    private static final int FILLED_AHEAD = 1;

    private final SegmentFiles files;
    private final LogConfig config;
    private final ArrayDeque<Path> ready = new ArrayDeque<>();
    private final SerialQueue filler;
    private long lastName;
    /** Whether the filler works, or will by itself. */
    private boolean filling;

    private long lastTakenNanos;
    private boolean stopped;
    /** What the filler writes; its own. */
    private @Nullable Unfinished unfinished;

    private static final class Unfinished {
        final Path spare;
        final Path temporary;
        final StorageFile file;
        final ByteBuffer zeroes;
        long filledBytes;

        Unfinished(Storage storage, Path spare, int pieceBytes) throws StorageException {
            this.spare = spare;
            this.temporary = spare.resolveSibling(spare.getFileName() + ".tmp");
            this.file = storage.open(temporary, OpenMode.CREATE_NEW, FileIoMode.DIRECT);
            this.zeroes = ByteBuffer.allocate(pieceBytes);
        }
    }

    SpareSegments(SegmentFiles files, LogConfig config) throws StorageException {
        this.files = files;
        this.config = config;
        this.filler = config.runtime().disk().serial(Lane.JOURNAL, config.threadName() + "-spare");
        this.lastTakenNanos = config.runtime().nowNanos() - QUIET.toNanos();
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
        lastTakenNanos = config.runtime().nowNanos();
        if (ready.size() < filledAhead() && !filling && !stopped) {
            filling = true;
            filler.execute(this::fill);
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
        synchronized (this) {
            stopped = true;
            if (filling) {
                filler.execute(this::giveUp);
            }
        }
        filler.close();
    }

    private int filledAhead() {
        return Math.min(FILLED_AHEAD, config.spareSegments());
    }

    private synchronized boolean isQuiet() {
        return config.runtime().nowNanos() - lastTakenNanos >= QUIET.toNanos();
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    /** Begins a file, or writes a piece of it. */
    private void fill() {
        if (isStopped()) {
            return; // stop() has what is unfinished removed
        }
        try {
            Unfinished begun = unfinished;
            if (begun == null && !isQuiet()) {
                fillAfter(QUIET.dividedBy(4));
            } else if (begun == null && !begin()) {
                giveUp();
            } else if (begun == null || begun.filledBytes < config.segmentSizeBytes()) {
                writePiece(Objects.requireNonNull(unfinished));
                fillAfter(PAUSE);
            } else {
                finish(begun);
            }
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("No spare segment could be made; the log grows as it is written");
            giveUp();
        }
    }

    private void fillAfter(Duration pause) {
        config.runtime().disk().after(pause, () -> filler.execute(this::fill));
    }

    private boolean begin() throws StorageException {
        Storage storage = files.storage();
        if (storage.usableSpaceBytes(files.directory()) < ROOM_IN_SEGMENTS * config.segmentSizeBytes()) {
            return false;
        }
        unfinished = new Unfinished(storage, nextName(), (int) Math.min(FILL_STEP_BYTES, config.segmentSizeBytes()));
        return true;
    }

    private void writePiece(Unfinished begun) throws StorageException {
        long left = config.segmentSizeBytes() - begun.filledBytes;
        begun.zeroes.clear().limit((int) Math.min(begun.zeroes.capacity(), left));
        begun.file.write(begun.zeroes, begun.filledBytes);
        begun.filledBytes += begun.zeroes.limit();
    }

    private void finish(Unfinished full) throws StorageException {
        full.file.force(true);
        full.file.close();
        unfinished = null;
        files.storage().rename(full.temporary, full.spare);
        files.storage().forceDirectory(files.directory());
        synchronized (this) {
            ready.add(full.spare);
            filling = ready.size() < filledAhead();
            if (filling) {
                filler.execute(this::fill);
            }
        }
    }

    /** Asked again when the next segment begins. */
    private void giveUp() {
        Unfinished rest = unfinished;
        unfinished = null;
        if (rest != null) {
            rest.file.close();
            try {
                files.storage().delete(rest.temporary);
            } catch (StorageException e) {
                LOG.atWarn()
                        .setCause(e)
                        .log("An unfinished spare segment could not be removed; the next start does it");
            }
        }
        synchronized (this) {
            filling = false;
        }
    }
}
