package io.hawser.store.landing;

import io.hawser.core.model.TransferDigest;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a whole file of a patch: the file that it is for is copied into the landing area, the bytes of the patch are written into the
 * copy, and the copy takes the file's name in one step. The file changes from the old bytes to the new ones and is never
 * anything else. Where no file is expected the copy begins empty; what lies between its end and the patch is a hole.
 *
 * <pre>
 *   .part ──► .merging ──force, read back──► .merged ──► .part removed, directory forced ──► renamed over the file
 * </pre>
 *
 * <p>The copy takes one to four seconds a gibibyte here, so patches are published on a way of their own and hold up no others, see
 * {@link DeliveryScheduler}.
 *
 * <p>So after a crash: {@code .merged} is there: it only has to get its name. Neither {@code .part} nor {@code .merged} is there: it
 * has got it. Otherwise it begins again.
 *
 * <p>Thread: disk.
 */
final class Patcher {
    private static final int COPY_BYTES = 1 << 20;
    private static final String CHANGED = "the file has changed since the upload began; nothing was written to it";

    private final Storage storage;
    private final CrashPoints crashPoints;

    Patcher(Storage storage, CrashPoints crashPoints) {
        this.storage = storage;
        this.crashPoints = crashPoints;
    }

    /** Whether the patch has been published: nothing of it is left in the landing area. */
    boolean isDone(VerifiedObject object) throws StorageException {
        return object.mayBeDone()
                && storage.facts(object.file()) == null
                && storage.facts(PatchPlan.merged(object.file())) == null;
    }

    /** The whole file, durable, which is still to be renamed. */
    Path merge(VerifiedObject object, Path target) throws StorageException, NamespaceOperations.RefusedException {
        Path part = object.file();
        Path merged = PatchPlan.merged(part);
        if (storage.facts(merged) == null) {
            Path merging = PatchPlan.merging(part);
            storage.delete(merging);
            TransferDigest written = build(object, target, merging);
            crashPoints.reached("landing.after-merge");
            MergedFile.complete(storage, part, written);
        }
        storage.delete(part);
        force(Objects.requireNonNull(part.getParent()));
        crashPoints.reached("landing.after-merged");
        return merged;
    }

    private void force(Path directory) throws UnknownOutcomeException {
        try {
            storage.forceDirectory(directory);
        } catch (StorageException e) {
            throw new UnknownOutcomeException(e);
        }
    }

    /** Returns the digest of what was written. */
    private TransferDigest build(VerifiedObject object, Path target, Path merging)
            throws StorageException, NamespaceOperations.RefusedException {
        PatchPlan plan = PatchPlan.of(object.manifest());
        FileFacts base = checkUnchanged(plan, target);
        try (StorageFile file = storage.forPublication().open(merging, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
                MergedFileWriter writer = MergedFileWriter.open(storage, object, plan, file)) {
            if (!plan.makesFile()) {
                copyBase(plan, target, writer);
            }
            TransferDigest written = writer.finish();
            FileFacts now = checkUnchanged(plan, target); // while it was copied
            if (base != null && now != null && !base.fingerprint().equals(now.fingerprint())) {
                throw new NamespaceOperations.RefusedException(CHANGED);
            }
            if (plan.mode().isPresent()) {
                storage.setMode(merging, plan.mode().getAsInt());
            }
            file.force(true);
            return written;
        }
    }

    /** Copies the file that is patched; where its digest is known, it must be that file. */
    private void copyBase(PatchPlan plan, Path target, MergedFileWriter writer)
            throws StorageException, NamespaceOperations.RefusedException {
        CopyDigestVerifier digest = plan.digest().map(CopyDigestVerifier::new).orElse(null);
        long size = plan.baseSizeBytes();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(COPY_BYTES, Math.max(1, size)));
        try (StorageFile base = storage.open(target, OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            for (long done = 0; done < size; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), size - done));
                int count = base.read(buffer, done);
                if (count == 0) {
                    throw new StorageException(target + ": ended while it was copied");
                }
                buffer.flip();
                if (digest != null) {
                    digest.update(buffer);
                }
                writer.base(buffer);
                done += count;
            }
        }
        if (digest != null && !digest.matches()) {
            throw new NamespaceOperations.RefusedException(CHANGED);
        }
    }

    /** What is known of the file that is patched; null if there is to be none. */
    private @Nullable FileFacts checkUnchanged(PatchPlan plan, Path target)
            throws StorageException, NamespaceOperations.RefusedException {
        FileFacts facts = storage.facts(target);
        if (plan.makesFile()) {
            if (facts != null) {
                throw new NamespaceOperations.RefusedException(
                        facts.isDirectory() ? "Is a directory" : "File exists: it was made since the upload began");
            }
            return null;
        }
        if (facts == null) {
            throw new NamespaceOperations.RefusedException("No such file or directory");
        }
        if (!facts.isFile()) {
            throw new NamespaceOperations.RefusedException(facts.isDirectory() ? "Is a directory" : "Not a file");
        }
        if (facts.sizeBytes() != plan.baseSizeBytes()
                || (!plan.fingerprint().isEmpty() && !plan.fingerprint().equals(facts.fingerprint()))) {
            throw new NamespaceOperations.RefusedException(CHANGED);
        }
        return facts;
    }
}
