package io.hawser.agentb.deliver.ftp;

import io.hawser.core.thread.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices servers that accept and then stay silent: whoever reports no progress for too long gets its sockets closed, and the thread
 * that waits in a read or write of them gets an exception.
 *
 * <p>Thread: any.
 */
final class StallWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatchdog.class);
    private static final long MIN_TICK_MILLIS = 50;
    private static final long MAX_TICK_MILLIS = 1_000;

    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final long limitNanos;
    private final ScheduledThreadPoolExecutor timer;

    /** @param limit how long nothing may happen */
    StallWatchdog(Duration limit) {
        this.limitNanos = limit.toNanos();
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-far-watch"));
        long tick = Math.min(MAX_TICK_MILLIS, Math.max(MIN_TICK_MILLIS, limit.toMillis() / 4));
        var unused = timer.scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.MILLISECONDS);
    }

    /** Something that must make progress from now until it is closed; {@code sockets} are closed if it does not. */
    Watched watch(Closeable sockets) {
        Watched entry = new Watched(sockets);
        watched.add(entry);
        return entry;
    }

    private void look() {
        long now = System.nanoTime();
        for (Watched entry : watched) {
            if (now - entry.progressNanos > limitNanos && !entry.silent) {
                entry.silent = true;
                try {
                    entry.sockets.close();
                } catch (IOException e) {
                    LOG.atDebug().setCause(e).log("closing the sockets of a silent server failed");
                }
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** One upload under watch. Thread: any. */
    final class Watched implements AutoCloseable {
        private final Closeable sockets;
        private volatile long progressNanos = System.nanoTime();
        private volatile boolean silent;

        private Watched(Closeable sockets) {
            this.sockets = sockets;
        }

        /** Bytes were taken or a reply came. */
        void progress() {
            progressNanos = System.nanoTime();
        }

        /** Whether the sockets were closed because nothing happened. */
        boolean wasSilent() {
            return silent;
        }

        @Override
        public void close() {
            watched.remove(this);
        }
    }
}
