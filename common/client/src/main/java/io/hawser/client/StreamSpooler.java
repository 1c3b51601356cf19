package io.hawser.client;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.transport.NodeThreads;
import io.hawser.store.spool.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Reads a stream of unknown length into the spool. Blocks its caller while memory, the disk or the spool's space is short.
 *
 * <p>Thread: the caller's. The {@link Upload} belongs to the loop.
 */
final class StreamSpooler {
    private static final int CHUNK_BYTES = 64 << 10;
    /** Fragments that may wait for the disk at once. */
    private static final int MAX_UNWRITTEN = 4;

    private final Executor loop;
    private final FragmentBufferPool pool;
    private final Upload upload;
    private final Semaphore unwritten = new Semaphore(MAX_UNWRITTEN);
    private final CompletableFuture<Commit> finished = new CompletableFuture<>();
    private final byte[] chunk = new byte[CHUNK_BYTES];

    StreamSpooler(Executor loop, FragmentBufferPool pool, Upload upload) {
        this.loop = loop;
        this.pool = pool;
        this.upload = upload;
    }

    /** Reads all of {@code in} and waits until it is durable. Cancels the upload if the stream throws. */
    Commit run(InputStream in) throws IOException {
        boolean done = false;
        try {
            Commit commit = copy(in);
            done = true;
            return commit;
        } finally {
            if (!done) { // also after a RuntimeException of the stream
                loop.execute(() -> upload.cancel("the source could not be read to its end"));
            }
        }
    }

    private Commit copy(InputStream in) throws IOException {
        long sizeBytes = 0;
        int fragmentSizeBytes = upload.manifest().fragmentSizeBytes();
        for (long index = 0; ; index++) {
            throwIfRefused();
            awaitSpace();
            FragmentBuffer buffer = acquire();
            int length = fill(in, buffer);
            sizeBytes += length;
            if (length == 0) {
                buffer.release();
            } else {
                write(index, buffer, length);
            }
            if (length < fragmentSizeBytes) {
                return finish(sizeBytes);
            }
        }
    }

    /** Returns the number of bytes read. Releases the buffer if the stream throws. */
    private int fill(InputStream in, FragmentBuffer buffer) throws IOException {
        ByteBuffer into = buffer.payload(0, upload.manifest().fragmentSizeBytes());
        boolean done = false;
        try {
            while (into.hasRemaining()) {
                int count = in.read(chunk, 0, Math.min(chunk.length, into.remaining()));
                if (count < 0) {
                    break;
                }
                into.put(chunk, 0, count);
            }
            done = true;
            return into.position();
        } finally {
            if (!done) {
                buffer.release();
            }
        }
    }

    private void write(long index, FragmentBuffer buffer, int length) {
        unwritten.acquireUninterruptibly();
        loop.execute(() -> {
            try {
                upload.write(index, buffer, length, this::onWritten);
            } finally {
                buffer.release();
            }
        });
    }

    private void onWritten(Outcome<Long> outcome) {
        unwritten.release();
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            finished.completeExceptionally(new HawserException(refusal));
        }
    }

    private Commit finish(long sizeBytes) throws IOException {
        loop.execute(() -> upload.finish(sizeBytes, outcome -> {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                finished.complete(outcome.get());
            } else {
                finished.completeExceptionally(new HawserException(refusal));
            }
        }));
        return NodeThreads.await(finished);
    }

    private void throwIfRefused() throws IOException {
        if (finished.isCompletedExceptionally()) {
            NodeThreads.await(finished);
        }
    }

    private void awaitSpace() throws IOException {
        CompletableFuture<Boolean> space = new CompletableFuture<>();
        loop.execute(() -> {
            if (upload.reserve()) {
                space.complete(true);
            } else {
                upload.whenSpace(outcome -> {
                    Refusal refusal = outcome.refusal();
                    if (refusal == null) {
                        space.complete(false);
                    } else {
                        space.completeExceptionally(new HawserException(refusal));
                    }
                });
            }
        });
        if (!NodeThreads.await(space)) {
            awaitSpace();
        }
    }

    private FragmentBuffer acquire() throws IOException {
        FragmentBuffer buffer = pool.tryAcquire();
        while (buffer == null) {
            CompletableFuture<Boolean> free = new CompletableFuture<>();
            pool.whenAvailable(() -> free.complete(true));
            NodeThreads.await(free);
            buffer = pool.tryAcquire();
        }
        return buffer;
    }
}
