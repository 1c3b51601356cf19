package io.hawser.store.log;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log's file {@code segments}: it tells a segment that the log deleted from one that the disk lost. Two entries of a block each take
 * turns, so that a crash in the middle of a write leaves the other one, and so that a full disk does not hinder a deletion.
 *
 * <p>Order: a segment's name is durable before the entry that lists it, and that entry before any record in the segment; the entry that no
 * longer lists a segment is durable before the segment's file goes. One force for each new segment, each deletion and the orderly end.
 *
 * <p>Thread: any.
 */
final class SegmentListFile {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentListFile.class);
    static final String FILE = "segments";
    private static final int ENTRIES = 2;

    private final SegmentFiles files;
    private final Path path;
    private SegmentListEntry current;
    private @Nullable StorageException failure;

    private SegmentListFile(SegmentFiles files, SegmentListEntry current) {
        this.files = files;
        this.path = pathOf(files);
        this.current = current;
    }

    static Path pathOf(SegmentFiles files) {
        return files.directory().resolve(FILE);
    }

    /** The newest whole entry; null if the file is not there or has none. */
    static @Nullable SegmentListEntry read(SegmentFiles files) throws StorageException {
        if (!exists(files)) {
            return null;
        }
        SegmentListEntry newest = null;
        try (StorageFile file = files.storage().open(pathOf(files), OpenMode.READ, FileIoMode.DIRECT)) {
            for (int i = 0; i < ENTRIES; i++) {
                ByteBuffer block = ByteBuffer.allocate(LogFormat.BLOCK_BYTES);
                file.read(block, (long) i * LogFormat.BLOCK_BYTES);
                SegmentListEntry entry = SegmentListEntry.tryRead(block.flip(), pathOf(files));
                if (entry != null && (newest == null || entry.generation() > newest.generation())) {
                    newest = entry;
                }
            }
        }
        return newest;
    }

    static boolean exists(SegmentFiles files) throws StorageException {
        return files.storage().facts(pathOf(files)) != null;
    }

    /** Writes the next entry after {@code found}. */
    static SegmentListFile continued(SegmentFiles files, SegmentListEntry found, SegmentListEntry next)
            throws StorageException {
        SegmentListFile list = new SegmentListFile(files, found);
        list.write(next);
        return list;
    }

    /** Makes the file, in place of one that cannot be used. */
    static SegmentListFile made(SegmentFiles files, SegmentListEntry listing) throws StorageException {
        make(files, listing);
        return new SegmentListFile(files, listing);
    }

    private static void make(SegmentFiles files, SegmentListEntry listing) throws StorageException {
        Path fresh = files.directory().resolve(FILE + SegmentFiles.TEMPORARY);
        try (StorageFile file = files.opened(fresh, OpenMode.CREATE_NEW)) {
            file.write(listing.toBlock(), place(listing));
            file.write(ByteBuffer.allocate(LogFormat.BLOCK_BYTES), place(listing.after(1, 0, 0)));
            file.force(true);
        }
        files.storage().rename(fresh, pathOf(files));
        files.forceWhenPossible();
    }

    private static long place(SegmentListEntry entry) {
        return entry.generation() % ENTRIES * LogFormat.BLOCK_BYTES;
    }

    /** A segment has its name and is about to be written to; all before it is sealed and ends with {@code lastRecord}. */
    synchronized void begun(long number, long lastRecord) throws StorageException {
        write(current.after(current.first(), number, lastRecord));
    }

    /** A segment is about to be deleted. */
    synchronized void deleting(long number) throws StorageException {
        if (number >= current.first()) {
            write(current.after(number + 1, current.last(), current.lastRecord()));
        }
    }

    /** The log is closed in good order after {@code lastRecord}. */
    synchronized void closed(long lastRecord) throws StorageException {
        write(current.after(current.first(), current.last(), lastRecord));
    }

    private void write(SegmentListEntry next) throws StorageException {
        if (failure != null) {
            throw failure; // a force that is repeated after a failed one proves nothing
        }
        if (!exists(files)) {
            LOG.atWarn().addKeyValue("file", path).log("The list of the log's segments was deleted; it is made again");
            make(files, next);
            current = next;
            return;
        }
        try (StorageFile file = files.opened(path, OpenMode.UPDATE)) {
            try {
                file.write(next.toBlock(), place(next));
                file.force(false);
            } catch (StorageException e) {
                failure = e;
                throw e;
            }
        }
        current = next;
    }
}
