package io.hawser.store.log;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files of segments that are open for reading: a bounded number, the one used longest ago goes first.
 *
 * <p>Thread: any. Opening and closing happens under the lock; reads do not.
 */
final class SegmentHandles implements AutoCloseable {
    private static final int MAX_OPEN = 32;

    private final Storage storage;
    private final SegmentCatalog catalog;
    private final Map<Long, Handle> open = new LinkedHashMap<>(MAX_OPEN, 0.75f, true);
    private boolean closed;

    SegmentHandles(Storage storage, SegmentCatalog catalog) {
        this.storage = storage;
        this.catalog = catalog;
    }

    /** A file in use; closing returns it. */
    final class Handle implements AutoCloseable {
        private final LogSegment segment;
        private final StorageFile file;
        private int users;
        private boolean doomed;

        Handle(LogSegment segment, StorageFile file) {
            this.segment = segment;
            this.file = file;
        }

        LogSegment segment() {
            return segment;
        }

        StorageFile file() {
            return file;
        }

        @Override
        public void close() {
            giveBack(this);
        }
    }

    synchronized Handle acquire(long number) throws StorageException {
        LogSegment segment = catalog.get(number);
        if (segment == null || closed) {
            throw new PathMissingException("segment " + number + " of the log is no longer there");
        }
        Handle handle = open.get(number);
        if (handle == null) {
            handle = new Handle(segment, storage.open(segment.path(), OpenMode.READ, FileIoMode.DIRECT));
            handle.users++; // first: an unused file may be closed
            open.put(number, handle);
            closeEldest();
        } else {
            handle.users++;
        }
        return handle;
    }

    private void closeEldest() {
        Iterator<Handle> eldest = open.values().iterator();
        while (open.size() > MAX_OPEN && eldest.hasNext()) {
            Handle handle = eldest.next();
            if (handle.users == 0) {
                handle.file.close();
                eldest.remove();
            }
        }
    }

    private synchronized void giveBack(Handle handle) {
        handle.users--;
        if (handle.users == 0 && handle.doomed) {
            handle.file.close();
        }
    }

    /** The segment is gone: its file is closed when the last read of it ends. */
    synchronized void forget(long number) {
        Handle handle = open.remove(number);
        if (handle != null) {
            doom(handle);
        }
    }

    private static void doom(Handle handle) {
        handle.doomed = true;
        if (handle.users == 0) {
            handle.file.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.values().forEach(SegmentHandles::doom);
        open.clear();
    }
}
