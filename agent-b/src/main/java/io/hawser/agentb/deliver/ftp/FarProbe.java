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
 * Probes a far server while nothing is delivered, so that {@code /health} shows an outage before the next file meets it, and a recovery: at the
 * start, then once a minute without other traffic, every five seconds while something is wrong ({@link FarCircuitBreaker} pauses longer after a
 * refused login).
 *
 * <p>Thread: a timer of its own; probes run on the delivering threads, so that there are never more logins than those.
 */
final class FarProbe implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final long STEP_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(FarProbe.class);

    private final DeliverySessions sessions;
    private final Executor threads;
    private final AtomicBoolean probing = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor timer;

    FarProbe(DeliverySessions sessions, Executor threads) {
        this.sessions = sessions;
        this.threads = threads;
        this.timer = DaemonThreads.timer("hawser-far-probe");
    }

    void start() {
        timer.execute(() -> begin(Duration.ZERO));
        var unused = timer.scheduleWithFixedDelay(() -> begin(QUIET), STEP_SECONDS, STEP_SECONDS, TimeUnit.SECONDS);
    }

    private void begin(Duration quiet) {
        if (!sessions.isQuiet(quiet) || !probing.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.execute(() -> probe(quiet));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; no more probes");
        }
    }

    private void probe(Duration quiet) {
        try {
            sessions.probe(quiet);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("probing the far server failed unexpectedly");
        } finally {
            probing.set(false);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
