package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.StorageException;
import java.io.IOException;

/**
 * The bytes of an upload: an object that is complete, or the beginning of one that is still coming in.
 *
 * <p>Thread: any.
 */
interface UploadSource extends AutoCloseable {
    /** As yet unknown, see {@link #sizeBytes}. */
    long UNKNOWN = -1;

    /** The size of the whole object, or {@link #UNKNOWN}. */
    long sizeBytes();

    /**
     * Up to where bytes behind {@code position} may be read. Waits for more as long as that makes sense.
     *
     * @param waiting called now and then during the wait
     * @return {@code position} or less if this attempt ends there
     */
    long readableBeyond(long position, Runnable waiting) throws IOException;

    /** Reads up to {@code length} bytes at {@code position}, which may be read, into {@code into}; returns how many, at least one. */
    int read(byte[] into, long position, int length) throws StorageException;

    @Override
    void close();
}
