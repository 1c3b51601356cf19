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
 * @param isNewLog no record was ever in the log, so that none was lost: a first start may have been cut short
 */
public record OrphanGuard(Storage storage, Path node, boolean isNewLog) {
    private static final String FILE = "keep-orphans";
    private static final String TEXT =
            "The journal has lost records. Files that none of the others speaks of are kept. Delete this file when you need none of them.\n";

    /** The guard over what a log's records speak of. To be called before the log is opened. */
    public static OrphanGuard of(KnownLog log) throws StorageException {
        return new OrphanGuard(log.storage(), log.node(), !log.isKnown() && !log.hasSegments());
    }

    /**
     * Whether they are kept.
     *
     * @param mayLackRecords whether the log has lost records, as far as it shows now
     */
    public boolean keeps(boolean mayLackRecords) throws StorageException {
        boolean isMarked = isMarked();
        boolean areLost = mayLackRecords && !isNewLog;
        if (areLost && !isMarked) {
            storage.replaceAll(path(), TEXT.getBytes(StandardCharsets.US_ASCII));
        }
        return areLost || isMarked;
    }

    /** Whether a start has found that the log had lost records. */
    boolean isMarked() throws StorageException {
        return storage.facts(path()) != null;
    }

    private Path path() {
        return node.resolve(FILE);
    }
}
