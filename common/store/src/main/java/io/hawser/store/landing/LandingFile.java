package io.hawser.store.landing;

import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.store.content.LeafFile;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The landing file of one transfer and its sidecar, as blocking steps. The files are opened when they are needed.
 *
 * <p>Thread: disk for all but {@link #hash} and {@link #holds}, one step at a time; {@code hash} on several digest threads while nothing writes
 * to the same place.
 */
final class LandingFile {
    private final Storage storage;
    private final Path path;
    private final Path leavesPath;
    private final Manifest manifest;
    private final ScratchBuffers scratch;
    private final CrashPoints crashPoints;
    private final List<StorageFile> retired = new ArrayList<>(0);
    private @Nullable StorageFile part;
    private @Nullable StorageFile leaves;
    /** This process wrote or verified bytes up to here; the file is never shorter before {@link #finish}. */
    private final AtomicLong endBytes = new AtomicLong();

    LandingFile(
            Storage storage,
            Path path,
            Path leavesPath,
            Manifest manifest,
            ScratchBuffers scratch,
            CrashPoints crashPoints) {
        this.storage = storage;
        this.path = path;
        this.leavesPath = leavesPath;
        this.manifest = manifest;
        this.scratch = scratch;
        this.crashPoints = crashPoints;
    }

    /**
     * Whether a landing file agrees with its commit.
     *
     * @param problem an empty string if it agrees, otherwise a sentence
     * @param isLost whether digests that were durable cannot be read any more; so the commit may be right
     */
    record Agreement(String problem, boolean isLost) {
        static final Agreement FULL = new Agreement("", false);

        static Agreement mismatch(String problem) {
            return new Agreement(problem, false);
        }
    }

    Path path() {
        return path;
    }

    /** Makes both files anew. Their names are durable when the directory is forced after it. */
    void create() throws StorageException {
        storage.delete(leavesPath);
        storage.delete(path);
        part = storage.forPublication().open(path, OpenMode.CREATE_NEW, FileIoMode.DIRECT);
        part.force(true);
        leaves = storage.open(leavesPath, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
        leaves.force(true);
    }

    /** Whether a write or a force of one of the files failed. */
    boolean isBroken() {
        return (part != null && part.failure() != null) || (leaves != null && leaves.failure() != null);
    }

    /**
     * What is durable and verified, after a restart; forced once more, since the last process may have died between a write
     * and its force.
     *
     * @return how many bytes it is
     */
    long recover(FragmentRanges durable) throws StorageException {
        StorageFile bytes = part();
        StorageFile entries = leaves();
        bytes.force(true);
        long size = bytes.sizeBytes();
        long[] durableBytes = new long[1];
        LeafFile.recover(entries, manifest.key(), leaf -> {
            if (leaf.index() * manifest.fragmentSizeBytes() + leaf.length() <= size) {
                durable.add(leaf.index());
                durableBytes[0] += leaf.length();
            }
        });
        close();
        return durableBytes[0];
    }

    /**
     * Writes fragments, ascending by index. {@link OutOfSpaceException} leaves what was durable as it was.
     *
     * @return what to {@link #hash} them from
     */
    StorageFile write(List<Fragment> fragments) throws StorageException {
        StorageFile file = part();
        checkIsNotCut(file);
        try {
            for (Fragment fragment : fragments) {
                long position = fragment.index() * manifest.fragmentSizeBytes();
                AlignedWriter.write(file, position, fragment, scratch);
                holds(position + fragment.length());
            }
            return file;
        } catch (OutOfSpaceException e) {
            // The file object is dead, the file is not: nothing of this batch counts, and others may still read it.
            retired.add(file);
            part = null;
            throw e;
        }
    }

    /** This process has verified or written bytes up to {@code end}. Any thread. */
    void holds(long end) {
        endBytes.accumulateAndGet(end, Math::max);
    }

    /** The next write after a file's new end would leave a hole where verified bytes were, and nothing would show it. */
    private void checkIsNotCut(StorageFile file) throws StorageException {
        long size = file.sizeBytes();
        if (size < endBytes.get()) {
            throw new StorageException(
                    path + " was cut to " + size + " bytes, although " + endBytes + " were written: a program"
                            + " other than agent-b changed it. Restart agent-b: it fetches what is missing.");
        }
    }

    /** Makes what was written durable. It does not count before it was read back, see {@link #hash} and {@link #record}. */
    void force() throws StorageException {
        crashPoints.reached("landing.before-force");
        try {
            part().force(false);
        } catch (OutOfSpaceException e) {
            // Unlike after a failed write, earlier pages may be lost too.
            throw new StorageException(String.valueOf(e.getMessage()), e);
        }
        crashPoints.reached("landing.after-force");
    }

    /** SHA-256 of a fragment as read back from the device. */
    byte[] hash(StorageFile file, long index, int length) throws StorageException {
        return scratch.hash(file, index * manifest.fragmentSizeBytes(), length);
    }

    /** Records verified fragments, ascending by index, durably: from the return on they count. */
    void record(List<LeafSlot> verified) throws StorageException {
        StorageFile file = leaves();
        try {
            LeafFile.write(file, manifest.key(), verified);
            crashPoints.reached("landing.before-leaves-force");
            file.force(false);
        } catch (OutOfSpaceException e) {
            throw new StorageException(String.valueOf(e.getMessage()), e);
        }
        crashPoints.reached("landing.after-leaves-force");
    }

    /**
     * Checks the whole against the commit and gives the file its final length and time, durably.
     *
     * @param commit of fragments that are all recorded
     */
    Agreement finish(Commit commit) throws StorageException {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        long[] bytes = new long[1];
        LeafFile.scan(leaves(), manifest.key(), 0, leaf -> {
            if (leaf.index() == tree.count() && leaf.index() < commit.fragmentCount()) {
                tree.add(leaf.leaf());
                bytes[0] += leaf.length();
            }
        });
        if (tree.count() != commit.fragmentCount()) {
            return new Agreement("the digest of fragment " + tree.count() + " cannot be read any more", true);
        }
        if (bytes[0] != commit.sizeBytes()) {
            return Agreement.mismatch("The commit speaks of " + commit.fragmentCount() + " fragments with "
                    + commit.sizeBytes() + " bytes, and they have " + bytes[0] + ".");
        }
        if (!tree.root(commit.sizeBytes(), manifest.fragmentSizeBytes()).equals(commit.digest())) {
            return Agreement.mismatch(
                    "The fragments that were read back from the disk do not make the digest of the commit, "
                            + commit.digest() + ".");
        }
        StorageFile file = part();
        checkIsNotCut(file);
        file.truncate(commit.sizeBytes());
        setModified(storage, path, manifest);
        file.force(true);
        close();
        return Agreement.FULL;
    }

    /** Sets the source's modification time, where it is known; before the last force of the file. */
    static void setModified(Storage storage, Path path, Manifest manifest) throws StorageException {
        String millis = manifest.attributes().get(Attributes.MODIFIED_MILLIS);
        if (millis == null) {
            return;
        }
        try {
            storage.setModified(path, Long.parseLong(millis));
        } catch (NumberFormatException e) {
            return; // a publisher's nonsense is no reason to keep its bytes back
        }
    }

    /** Closes the files; they are opened again when they are needed. */
    void close() {
        retired.forEach(StorageFile::close);
        retired.clear();
        if (part != null) {
            part.close();
            part = null;
        }
        if (leaves != null) {
            leaves.close();
            leaves = null;
        }
    }

    private StorageFile part() throws StorageException {
        StorageFile file = part;
        if (file == null) {
            file = storage.open(path, OpenMode.UPDATE, FileIoMode.DIRECT);
            part = file;
        }
        return file;
    }

    private StorageFile leaves() throws StorageException {
        StorageFile file = leaves;
        if (file == null) {
            file = storage.open(leavesPath, OpenMode.UPDATE, FileIoMode.PAGE_CACHE);
            leaves = file;
        }
        return file;
    }
}
