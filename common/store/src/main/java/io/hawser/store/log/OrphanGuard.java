package io.hawser.store.log;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Keeps the files that no record speaks of: a record that the log has lost may have spoken of them. The file {@code keep-orphans} in the
 * node's directory says so until an operator deletes it, since a log looks sound again when its damaged segment has been cleaned away.
 *
 * <p>Thread: any; calls block.
 *
 * @param node the node's directory
 */
public record OrphanGuard(Storage storage, Path node) {
    private static final String FILE = "keep-orphans";
    private static final String TEXT =
            "The journal has lost records. Files that none of the others speaks of are kept. Delete this file when you need none of them.\n";

    /**
     * Whether they are kept.
     *
     * @param mayLackRecords whether the log has lost records, as far as it shows now
     */
    public boolean keeps(boolean mayLackRecords) throws StorageException {
        boolean isMarked = isMarked();
        if (mayLackRecords && !isMarked) {
            storage.replaceAll(path(), TEXT.getBytes(StandardCharsets.US_ASCII));
        }
        return mayLackRecords || isMarked;
    }

    /** Whether a start has found that the log had lost records. */
    boolean isMarked() throws StorageException {
        return storage.facts(path()) != null;
    }

    private Path path() {
        return node.resolve(FILE);
    }
}
