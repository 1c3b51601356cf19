package io.hawser.agentb.files;

import io.hawser.core.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads that read served files, {@code hawser-serve-N}: one pool each for stats, reads and checksums.
 *
 * <p>Thread: any.
 */
final class ServeThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServeThreads.class);
    /** Daemons: a disk that hangs must not keep the node from ending; these threads write nothing. */
    private static final ThreadFactory FACTORY = DaemonThreads.numbered("hawser-serve-");

    private final ThreadPoolExecutor threads;

    ServeThreads(int count) {
        threads = DaemonThreads.pool(FACTORY, count, new LinkedBlockingQueue<>());
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; a call gets no answer");
        }
    }

    /** Removes a cancelled task, so that the queue does not grow while a disk hangs. */
    void remove(Runnable task) {
        boolean unused = threads.remove(task);
    }

    /** Ends the threads; drops queued tasks. */
    @Override
    public void close() {
        threads.shutdownNow();
        if (!DaemonThreads.awaitEnd(threads)) {
            LOG.atWarn().log("a disk does not answer; the node stops without waiting for a read");
        }
    }
}
