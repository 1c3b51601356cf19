package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.StorageException;
import java.io.IOException;

/**
 * The bytes of an upload: a complete object, or the beginning of one that is still arriving.
 *
 * <p>Thread: any.
 */
interface UploadSource extends AutoCloseable {
    /** Not known yet, see {@link #sizeBytes}. */
    long UNKNOWN = -1;

    /** The size of the whole object, or {@link #UNKNOWN}. */
    long sizeBytes();

    /**
     * The end of the bytes after {@code position} that may be read. Waits a while if there are none.
     *
     * @param waiting called repeatedly during the wait
     * @return {@code position} or less if this attempt ends there
     */
    long awaitReadable(long position, Runnable waiting) throws IOException;

    /** Reads up to {@code length} bytes at {@code position}, which must be readable, into {@code into}; returns how many, at least one. */
    int read(byte[] into, long position, int length) throws StorageException;

    @Override
    void close();
}
