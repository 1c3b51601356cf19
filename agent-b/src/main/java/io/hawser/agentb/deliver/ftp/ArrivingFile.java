package io.hawser.agentb.deliver.ftp;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.Manifest;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BooleanSupplier;

/**
 * The verified beginning of an object that is still arriving. Reads bypass the page cache, since the landing area writes with O_DIRECT.
 *
 * <p>Thread: any; {@link #close} after the last read.
 */
final class ArrivingFile implements UploadSource {
    private static final Duration WAIT_STEP = Duration.ofMillis(100);
    private static final int BLOCK_BYTES = FragmentBuffer.ALIGNMENT_BYTES;
    private static final int WINDOW_BYTES = LandedFile.STEP_BYTES + BLOCK_BYTES;

    private final ArrivingObject object;
    private final StorageFile file;
    private final Path path;
    private final Duration maxWait;
    private final BooleanSupplier stopped;
    private final ConcurrentLinkedDeque<ByteBuffer> windows = new ConcurrentLinkedDeque<>();

    /**
     * @param maxWait how long it waits for more before the attempt ends
     * @param stopped whether the attempt is to end soon
     */
    ArrivingFile(Storage storage, ArrivingObject object, Duration maxWait, BooleanSupplier stopped)
            throws StorageException {
        this.object = object;
        this.path = object.file();
        this.maxWait = maxWait;
        this.stopped = stopped;
        this.file = storage.open(path, OpenMode.READ, FileIoMode.DIRECT);
    }

    @Override
    public long sizeBytes() {
        Manifest manifest = object.manifest();
        return manifest.sizeKnown() ? manifest.sizeBytes() : UNKNOWN;
    }

    @Override
    public long awaitReadable(long position, Runnable waiting) throws InterruptedIOException {
        long began = System.nanoTime();
        while (!stopped.getAsBoolean() && position != sizeBytes()) {
            long readable = await(position);
            if (readable > position) {
                return Math.min(
                        readable, position + LandedFile.STEP_BYTES); // a short step, so that a stop is noticed soon
            }
            waiting.run();
            if (System.nanoTime() - began > maxWait.toNanos()) {
                break;
            }
        }
        return position;
    }

    private long await(long position) throws InterruptedIOException {
        try {
            return object.awaitBeyond(position, WAIT_STEP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the node is stopping");
        }
    }

    @Override
    public int read(byte[] into, long position, int length) throws StorageException {
        ByteBuffer pooled = windows.poll();
        ByteBuffer window = pooled == null ? ByteBuffer.allocate(WINDOW_BYTES) : pooled;
        try {
            int before = (int) (position % BLOCK_BYTES);
            int wanted = Math.min(length, WINDOW_BYTES - BLOCK_BYTES);
            window.clear().limit(FragmentBuffer.roundUp(before + wanted));
            int count = Math.min(wanted, file.read(window, position - before) - before);
            if (count <= 0) {
                throw new StorageException(path + ": ends before " + position + ", although it was verified there");
            }
            window.get(before, into, 0, count);
            return count;
        } finally {
            windows.push(window);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
