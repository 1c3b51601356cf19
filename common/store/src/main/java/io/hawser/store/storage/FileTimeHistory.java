package io.hawser.store.storage;

import io.hawser.core.collection.EvictingMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files whose time was set here: their content is still the one that had the fingerprint before. So a reader of such a file
 * continues. What is not among the newest {@value #MAX_CHANGES}, or was done by a process before this one, counts as a change of
 * the content.
 *
 * <p>A write by another program between the two looks at the file, a few microseconds apart, is not seen; a clock tick of the file system,
 * in which no fingerprint sees a second write, is a thousand times longer.
 *
 * <p>Thread: any.
 */
public final class FileTimeHistory {
    private static final int MAX_CHANGES = 1024;

    private final Map<String, String> next = new EvictingMap<>(MAX_CHANGES);

    /** Sets a file's time. */
    @FunctionalInterface
    public interface Change {
        /** Sets it, and returns the file's facts right after that; null if it is gone. */
        @Nullable
        FileFacts set() throws StorageException;
    }

    /**
     * Has a file's time set. Who compares meanwhile waits until the change is known.
     *
     * @param before the file's facts right before that
     */
    public synchronized void change(FileFacts before, Change change) throws StorageException {
        FileFacts after = change.set();
        if (after != null) {
            changed(before, after);
        }
    }

    private void changed(FileFacts before, FileFacts after) {
        String old = before.fingerprint();
        boolean same = before.isFile()
                && after.isFile()
                && before.sizeBytes() == after.sizeBytes()
                && before.fileKey().equals(after.fileKey());
        if (same && !old.equals(after.fingerprint())) {
            next.remove(old);
            next.put(old, after.fingerprint());
        }
    }

    /** Whether content that had the fingerprint {@code old} has {@code now} now. */
    public synchronized boolean sameContent(String old, String now) {
        String reached = old;
        for (int steps = 0; steps <= MAX_CHANGES && reached != null; steps++) {
            if (reached.equals(now)) {
                return true;
            }
            reached = next.get(reached);
        }
        return false;
    }
}
