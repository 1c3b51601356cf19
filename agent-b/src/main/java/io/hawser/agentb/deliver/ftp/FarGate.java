package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.time.Duration;

/**
 * Keeps a far server that cannot be reached from being dialled by every object that waits: after a failure to connect all others fail
 * with the same words for a while.
 *
 * <p>Thread: any.
 */
final class FarGate {
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private String problem = "";
    private long closedUntilNanos;

    /** Throws what happened last if that is too fresh. */
    synchronized void pass() throws IOException {
        if (!problem.isEmpty() && System.nanoTime() - closedUntilNanos < 0) {
            throw new IOException(problem);
        }
    }

    synchronized void opened() {
        problem = "";
    }

    synchronized void failed(IOException cause) {
        Duration hold = cause instanceof FarLoginException ? AFTER_REFUSED_LOGIN : AFTER_FAILURE;
        problem = String.valueOf(cause.getMessage());
        closedUntilNanos = System.nanoTime() + hold.toNanos();
    }

    /** Why nothing gets through now, or an empty string. */
    synchronized String problem() {
        return problem;
    }
}
