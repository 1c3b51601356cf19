package io.hawser.store.log;

import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads a segment's file from front to back through a window of bounded size, in whole blocks. What is read on from about where
 * the last read ended is read more of at a time: small records lie close to each other, and many small reads take much longer
 * than few large ones. After a payload that is skipped it begins with little again.
 *
 * <p>Thread: its creator.
 */
final class SegmentWindow {
    private final StorageFile file;
    private final long fileSize;
    private final ByteBuffer window;
    private final int leastBytes;
    private int readBytes;
    private long windowStart;

    /** A window of one size in memory of its own. */
    SegmentWindow(StorageFile file, int windowBytes) throws StorageException {
        this(file, ByteBuffer.allocate(windowBytes), windowBytes);
    }

    /**
     * A window that grows while the file is read on and on.
     *
     * @param memory where it lies, whole blocks; no other class uses it meanwhile
     * @param leastBytes how much is read at a time at first, whole blocks
     */
    SegmentWindow(StorageFile file, ByteBuffer memory, int leastBytes) throws StorageException {
        this.file = file;
        this.fileSize = file.sizeBytes();
        this.window = memory.clear().limit(0);
        this.leastBytes = leastBytes;
        this.readBytes = leastBytes;
    }

    /** Memory for windows over files that are read past the page cache, one after the other. */
    static ByteBuffer memory(int lengthBytes) {
        return ByteBuffer.allocateDirect(lengthBytes + LogFormat.BLOCK_BYTES)
                .alignedSlice(LogFormat.BLOCK_BYTES)
                .slice(0, lengthBytes);
    }

    long fileSize() {
        return fileSize;
    }

    /** Makes {@code [offset, offset + length)} available, and returns its place in {@link #bytes()}; -1 past the file's end. */
    int locate(long offset, int length) throws StorageException {
        if (offset + length > fileSize) {
            return -1;
        }
        if (offset < windowStart || offset + length > windowStart + window.limit()) {
            long end = windowStart + window.limit();
            windowStart = offset / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES;
            window.clear().limit(nextReadBytes(end, (int) (offset - windowStart) + length));
            file.read(window, windowStart);
            window.flip();
        }
        int at = (int) (offset - windowStart);
        return at + length <= window.limit() ? at : -1;
    }

    private int nextReadBytes(long lastEnd, int needed) {
        boolean readsOn = lastEnd > 0
                && windowStart >= lastEnd - window.capacity()
                && windowStart <= lastEnd + LogFormat.MAX_PACKED_PAYLOAD_BYTES;
        readBytes = readsOn ? Math.min(2 * readBytes, window.capacity()) : leastBytes;
        return Math.max(readBytes, Math.min(LogFormat.roundUp(needed, LogFormat.BLOCK_BYTES), window.capacity()));
    }

    ByteBuffer bytes() {
        return window;
    }

    /** Copies bytes out; false if the file ends before. */
    boolean copy(long offset, byte[] into) throws StorageException {
        int done = 0;
        while (done < into.length) {
            int step = step(offset + done, into.length - done);
            int at = locate(offset + done, step);
            if (at < 0) {
                return false;
            }
            window.get(at, into, done, step);
            done += step;
        }
        return true;
    }

    /** CRC32C of a range, or -1 if the file ends before. */
    long crc32c(long offset, int length) throws StorageException {
        CRC32C crc = new CRC32C();
        int done = 0;
        while (done < length) {
            int step = step(offset + done, length - done);
            int at = locate(offset + done, step);
            if (at < 0) {
                return -1;
            }
            crc.update(window.slice(at, step));
            done += step;
        }
        return crc.getValue();
    }

    /** The first place at or after {@code from}, in steps of {@code step} bytes, that holds {@code wanted}; -1 if none does. */
    long find(int wanted, long from, int step) throws StorageException {
        long offset = from;
        int at = locate(offset, step);
        while (at >= 0) {
            int end = window.limit() - step;
            int found = indexOf(window, wanted, at, end, step);
            if (found >= 0) {
                return windowStart + found;
            }
            offset += (end - at) / step * (long) step + step;
            at = locate(offset, step);
        }
        return -1;
    }

    private static int indexOf(ByteBuffer bytes, int wanted, int from, int last, int step) {
        for (int i = from; i <= last; i += step) {
            if (bytes.getInt(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** As much as is in the window already, or fits it when it is filled anew. */
    private int step(long offset, int wanted) {
        long here = windowStart + window.limit() - offset;
        if (offset >= windowStart && here > 0) {
            return (int) Math.min(here, wanted);
        }
        return Math.min(wanted, window.capacity() - LogFormat.BLOCK_BYTES);
    }
}
