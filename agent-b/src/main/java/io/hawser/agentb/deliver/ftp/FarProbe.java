package io.hawser.agentb.deliver.ftp;

import io.hawser.core.thread.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a far server is there while nothing is delivered, so that {@code /health} knows before the next file does, and learns by
 * itself that the server is back: with the start, and then once a minute if nobody else has spoken to it, every five seconds while something is
 * wrong ({@link FarCircuitBreaker} lets a refused account rest longer).
 *
 * <p>Thread: a timer of its own; the server is asked on one of the threads that deliver, so that there are never more logins than those.
 */
final class FarProbe implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final long STEP_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(FarProbe.class);

    private final DeliverySessions sessions;
    private final Executor threads;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor timer;

    FarProbe(DeliverySessions sessions, Executor threads) {
        this.sessions = sessions;
        this.threads = threads;
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-far-probe"));
    }

    /** Begins. */
    void start() {
        timer.execute(() -> begin(Duration.ZERO));
        var unused = timer.scheduleWithFixedDelay(() -> begin(QUIET), STEP_SECONDS, STEP_SECONDS, TimeUnit.SECONDS);
    }

    private void begin(Duration quiet) {
        if (!sessions.isQuiet(quiet) || !underWay.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.execute(() -> probe(quiet));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; the far server is not looked at any more");
        }
    }

    private void probe(Duration quiet) {
        try {
            sessions.probe(quiet);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("looking whether the far server is there failed unforeseen");
        } finally {
            underWay.set(false);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
