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
 * Closes the sockets of transfers without progress, so that a thread that reads or writes them gets an exception instead of waiting for a silent
 * server for ever.
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

    /** @param limit the longest time without progress */
    StallWatchdog(Duration limit) {
        this.limitNanos = limit.toNanos();
        this.timer = DaemonThreads.timer("hawser-far-watch");
        long tick = Math.min(MAX_TICK_MILLIS, Math.max(MIN_TICK_MILLIS, limit.toMillis() / 4));
        var unused = timer.scheduleWithFixedDelay(this::closeSilent, tick, tick, TimeUnit.MILLISECONDS);
    }

    /** Watches a transfer until the result is closed; closes {@code sockets} when it makes no progress. */
    Watched watch(Closeable sockets) {
        Watched entry = new Watched(sockets);
        watched.add(entry);
        return entry;
    }

    private void closeSilent() {
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

    /** One transfer under watch. Thread: any. */
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

        /** Whether the sockets were closed for lack of progress. */
        boolean wasSilent() {
            return silent;
        }

        /** What made the transfer fail with {@code cause}. */
        IOException reason(IOException cause) {
            return silent ? new IOException("the far server took nothing and sent nothing for too long", cause) : cause;
        }

        @Override
        public void close() {
            watched.remove(this);
        }
    }
}
