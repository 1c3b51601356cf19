package io.hawser.store.content;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The content of one transfer, as blocking steps: a file with its fragments, each at its place, and a {@link LeafFile} beside it. Both
 * are opened when they are needed. A fragment is durable after {@link #write}, {@link #force}, {@link #putLeaves}, {@link #forceLeaves},
 * and the force of the directory if {@link #open} asks for it.
 *
 * <p>After a failed write or force nothing is written again. A full disk at a write is no failure: what was durable stays so.
 *
 * <p>Thread: any that may block. Steps on the bytes run one at a time, and steps on the leaves; the two may overlap. {@link #holds} and
 * {@link #hash(StorageFile, long, int)} may be called any time for places that nothing writes to.
 */
public final class FragmentFile implements AutoCloseable {
    private final FragmentFiles files;
    private final Manifest manifest;
    private final TransferKey key;
    private final OpenMode mode;
    private final boolean hasData;
    private final List<StorageFile> retired = new ArrayList<>(0);
    private @Nullable StorageFile data;
    private @Nullable StorageFile leaves;
    private volatile @Nullable StorageException failure;
    /** This process wrote or verified bytes up to here; the file is never shorter before {@link #finish}. */
    private final AtomicLong endBytes = new AtomicLong();

    private interface Step {
        void run() throws StorageException;
    }

    private interface Write {
        void to(StorageFile file) throws StorageException;
    }

    FragmentFile(FragmentFiles files, Manifest manifest, OpenMode mode, boolean hasData) {
        this.files = files;
        this.manifest = manifest;
        this.key = manifest.key();
        this.mode = mode;
        this.hasData = hasData;
    }

    public TransferKey key() {
        return key;
    }

    /** The same content, to be read. */
    public FragmentFile toRead() {
        return new FragmentFile(files, manifest, OpenMode.READ, hasData);
    }

    /** Where its bytes are. */
    public Path path() {
        return files.path(key);
    }

    /** Whether its bytes are here; otherwise only their digests are. */
    public boolean hasData() {
        return hasData;
    }

    /** The first failed write or force, or null. */
    public @Nullable StorageException failure() {
        return failure;
    }

    /** Nothing is written from here on. */
    public synchronized void fail(StorageException cause) {
        if (failure == null) {
            failure = cause;
            files.failed(key, cause);
        }
    }

    /** Makes both files anew. Their names are durable when the directory is forced after it. Only a failed force is a failure. */
    public void create() throws StorageException {
        files.delete(key);
        StorageFile bytes = files.dataStorage().open(path(), OpenMode.CREATE_NEW, FileIoMode.DIRECT);
        data = bytes;
        guarded(() -> bytes.force(true));
        StorageFile slots = files.storage().open(files.leavesPath(key), OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
        leaves = slots;
        guarded(() -> slots.force(true));
    }

    /** Opens what is not open. Returns whether the directory has to be forced, since files may be new. */
    public boolean open() throws StorageException {
        checkWritable();
        if (leaves != null) {
            return false;
        }
        if (hasData) {
            data();
        }
        leaves();
        return mode == OpenMode.CREATE;
    }

    /**
     * Shows which fragments are durable, after a restart; forced once more, since the last process may have died between a write
     * and its force.
     *
     * @return how many bytes it is
     */
    public long recover(LeafFile.Visitor durable) throws StorageException {
        open();
        if (hasData) {
            data().force(true);
        }
        long size = hasData ? data().sizeBytes() : Long.MAX_VALUE;
        long[] durableBytes = new long[1];
        LeafFile.recover(leaves(), key, slot -> {
            if (position(slot.index()) + slot.length() <= size) {
                durable.slot(slot);
                durableBytes[0] += slot.length();
            }
        });
        return durableBytes[0];
    }

    /**
     * Writes fragments, ascending by index. The rest of the last block is filled with whatever follows the payload, so the file may
     * become longer than its content. Does not release the buffers. {@link OutOfSpaceException} leaves what was durable as it was.
     *
     * @return what to {@link #hash(StorageFile, long, int)} them from
     */
    public StorageFile write(List<Fragment> fragments) throws StorageException {
        return write(file -> {
            for (Fragment fragment : fragments) {
                files.scratch().write(file, position(fragment.index()), fragment);
                holds(position(fragment.index()) + fragment.length());
            }
        });
    }

    /** Writes whole blocks of a fragment that do not count, until the whole fragment overwrites them. */
    public void spill(long index, int start, ByteBuffer bytes) throws StorageException {
        var unused = write(file -> file.write(bytes, position(index) + start));
    }

    /** Reads what was spilled into {@code into}; whether it has that CRC32C. */
    public boolean unspill(long index, int start, ByteBuffer into, int crc32c) throws StorageException {
        int length = into.remaining();
        return data().read(into.duplicate(), position(index) + start) == length && Crc32c.of(into) == crc32c;
    }

    private StorageFile write(Write write) throws StorageException {
        checkWritable();
        StorageFile file = data();
        try {
            if (endBytes.get() > 0) {
                long unused = sizeIfNotCut(file);
            }
            write.to(file);
            return file;
        } catch (OutOfSpaceException e) {
            // The file object is dead, the file is not: nothing of this write counts, and others may still read it.
            retired.add(file);
            data = null;
            throw e;
        } catch (StorageException e) {
            fail(e);
            throw e;
        }
    }

    /** This process has verified or written bytes up to {@code end}. */
    public void holds(long end) {
        endBytes.accumulateAndGet(end, Math::max);
    }

    /** The next write after a file's new end would leave a hole where verified bytes were, and nothing would show it. */
    private long sizeIfNotCut(StorageFile file) throws StorageException {
        long size = file.sizeBytes();
        if (size < endBytes.get()) {
            throw new StorageException(
                    path() + " was cut to " + size + " bytes, although " + endBytes
                            + " were written: a program other than Hawser changed it. Restart the node: what is missing is asked for again.");
        }
        return size;
    }

    /**
     * Makes what was written durable. It does not count before its leaf does.
     *
     * @param metadata also the file's times
     */
    public void force(boolean metadata) throws StorageException {
        if (hasData) {
            guarded(() -> data().force(metadata));
        }
    }

    /** Writes the leaves of fragments that are forced, ascending by index. */
    public void putLeaves(List<Fragment> fragments) throws StorageException {
        guarded(() -> LeafFile.write(
                leaves(), key, fragments.stream().map(LeafSlot::of).toList()));
    }

    /** Makes leaves durable: from the return on their fragments count. */
    public void forceLeaves() throws StorageException {
        guarded(() -> leaves().force(false));
    }

    /** Unlike at a write, a full disk is a failure here: earlier pages may be lost too. */
    private void guarded(Step step) throws StorageException {
        checkWritable();
        try {
            step.run();
        } catch (StorageException e) {
            fail(e);
            throw e;
        }
    }

    private void checkWritable() throws StorageException {
        StorageException first = failure;
        if (first != null) {
            throw first;
        }
    }

    /** The slot of a fragment, or null if there is none that is whole. */
    public @Nullable LeafSlot slot(long index) throws StorageException {
        return LeafFile.read(leaves(), key, index);
    }

    /** Shows all whole slots from {@code from} on, see {@link LeafFile#scan}. */
    public long scan(long from, LeafFile.Visitor visitor) throws StorageException {
        return LeafFile.scan(leaves(), key, from, visitor);
    }

    /** The length of the file of bytes. */
    public long sizeBytes() throws StorageException {
        return data().sizeBytes();
    }

    /** Reads the fragment of {@code slot}. Its bytes must have the slot's checksum. */
    public void read(LeafSlot slot, FragmentBuffer into) throws StorageException {
        if (data().read(into.paddedPayload(slot.length()), position(slot.index())) < slot.length()) {
            throw new CorruptRecordException(path() + " ends before fragment " + slot.index());
        }
        if (Crc32c.of(into.payload(0, slot.length())) != slot.crc32c()) {
            throw new CorruptRecordException(
                    "Fragment " + slot.index() + " in " + path() + " does not agree with its checksum");
        }
    }

    /** SHA-256 of a fragment as read back from the device. */
    public byte[] hash(long index, int length) throws StorageException {
        return hash(data(), index, length);
    }

    /** The same from a file that {@link #write(List)} returned. */
    public byte[] hash(StorageFile file, long index, int length) throws StorageException {
        return files.scratch().hash(file, position(index), length);
    }

    /** Whether the device gives back the bytes of {@code slot}. */
    public boolean isSound(LeafSlot slot) throws StorageException {
        return position(slot.index()) + slot.length() <= sizeBytes()
                && Arrays.equals(hash(slot.index(), slot.length()), slot.leaf());
    }

    /**
     * Checks the whole against the commit and gives the file its final length and time, durably.
     *
     * @param commit of fragments that are all durable
     */
    public Agreement finish(Commit commit) throws StorageException {
        Agreement agreement = Agreement.of(this, commit, manifest.fragmentSizeBytes());
        if (agreement.equals(Agreement.FULL)) {
            end(commit.sizeBytes());
            force(true);
            close();
        }
        return agreement;
    }

    /** Gives the file of bytes its final length and, where it is known, the source's time of modification. Then it has to be forced. */
    public void end(long sizeBytes) throws StorageException {
        guarded(() -> {
            StorageFile file = data();
            if (sizeIfNotCut(file) != sizeBytes) {
                file.truncate(sizeBytes);
            }
            String millis = manifest.attributes().get(Attributes.MODIFIED_MILLIS);
            if (millis != null) {
                try {
                    files.storage().setModified(path(), Long.parseLong(millis));
                } catch (NumberFormatException e) {
                    return; // a publisher's nonsense is no reason to keep its bytes back
                }
            }
        });
    }

    /** Closes the files; they are opened again when they are needed. */
    @Override
    public void close() {
        retired.forEach(StorageFile::close);
        retired.clear();
        if (data != null) {
            data.close();
            data = null;
        }
        if (leaves != null) {
            leaves.close();
            leaves = null;
        }
    }

    private long position(long index) {
        return index * manifest.fragmentSizeBytes();
    }

    private StorageFile data() throws StorageException {
        StorageFile file = data;
        if (file == null) {
            FileIoMode caching =
                    mode == OpenMode.READ ? FragmentFiles.readModeFor(manifest.fragmentSizeBytes()) : FileIoMode.DIRECT;
            file = files.dataStorage().open(path(), mode, caching);
            data = file;
        }
        return file;
    }

    private StorageFile leaves() throws StorageException {
        StorageFile file = leaves;
        if (file == null) {
            file = files.storage().open(files.leavesPath(key), mode, FileIoMode.PAGE_CACHE);
            leaves = file;
        }
        return file;
    }
}
