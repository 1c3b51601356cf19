package io.hawser.store.storage;

import io.hawser.core.buffer.FragmentBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file on a real disk.
 *
 * <p>Thread: any for reads; writes, truncate and force by one owner at a time.
 */
final class DiskFile implements StorageFile {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFile.class);

    /** What positions of direct reads are multiples of. A file whose length is none ends between two of them. */
    private static final int BLOCK_BYTES = FragmentBuffer.ALIGNMENT_BYTES;

    private static final BounceBuffers BOUNCE = new BounceBuffers();

    private final Path path;
    private final FileChannel channel;
    private final boolean direct;
    private final ForceMeter forces;
    private volatile @Nullable StorageException failure;

    DiskFile(Path path, FileChannel channel, boolean direct, ForceMeter forces) {
        this.forces = forces;
        this.path = path;
        this.channel = channel;
        this.direct = direct;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public boolean direct() {
        return direct;
    }

    @Override
    public int read(ByteBuffer into, long position) throws StorageException {
        int start = into.position();
        int wanted = into.remaining();
        try {
            if (direct && !into.isDirect()) {
                readThroughBounce(into, position);
            } else {
                readInto(into, position);
            }
            return into.position() - start;
        } catch (IOException e) {
            throw StorageExceptionMapper.of("read " + wanted + " bytes at " + position + " of " + path, e);
        }
    }

    /** Returns whether the file went on until the buffer was full. */
    private boolean readInto(ByteBuffer into, long position) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            int count = channel.read(into, position + into.position() - start);
            // A direct file ends where a read is short: going on from there would not be aligned.
            if (count < 0 || (direct && into.hasRemaining() && count % BLOCK_BYTES != 0)) {
                return false;
            }
        }
        return true;
    }

    private void readThroughBounce(ByteBuffer into, long position) throws IOException {
        ByteBuffer bounce = BOUNCE.take();
        try {
            long at = position;
            boolean more = true;
            while (more && into.hasRemaining()) {
                bounce.clear().limit(Math.min(into.remaining(), bounce.capacity()));
                more = readInto(bounce, at);
                at += bounce.position();
                into.put(bounce.flip());
            }
        } finally {
            BOUNCE.giveBack(bounce);
        }
    }

    @Override
    public void write(ByteBuffer from, long position) throws StorageException {
        checkAlive();
        int length = from.remaining();
        try {
            if (direct && !from.isDirect()) {
                writeThroughBounce(from, position);
            } else {
                writeFrom(from, position);
            }
        } catch (IOException e) {
            throw die(StorageExceptionMapper.of("write " + length + " bytes at " + position + " of " + path, e));
        }
    }

    private void writeFrom(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        while (from.hasRemaining()) {
            channel.write(from, position + from.position() - start);
        }
    }

    private void writeThroughBounce(ByteBuffer from, long position) throws IOException {
        ByteBuffer bounce = BOUNCE.take();
        try {
            long at = position;
            while (from.hasRemaining()) {
                int step = Math.min(from.remaining(), bounce.capacity());
                bounce.clear().put(from.slice(from.position(), step)).flip();
                writeFrom(bounce, at);
                from.position(from.position() + step);
                at += step;
            }
        } finally {
            BOUNCE.giveBack(bounce);
        }
    }

    @Override
    public void force(boolean metadata) throws StorageException {
        checkAlive();
        try {
            long begunNanos = forces.begun();
            channel.force(metadata);
            forces.fileForced(begunNanos);
        } catch (IOException e) {
            throw die(StorageExceptionMapper.of("force " + path, e));
        }
    }

    @Override
    public void truncate(long sizeBytes) throws StorageException {
        checkAlive();
        try {
            channel.truncate(sizeBytes);
        } catch (IOException e) {
            throw die(StorageExceptionMapper.of("truncate " + path + " to " + sizeBytes, e));
        }
    }

    @Override
    public long sizeBytes() throws StorageException {
        try {
            return channel.size();
        } catch (IOException e) {
            throw StorageExceptionMapper.of("size of " + path, e);
        }
    }

    @Override
    public @Nullable StorageException failure() {
        return failure;
    }

    private void checkAlive() throws StorageException {
        StorageException first = failure;
        if (first != null) {
            throw first;
        }
    }

    private StorageException die(StorageException cause) {
        if (failure == null) {
            failure = cause;
        }
        return cause;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("path", path).setCause(e).log("A file could not be closed");
        }
    }
}
