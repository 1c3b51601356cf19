package io.hawser.store.testkit;

import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open file of a {@link FaultyStorage}. It does not outlive the process that opened it.
 *
 * <p>Thread: as {@link StorageFile} says.
 */
final class FaultyFile implements StorageFile {
    private final FaultyStorage storage;
    private final Path path;
    private final FaultyInode inode;
    private final boolean direct;
    private final boolean writable;
    private final long incarnation;
    private volatile @Nullable StorageException failure;
    private volatile boolean closed;

    FaultyFile(FaultyStorage storage, Path path, FaultyInode inode, boolean direct, boolean writable) {
        this.storage = storage;
        this.path = path;
        this.inode = inode;
        this.direct = direct;
        this.writable = writable;
        this.incarnation = storage.incarnation();
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public boolean direct() {
        return direct;
    }

    private void checkOpen(String what) throws StorageException {
        if (closed || incarnation != storage.incarnation()) {
            throw new StorageException(what + " " + path + ": closed, or its process is dead");
        }
        StorageException first = failure;
        if (first != null && !what.equals("read")) {
            throw first;
        }
    }

    private void checkAligned(long position, int length) throws StorageException {
        int sectorBytes = storage.sectorBytes();
        if (direct && (position % sectorBytes != 0 || length % sectorBytes != 0)) {
            throw new StorageException(path + ": unaligned direct access of " + length + " at " + position);
        }
    }

    @Override
    public int read(ByteBuffer into, long position) throws StorageException {
        checkOpen("read");
        checkAligned(position, into.remaining());
        storage.look("read " + path);
        return inode.read(into, position, direct);
    }

    @Override
    public void write(ByteBuffer from, long position) throws StorageException {
        checkOpen("write");
        checkAligned(position, from.remaining());
        if (!writable) {
            throw new StorageException("write " + path + ": opened for reading");
        }
        Fault fault = storage.nextFault();
        if (fault == Fault.SHORT) {
            inode.write(from.slice(from.position(), from.remaining() / 2), position);
        }
        if (fault != null) {
            throw die(FaultyStorage.failure(fault, "write " + path));
        }
        long growth = position + from.remaining() - inode.sizeBytes();
        if (growth > 0 && !storage.hasRoomFor(growth)) {
            throw die(new OutOfSpaceException("write " + path + ": No space left on device"));
        }
        inode.write(from, position);
    }

    @Override
    public void force(boolean metadata) throws StorageException {
        checkOpen("force");
        Fault fault = storage.nextFault();
        if (fault != null) {
            inode.failForce();
            throw die(FaultyStorage.failure(fault, "force " + path));
        }
        inode.force();
    }

    @Override
    public void truncate(long sizeBytes) throws StorageException {
        checkOpen("truncate");
        Fault fault = storage.nextFault();
        if (fault != null) {
            throw die(FaultyStorage.failure(fault, "truncate " + path));
        }
        inode.truncate(sizeBytes);
    }

    @Override
    public long sizeBytes() throws StorageException {
        checkOpen("read");
        return inode.sizeBytes();
    }

    @Override
    public @Nullable StorageException failure() {
        return failure;
    }

    private StorageException die(StorageException cause) {
        if (failure == null) {
            failure = cause;
        }
        return cause;
    }

    @Override
    public void close() {
        closed = true;
    }
}
