package io.hawser.common.landing;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.log.CrashPoints;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import io.hawser.common.storage.Caching;
import io.hawser.common.storage.FileFacts;
import io.hawser.common.storage.OpenMode;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import io.hawser.common.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes a whole file of a patch: the file that it is for is copied into the landing area, the bytes of the patch are written into the
 * copy, and the copy takes the file's name in one step. What stands there changes from the old bytes to the new ones and is never
 * anything else. Where no file is expected the copy begins empty; what lies between its end and the patch is a hole.
 *
 * <pre>
 *   .part ──► .merging ──force──► .merged ──► .part removed, directory forced ──► renamed over the file
 * </pre>
 *
 * <p>So after a crash: {@code .merged} is there: it only has to get its name. Neither {@code .part} nor {@code .merged} is there: it
 * has got it. Otherwise it begins again.
 *
 * <p>Thread: disk.
 */
final class Patcher {
    static final String MERGING = ".merging";
    static final String MERGED = ".merged";
    private static final String PART = ".part";
    private static final int COPY_BYTES = 1 << 20;
    private static final long MAX_SIZE_BYTES = 1L << 60;
    private static final int OCTAL = 8;

    private final Storage storage;
    private final CrashPoints crashPoints;

    Patcher(Storage storage, CrashPoints crashPoints) {
        this.storage = storage;
        this.crashPoints = crashPoints;
    }

    /** Whether its parameters make sense: null, or why not. */
    static @Nullable Refusal check(Manifest manifest) {
        if (manifest.kind() != TransferKind.PATCH) {
            return null;
        }
        long base = baseSize(manifest);
        long offset = number(manifest, Attributes.OFFSET);
        boolean sound = base >= 0
                && offset >= 0
                && offset <= MAX_SIZE_BYTES
                && base <= MAX_SIZE_BYTES
                && manifest.attributes().getOrDefault(Attributes.MODE, "644").matches("0*[0-7]{1,3}");
        return sound ? null : new Refusal(ErrorCode.MALFORMED, "A patch needs base-size and an offset.");
    }

    /** Whether the patch makes a file, where none may be. */
    static boolean makesFile(Manifest manifest) {
        return Attributes.NO_BASE.equals(manifest.attributes().get(Attributes.BASE_SIZE));
    }

    private static long baseSize(Manifest manifest) {
        return makesFile(manifest) ? 0 : number(manifest, Attributes.BASE_SIZE);
    }

    private static long number(Manifest manifest, String attribute) {
        try {
            return Long.parseLong(manifest.attributes().getOrDefault(attribute, ""));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Path sibling(Path part, String ending) {
        String name = part.getFileName().toString();
        return part.resolveSibling(name.substring(0, name.length() - PART.length()) + ending);
    }

    /** Whether the patch has been published: nothing of it is left in the landing area. */
    boolean isDone(VerifiedObject object) throws StorageException {
        return object.offeredBefore()
                && storage.facts(object.file()) == null
                && storage.facts(sibling(object.file(), MERGED)) == null;
    }

    /** The whole file, durable, which is still to be renamed. */
    Path merge(VerifiedObject object, Path target) throws StorageException, NamespaceOperations.RefusedException {
        Path part = object.file();
        Path merged = sibling(part, MERGED);
        if (storage.facts(merged) == null) {
            Path merging = sibling(part, MERGING);
            storage.delete(merging);
            build(object, target, merging);
            crashPoints.reached("landing.after-merge");
            storage.rename(merging, merged);
        }
        storage.delete(part);
        force(part.getParent());
        crashPoints.reached("landing.after-merged");
        return merged;
    }

    private void force(@Nullable Path directory) throws UnsureException {
        if (directory == null) {
            throw new IllegalArgumentException("a landing file lies in a directory");
        }
        try {
            storage.forceDirectory(directory);
        } catch (StorageException e) {
            throw new UnsureException(e);
        }
    }

    private void build(VerifiedObject object, Path target, Path merging)
            throws StorageException, NamespaceOperations.RefusedException {
        Manifest manifest = object.manifest();
        checkUnchanged(manifest, target);
        try (StorageFile file = storage.open(merging, OpenMode.CREATE_NEW, Caching.PAGE_CACHE)) {
            if (!makesFile(manifest)) {
                copy(target, file, 0, baseSize(manifest));
            }
            copy(
                    object.file(),
                    file,
                    number(manifest, Attributes.OFFSET),
                    object.commit().sizeBytes());
            checkUnchanged(manifest, target); // while it was copied
            String mode = manifest.attributes().get(Attributes.MODE);
            if (mode != null) {
                storage.setMode(merging, Integer.parseInt(mode, OCTAL));
            }
            file.force(true);
        }
    }

    private void checkUnchanged(Manifest manifest, Path target)
            throws StorageException, NamespaceOperations.RefusedException {
        FileFacts facts = storage.facts(target);
        if (makesFile(manifest)) {
            if (facts != null) {
                throw new NamespaceOperations.RefusedException(
                        facts.isDirectory() ? "Is a directory" : "File exists: it was made since the upload began");
            }
            return;
        }
        if (facts == null) {
            throw new NamespaceOperations.RefusedException("No such file or directory");
        }
        if (!facts.isFile()) {
            throw new NamespaceOperations.RefusedException(facts.isDirectory() ? "Is a directory" : "Not a file");
        }
        String fingerprint = manifest.attributes().getOrDefault(Attributes.BASE_FINGERPRINT, "");
        if (facts.sizeBytes() != baseSize(manifest)
                || (!fingerprint.isEmpty() && !fingerprint.equals(facts.fingerprint()))) {
            throw new NamespaceOperations.RefusedException(
                    "the file has changed since the upload began; nothing was written to it");
        }
    }

    private void copy(Path from, StorageFile to, long position, long length) throws StorageException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(COPY_BYTES, Math.max(1, length)));
        try (StorageFile source = storage.open(from, OpenMode.READ, Caching.PAGE_CACHE)) {
            for (long done = 0; done < length; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
                int count = source.read(buffer, done);
                if (count == 0) {
                    throw new StorageException(from + ": ended while it was copied");
                }
                to.write(buffer.flip(), position + done);
                done += count;
            }
        }
    }
}
