package io.hawser.agentb.deliver.ftp;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks whether a far server is there while nothing is delivered, so that {@code /health} knows before the next file does, and learns by
 * itself that the server is back: with the start, and then once a minute if nobody else has spoken to it, every five seconds while something is
 * wrong ({@link FarGate} lets a refused account rest longer).
 *
 * <p>Thread: its own.
 */
final class FarProbe implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(60);
    private static final long STEP_SECONDS = 5;

    private final DeliverySessions sessions;
    private final ScheduledThreadPoolExecutor timer;

    FarProbe(DeliverySessions sessions) {
        this.sessions = sessions;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "hawser-far-probe");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins. */
    void start() {
        timer.execute(() -> sessions.probe(Duration.ZERO));
        var unused =
                timer.scheduleWithFixedDelay(() -> sessions.probe(QUIET), STEP_SECONDS, STEP_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
