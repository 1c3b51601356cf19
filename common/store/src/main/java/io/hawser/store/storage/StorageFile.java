package io.hawser.store.storage;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open file, read and written at positions.
 *
 * <p>After a failed write, truncate or force it is dead: it keeps the first exception and throws it at every later write,
 * truncate and force. A failed read leaves it as it was.
 *
 * <p>Thread: any for reads; writes, truncate and force by one owner at a time.
 */
public interface StorageFile extends AutoCloseable {
    /** Where it was opened. */
    Path path();

    /**
     * Whether bytes go past the page cache: then positions and lengths are multiples of the block size, and so is the address
     * of a direct buffer. A heap buffer costs a copy.
     */
    boolean direct();

    /**
     * Reads from {@code position} until {@code into} is full or the file ends.
     *
     * @return how many bytes were read; 0 at or past the end
     */
    int read(ByteBuffer into, long position) throws StorageException;

    /** Writes all that remains in {@code from} at {@code position}, or dies. */
    void write(ByteBuffer from, long position) throws StorageException;

    /**
     * Makes what was written durable ({@code fdatasync}), or dies.
     *
     * @param metadata also the times and everything else of the file ({@code fsync}). The length is forced either way
     */
    void force(boolean metadata) throws StorageException;

    /** Cuts the file to {@code sizeBytes}, or dies. A longer length leaves it as it is. */
    void truncate(long sizeBytes) throws StorageException;

    /** The file's length. */
    long sizeBytes() throws StorageException;

    /** What killed it, or null while it lives. */
    @Nullable
    StorageException failure();

    /** Closes it. What was not forced may be lost. Idempotent; a failure to close is logged, since nothing can follow from it. */
    @Override
    void close();
}
