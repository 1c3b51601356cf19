package io.hawser.client;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.transport.AgentNet;
import io.hawser.store.spool.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Reads a stream of unknown length into the spool on the caller's thread. The caller is held back when memory, the disk or
 * the spool's space is short.
 *
 * <p>Thread: the caller's; the upload is spoken to on the loop.
 */
final class StreamUpload {
    private static final int COPY_BYTES = 64 << 10;
    /** Fragments that may be on their way to the disk at once. */
    private static final int UNWRITTEN = 4;

    private final Executor loop;
    private final FragmentBufferPool pool;
    private final Upload upload;
    private final Semaphore unwritten = new Semaphore(UNWRITTEN);
    private final CompletableFuture<Commit> finished = new CompletableFuture<>();
    private final byte[] copy = new byte[COPY_BYTES];

    StreamUpload(Executor loop, FragmentBufferPool pool, Upload upload) {
        this.loop = loop;
        this.pool = pool;
        this.upload = upload;
    }

    /** Reads all of {@code in} and waits until it is durable. What cannot be read to its end is given up. */
    Commit run(InputStream in) throws IOException {
        boolean done = false;
        try {
            Commit commit = upload(in);
            done = true;
            return commit;
        } finally {
            if (!done) { // whatever the stream has thrown
                loop.execute(() -> upload.cancel("the source could not be read to its end"));
            }
        }
    }

    private Commit upload(InputStream in) throws IOException {
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

    /** How much there was. If it cannot be read the buffer is released. */
    private int fill(InputStream in, FragmentBuffer buffer) throws IOException {
        ByteBuffer into = buffer.payload(0, upload.manifest().fragmentSizeBytes());
        boolean done = false;
        try {
            while (into.hasRemaining()) {
                int count = in.read(copy, 0, Math.min(copy.length, into.remaining()));
                if (count < 0) {
                    break;
                }
                into.put(copy, 0, count);
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
        return AgentNet.await(finished);
    }

    private void throwIfRefused() throws IOException {
        if (finished.isCompletedExceptionally()) {
            AgentNet.await(finished);
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
        if (!AgentNet.await(space)) {
            awaitSpace();
        }
    }

    private FragmentBuffer acquire() throws IOException {
        FragmentBuffer buffer = pool.tryAcquire();
        while (buffer == null) {
            CompletableFuture<Boolean> free = new CompletableFuture<>();
            pool.whenAvailable(() -> free.complete(true));
            AgentNet.await(free);
            buffer = pool.tryAcquire();
        }
        return buffer;
    }
}
