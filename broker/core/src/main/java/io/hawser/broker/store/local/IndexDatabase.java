package io.hawser.broker.store.local;

import io.hawser.store.storage.StorageException;
import java.sql.Connection;

/**
 * Where the index's database lies: in files beside the log, see {@link IndexFiles}, or in memory where a disk is simulated.
 *
 * <p>Thread: index only.
 */
public interface IndexDatabase {
    /** Prepares the place. Returns whether nothing is there yet. */
    boolean prepare() throws StorageException;

    /**
     * Opens the database, made if it is not there; several times at once is allowed.
     *
     * @param settings what follows the URL, such as {@code ;IFEXISTS=TRUE}; may be empty
     * @throws IndexFailedException if it cannot be opened
     */
    Connection connect(String settings);

    /** Keeps others from reading what {@link #connect} has made. */
    void protect() throws StorageException;

    /** Keeps the database under another name, or drops it; what a database leaves beside it goes. */
    void moveAside() throws StorageException;
}
