package io.hawser.core.config;

import io.hawser.core.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at files that may have changed, and reads them again, on a thread that may block: a slow disk or a pipe must not hold up a
 * network loop or a handshake. One thread serves the whole process.
 *
 * <p>Thread: any.
 */
public final class FileReload {
    private static final Executor THREAD =
            DaemonThreads.pool(DaemonThreads.named("hawser-reload"), 1, new LinkedBlockingQueue<>());

    private final Runnable look;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Runs {@code look}, never twice at a time. */
    public FileReload(Runnable look) {
        this.look = look;
    }

    /** Looks soon. Does nothing if a look is waiting or running. */
    public void ask() {
        if (asked.compareAndSet(false, true)) {
            THREAD.execute(() -> {
                try {
                    look.run();
                } finally {
                    asked.set(false);
                }
            });
        }
    }
}
