package io.hawser.store.storage;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the directories that a node uses are still the ones that it opened: one that was removed, replaced or unmounted is not
 * noticed by files that are open, and what is written to these is lost.
 *
 * <p>Thread: one at a time.
 */
public final class DirectoryLossDetector {
    private static final String LOCK_FILE = "lock";

    private final Storage storage;
    /** Device and inode of each. */
    private final Map<Path, String> seen = new LinkedHashMap<>();

    public DirectoryLossDetector(Storage storage) {
        this.storage = storage;
    }

    /** From here on {@code directory} has to stay. */
    public void add(Path directory) throws StorageException {
        remember(directory.resolve(".")); // also where the last name of it is a symbolic link
    }

    private void remember(Path path) throws StorageException {
        FileFacts facts = storage.facts(path);
        if (facts != null) {
            seen.put(path, facts.fileKey());
        }
    }

    /** The same of a node's data directory, with its lock and the directories in it. */
    public void addData(Path directory) throws StorageException {
        add(directory);
        for (String name : storage.list(directory)) {
            Path path = directory.resolve(name);
            FileFacts facts = storage.facts(path);
            if (facts != null && (facts.isDirectory() || name.equals(LOCK_FILE))) {
                remember(path);
            }
        }
    }

    /** What is wrong, or null. */
    public @Nullable DirectoryGoneException look() {
        for (Map.Entry<Path, String> entry : seen.entrySet()) {
            String problem = problem(entry.getKey(), entry.getValue());
            if (problem != null) {
                return new DirectoryGoneException(entry.getKey().normalize() + " " + problem
                        + " while it was in use: it was removed or replaced, or its file system was unmounted");
            }
        }
        return null;
    }

    private @Nullable String problem(Path path, String fileKey) {
        try {
            FileFacts facts = storage.facts(path);
            if (facts == null) {
                return "is gone";
            }
            return facts.fileKey().equals(fileKey) ? null : "is not the one any more that was opened";
        } catch (StorageException e) {
            return "cannot be looked at any more (" + e.getMessage() + ")";
        }
    }
}
