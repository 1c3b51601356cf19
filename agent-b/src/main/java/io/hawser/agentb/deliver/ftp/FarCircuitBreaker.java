package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarServer;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a far server that cannot be reached from being dialled by every object that waits: after a failure to connect all others fail
 * with the same words for a while. The log tells once that it is so, again when the words change, and once that it is over.
 *
 * <p>Thread: any.
 */
final class FarCircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(FarCircuitBreaker.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private final FarServer server;
    private String problem = "";
    private long closedUntilNanos;

    FarCircuitBreaker(FarServer server) {
        this.server = server;
    }

    /** Throws what happened last if that is too fresh. */
    synchronized void pass() throws IOException {
        if (rests()) {
            throw new IOException(problem);
        }
    }

    private boolean rests() {
        return !problem.isEmpty() && System.nanoTime() - closedUntilNanos < 0;
    }

    /** Something was done in a session that was there: says nothing of a login, so a rest goes on. */
    synchronized void worked() {
        if (!rests()) {
            opened();
        }
    }

    /** The server let somebody in. */
    synchronized void opened() {
        if (!problem.isEmpty()) {
            problem = "";
            LOG.atInfo().addKeyValue("server", server).log("the far server can be delivered to again");
        }
    }

    /** No session came about. */
    void failed(IOException cause) {
        tell(cause, cause instanceof FarLoginException ? AFTER_REFUSED_LOGIN : AFTER_FAILURE);
    }

    /** A session broke: whoever comes next may dial at once, unless more is known. */
    synchronized void broke(IOException cause) {
        if (problem.isEmpty()) {
            tell(cause, Duration.ZERO);
        }
    }

    private synchronized void tell(IOException cause, Duration hold) {
        String words = String.valueOf(cause.getMessage());
        if (!words.equals(problem)) {
            LOG.atWarn()
                    .addKeyValue("server", server)
                    .addKeyValue("reason", words)
                    .addKeyValue("restSeconds", hold.toSeconds())
                    .log("the far server cannot be delivered to; it is tried again by itself");
        }
        long until = System.nanoTime() + hold.toNanos();
        if (!rests() || until - closedUntilNanos > 0) { // a lesser failure beside it does not cut a rest short
            closedUntilNanos = until;
        }
        problem = words;
    }

    /** Why nothing gets through now, or an empty string. */
    synchronized String problem() {
        return problem;
    }
}
