package io.hawser.core.digest;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.core.trace.WorkSpanEvent;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs hashing and other non-blocking work that would delay the event loop on threads {@code hawser-digest-N}. The queue needs no bound: each
 * task holds a fragment buffer, and their number is fixed.
 *
 * <p>Until C2 has compiled it, SHA-256 runs at a tenth of its speed, so the threads hash some memory when they start.
 *
 * <p>Thread: any.
 */
public final class DigestThreads implements Executor, AutoCloseable {
    private static final int WARM_UP_BYTES = 64 << 20;
    private static final int WARM_UP_BLOCK_BYTES = 1 << 20;

    private final ThreadPoolExecutor threads;

    private DigestThreads(int count) {
        this.threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered("hawser-digest-"));
    }

    /** Starts one thread per core. */
    public static DigestThreads start() {
        return start(Runtime.getRuntime().availableProcessors());
    }

    public static DigestThreads start(int count) {
        return new DigestThreads(count);
    }

    /** Hashes some memory on one thread, so that SHA-256 is compiled before the first transfer. */
    public DigestThreads warmUp() {
        threads.execute(DigestThreads::hashSomething);
        return this;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> {
            WorkSpanEvent work = WorkSpanEvent.begun(WorkSpanEvent.DIGEST);
            try {
                task.run();
            } finally {
                work.done();
            }
        });
    }

    /** How many threads there are. */
    public int count() {
        return threads.getMaximumPoolSize();
    }

    /** How many tasks wait. */
    public int waiting() {
        return threads.getQueue().size();
    }

    /** How many tasks run. */
    public int running() {
        return threads.getActiveCount();
    }

    /** Finishes queued tasks, then ends the threads. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hashSomething() {
        ByteBuffer block = ByteBuffer.allocateDirect(WARM_UP_BLOCK_BYTES);
        for (int done = 0; done < WARM_UP_BYTES; done += WARM_UP_BLOCK_BYTES) {
            block.putInt(0, Sha256.of(block)[0] + Crc32c.of(block));
        }
    }
}
