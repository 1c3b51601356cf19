package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.ReadOnlyException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The directory of landing files: {@code <key>.part}, its sidecar {@code <key>.leaves}, the note of a target {@code
 * <key>.part.note}, and {@code <key>.failed} for objects that could not be delivered; for patches {@code <key>.merging}, {@code <key>.merged} and {@code <key>.merged.sum}, see {@link Patcher}. They are named by key, so that no name of an object is ever too long or taken.
 *
 * <p>Thread: disk, or the one that opens the landing area.
 */
final class LandingFiles extends FragmentFiles {
    /** {@link #usableForCopy}: it has been made. */
    static final long COPY_IS_THERE = -1;

    private static final String PART = ".part";
    private static final String FAILED = ".failed";
    private static final String NOTE = PART + VerifiedObject.NOTE;
    /** What a crash left of the writing of a note. */
    private static final String NEW_NOTE = NOTE + ".new";

    /** The endings of files that stay as long as their transfer has a landing file. */
    private static final List<String> OF_KEPT = List.of(PART, PatchPlan.MERGED, PatchPlan.SUM, PatchPlan.MERGING);

    LandingFiles(Storage storage, Path directory, ScratchBuffers scratch) {
        super(storage, directory, new Layout(TransferKey::toString, PART, true), scratch, (key, cause) -> {});
    }

    /**
     * Makes the files of a transfer; their names are durable on return.
     *
     * @param broken told, on this thread, if not their creation was refused but the disk failed at them
     */
    void create(FragmentFile file, Consumer<StorageException> broken) throws StorageException {
        boolean made = false;
        try {
            file.create();
            made = true;
            forceDirectory();
        } catch (StorageException e) {
            if (made || file.failure() != null || e instanceof ReadOnlyException) {
                broken.accept(e);
            }
            file.close();
            throw e;
        }
    }

    /**
     * How much may be written to make a patch's whole file, or {@link #COPY_IS_THERE}. What a crash left of one that was being made is
     * removed.
     */
    long usableForCopy(TransferKey key) throws StorageException {
        if (storage.facts(PatchPlan.merged(path(key))) != null) {
            return COPY_IS_THERE;
        }
        storage.delete(PatchPlan.merging(path(key)));
        return usableSpaceBytes();
    }

    /** Removes what there is of a transfer; durable on return. */
    void remove(TransferKey key) throws StorageException {
        delete(key);
        storage.delete(PatchPlan.sum(path(key)));
        storage.delete(VerifiedObject.noteOf(path(key)));
        forceDirectory();
    }

    /** As {@link #remove}, but a note stays: its target may have to tidy up what it has begun, see {@link DeliveryTarget#gone}. */
    void removeIncomplete(TransferKey key) throws StorageException {
        delete(key);
        forceDirectory();
    }

    List<TransferKey> strayNotes(Predicate<TransferKey> isKept) throws StorageException {
        List<TransferKey> keys = new ArrayList<>();
        for (String name : storage.list(directory)) {
            try {
                if (name.endsWith(NOTE) && !isKept.test(keyOf(name, NOTE))) {
                    keys.add(keyOf(name, NOTE));
                }
            } catch (IllegalArgumentException e) {
                // not ours
            }
        }
        return keys;
    }

    /** Removes the sidecar of a transfer that needs it no longer. If a crash brings it back it is swept. */
    void removeLeaves(TransferKey key) throws StorageException {
        storage.delete(leavesPath(key));
    }

    /** Puts an object aside that cannot be delivered. Returns where it is. */
    Path setAside(TransferKey key, long nowMillis) throws StorageException {
        Path aside = directory.resolve(key + FAILED);
        if (exists(key)) {
            storage.rename(path(key), aside);
            storage.setModified(aside, nowMillis); // it is kept from now on
        }
        return aside;
    }

    /** Removes what was set aside before {@code beforeMillis}. */
    void removeSetAside(long beforeMillis) throws StorageException {
        for (String name : storage.list(directory)) {
            FileFacts facts = name.endsWith(FAILED) ? storage.facts(directory.resolve(name)) : null;
            if (facts != null && facts.modifiedNanos() / 1_000_000 < beforeMillis) {
                storage.delete(directory.resolve(name));
            }
        }
    }

    /**
     * The names of files that belong to no transfer.
     *
     * @param isKept the transfers whose landing files stay
     * @param hasLeaves the transfers whose leaf files stay
     */
    List<String> orphans(Predicate<TransferKey> isKept, Predicate<TransferKey> hasLeaves) throws StorageException {
        return storage.list(directory).stream()
                .filter(name -> isOrphan(name, isKept, hasLeaves))
                .toList();
    }

    /** The names of objects that were set aside. */
    List<String> setAside() throws StorageException {
        return storage.list(directory).stream()
                .filter(name -> name.endsWith(FAILED))
                .toList();
    }

    private static boolean isOrphan(String name, Predicate<TransferKey> isKept, Predicate<TransferKey> hasLeaves) {
        try {
            for (String ending : OF_KEPT) {
                if (name.endsWith(ending)) {
                    return !isKept.test(keyOf(name, ending));
                }
            }
            // A note itself is the target's, see strayNotes.
            return name.endsWith(NEW_NOTE) || (name.endsWith(LEAVES) && !hasLeaves.test(keyOf(name, LEAVES)));
        } catch (IllegalArgumentException e) {
            return false; // not ours
        }
    }

    private static TransferKey keyOf(String name, String ending) {
        return TransferKey.parse(name.substring(0, name.length() - ending.length()));
    }
}
