package io.hawser.agentb.deliver.ftp;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Logins at a far server that wait for their next use, the most recently used first. One that has waited for 30 s counts as stale, since the
 * server may have hung up.
 *
 * <p>Thread: any.
 */
public final class IdleSessions {
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);

    private final ConcurrentLinkedDeque<FarSession> sessions = new ConcurrentLinkedDeque<>();

    /** Keeps a session whose connection is intact. */
    public void add(FarSession session) {
        session.markUsed();
        sessions.push(session);
    }

    /** Takes one that {@code wanted} accepts, or null. Closes stale ones on the way. */
    public @Nullable FarSession take(Predicate<FarSession> wanted) {
        closeStale();
        for (FarSession session : sessions) {
            if (wanted.test(session) && sessions.remove(session)) {
                return session;
            }
        }
        return null;
    }

    public void closeStale() {
        for (FarSession session : sessions) {
            if (session.isStale(MAX_IDLE) && sessions.remove(session)) {
                session.close();
            }
        }
    }

    public void closeAll() {
        for (FarSession session = sessions.poll(); session != null; session = sessions.poll()) {
            session.close();
        }
    }

    /** Data connections in MODE E that wait for the next file. */
    public int blockConnections() {
        return sessions.stream().mapToInt(FarSession::blockConnections).sum();
    }
}
