package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarServer;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens after a failure to connect to a far server: for a while all other attempts fail at once with the same reason, so that not every waiting
 * object dials. Logs a failure once, again when its reason changes, and the recovery.
 *
 * <p>Thread: any.
 */
final class FarCircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(FarCircuitBreaker.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private final FarServer server;
    private String problem = "";
    private long openUntilNanos;

    FarCircuitBreaker(FarServer server) {
        this.server = server;
    }

    /** Throws the last failure while the breaker is open. */
    synchronized void check() throws IOException {
        if (isOpen()) {
            throw new IOException(problem);
        }
    }

    private boolean isOpen() {
        return !problem.isEmpty() && System.nanoTime() - openUntilNanos < 0;
    }

    /** A command in an existing session succeeded: says nothing of a login, so an open breaker stays open. */
    synchronized void succeeded() {
        if (!isOpen()) {
            loggedIn();
        }
    }

    synchronized void loggedIn() {
        if (!problem.isEmpty()) {
            problem = "";
            LOG.atInfo().addKeyValue("server", server).log("deliveries to the far server are possible again");
        }
    }

    void dialFailed(IOException cause) {
        open(cause, cause instanceof FarLoginException ? AFTER_REFUSED_LOGIN : AFTER_FAILURE);
    }

    /** A session broke: the next attempt may dial at once, unless the breaker is open already. */
    synchronized void sessionBroke(IOException cause) {
        if (problem.isEmpty()) {
            open(cause, Duration.ZERO);
        }
    }

    private synchronized void open(IOException cause, Duration hold) {
        String reason = String.valueOf(cause.getMessage());
        if (!reason.equals(problem)) {
            LOG.atWarn()
                    .addKeyValue("server", server)
                    .addKeyValue("reason", reason)
                    .addKeyValue("pauseSeconds", hold.toSeconds())
                    .log("cannot deliver to the far server; trying again automatically");
        }
        long until = System.nanoTime() + hold.toNanos();
        if (!isOpen() || until - openUntilNanos > 0) { // a lesser failure does not shorten the pause
            openUntilNanos = until;
        }
        problem = reason;
    }

    /** The last failure while it lasts, or an empty string. */
    synchronized String problem() {
        return problem;
    }
}
