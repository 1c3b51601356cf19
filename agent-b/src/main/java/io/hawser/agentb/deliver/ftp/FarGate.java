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
final class FarGate {
    private static final Logger LOG = LoggerFactory.getLogger(FarGate.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private final FarServer server;
    private String problem = "";
    private long closedUntilNanos;

    FarGate(FarServer server) {
        this.server = server;
    }

    /** Throws what happened last if that is too fresh. */
    synchronized void pass() throws IOException {
        if (!problem.isEmpty() && System.nanoTime() - closedUntilNanos < 0) {
            throw new IOException(problem);
        }
    }

    /** Something was done at the server. */
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

    /** A session broke: whoever comes next may dial at once. */
    void broke(IOException cause) {
        tell(cause, Duration.ZERO);
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
        problem = words;
        closedUntilNanos = System.nanoTime() + hold.toNanos();
    }

    /** Why nothing gets through now, or an empty string. */
    synchronized String problem() {
        return problem;
    }
}
