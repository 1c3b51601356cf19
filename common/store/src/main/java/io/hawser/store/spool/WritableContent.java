package io.hawser.store.spool;

import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open files of a transfer that is coming in: one object for the time of an upload. It remembers a failure, so that no
 * later write goes to files of which a force failed.
 *
 * <p>Thread: {@link ContentWriter}'s.
 */
final class WritableContent {
    private static final Logger LOG = LoggerFactory.getLogger(WritableContent.class);

    private final ContentFiles files;
    private final TransferKey key;
    private final boolean withData;
    private @Nullable StorageFile data;
    private @Nullable StorageFile leaves;
    private @Nullable StorageException failure;
    private boolean closed;

    /**
     * Creates it; files are opened at the first write.
     *
     * @param withData whether the bytes are kept here; false for a file that is read in place
     */
    WritableContent(ContentFiles files, TransferKey key, boolean withData) {
        this.files = files;
        this.key = key;
        this.withData = withData;
    }

    /** Opens what is not open. Returns whether the directory has to be forced, since files may be new. */
    boolean open() throws StorageException {
        StorageException first = failure;
        if (first != null) {
            throw first;
        }
        if (closed) {
            throw new StorageException(key + ": written to after its end");
        }
        if (leaves != null) {
            return false;
        }
        if (withData && data == null) {
            data = files.openData(key.id(), OpenMode.CREATE);
        }
        leaves = files.openLeaves(key.id(), OpenMode.CREATE);
        return true;
    }

    StorageFile data() {
        StorageFile file = data;
        if (file == null) {
            throw new IllegalStateException("not open");
        }
        return file;
    }

    StorageFile leaves() {
        StorageFile file = leaves;
        if (file == null) {
            throw new IllegalStateException("not open");
        }
        return file;
    }

    boolean withData() {
        return withData;
    }

    TransferKey key() {
        return key;
    }

    @Nullable
    StorageException failure() {
        return failure;
    }

    /** Nothing is written from here on. */
    void fail(StorageException cause) {
        if (failure == null) {
            failure = cause;
            LOG.atError()
                    .addKeyValue("transfer", key)
                    .setCause(cause)
                    .log("The spool could not write a transfer's content; it is given up. Check the disk");
            files.failed(cause);
        }
    }

    void close() {
        closed = true;
        if (data != null) {
            data.close();
        }
        if (leaves != null) {
            leaves.close();
        }
    }
}
