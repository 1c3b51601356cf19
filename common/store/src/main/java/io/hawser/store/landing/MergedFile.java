package io.hawser.store.landing;

import io.hawser.core.model.TransferDigest;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Completes, checks and deletes the merged file of a patch ({@code .merged}) and the digest beside it ({@code .merged.sum}),
 * which tells a later run whether the disk has changed the file.
 *
 * <p>Thread: any; calls block.
 */
public final class MergedFile {
    static final int LEAF_BYTES = 1 << 20;

    private MergedFile() {}

    /**
     * The forced file {@code .merging} of landing file {@code part} is whole: it gets its digest and is {@code .merged}.
     *
     * @param written the digest of the bytes that were written
     * @throws StorageException if the device gives back others; then the file is to be made again
     */
    public static void complete(Storage storage, Path part, TransferDigest written) throws StorageException {
        Path merging = PatchPlan.merging(part);
        if (!digest(storage, merging).equals(written)) {
            throw new StorageException(merging
                    + ": the device gives back other bytes than were written. Check the disk (dmesg, smartctl)");
        }
        storage.replaceAll(PatchPlan.sum(part), written.toString().getBytes(StandardCharsets.US_ASCII));
        storage.rename(merging, PatchPlan.merged(part));
    }

    /** Removes what there is of it. */
    public static void delete(Storage storage, Path part) throws StorageException {
        storage.delete(PatchPlan.merging(part));
        storage.delete(PatchPlan.merged(part));
        storage.delete(PatchPlan.sum(part));
    }

    /** Whether {@code .merged}, which is there, is as it was made. */
    static boolean isSound(Storage storage, Path part) throws StorageException {
        return isSound(storage, part, PatchPlan.merged(part));
    }

    /** Whether {@code copy} is what {@code .merged} was when it was made. */
    static boolean isSound(Storage storage, Path part, Path copy) throws StorageException {
        Path sum = PatchPlan.sum(part);
        if (storage.facts(sum) == null) {
            return false;
        }
        try {
            TransferDigest expected = TransferDigest.parse(new String(storage.readAll(sum), StandardCharsets.US_ASCII));
            return digest(storage, copy).equals(expected);
        } catch (IllegalArgumentException e) {
            return false; // no digest is in it
        }
    }

    /** Of what the device gives back. */
    private static TransferDigest digest(Storage storage, Path path) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.READ, FileIoMode.DIRECT)) {
            return new ScratchBuffers(LEAF_BYTES).digest(file, file.sizeBytes(), LEAF_BYTES, read -> {});
        }
    }
}
