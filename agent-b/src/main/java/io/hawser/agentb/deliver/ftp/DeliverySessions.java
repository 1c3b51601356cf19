package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.model.Manifest;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pools the logins at one far server for deliveries. Each delivery dials by itself, so there are never more logins than delivering threads; the
 * landing area retries with back-off. (Reading has its own pool, {@code ReadingSessions}.)
 *
 * <p>Thread: any.
 */
final class DeliverySessions implements DeliveryLoginSelector {
    private static final Logger LOG = LoggerFactory.getLogger(DeliverySessions.class);
    private static final int SERVICE_CLOSING = 421;

    private final FarServer server;
    private final FarOptions options;
    private final LoginSecurityFactory security;
    private final FarCircuitBreaker breaker;
    private final IdleSessions idle = new IdleSessions();
    private final Set<FarSession> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger dialling = new AtomicInteger();
    private volatile boolean closed;
    private volatile long usedNanos = System.nanoTime();

    DeliverySessions(FarServer server, FarOptions options, LoginSecurityFactory security) {
        this.server = server;
        this.options = options;
        this.security = security;
        this.breaker = new FarCircuitBreaker(server);
    }

    /** A task that needs a session. */
    interface Work {
        void run(FarSession session) throws IOException;
    }

    /** Whether a failed dial opens the circuit breaker for all others. */
    enum Weight {
        /** It does. */
        DELIVERY,
        /** It does not: the server may only refuse a further connection. */
        EXTRA
    }

    /** All objects are delivered by this one login. */
    @Override
    public DeliverySessions sessionsFor(Manifest manifest) {
        return this;
    }

    @Override
    public DeliverySessions own() {
        return this;
    }

    @Override
    public String problem() {
        return breaker.problem();
    }

    /** Runs {@code work}; if the server has hung up on an idle session, once more on a new one. */
    void with(Weight weight, Work work) throws IOException {
        FarSession session = idle.take(any -> true);
        if (session == null) {
            session = newSession(weight);
        }
        boolean reused = session.wasUsed();
        try {
            run(session, work);
        } catch (FarRefusedException | SessionIntactException | StorageException e) {
            throw e; // the server has not hung up
        } catch (IOException e) {
            if (!reused || closed) {
                throw e;
            }
            run(newSession(weight), work);
        }
    }

    /**
     * Whether no session is in use, and either none was for {@code quiet} or something is wrong. A session in use notices by itself that the server
     * is gone, and a further login may be one too many.
     */
    boolean isQuiet(Duration quiet) {
        if (closed || dialling.get() > 0 || !busy.isEmpty()) {
            return false;
        }
        return !breaker.problem().isEmpty() || System.nanoTime() - usedNanos >= quiet.toNanos();
    }

    /** Sends NOOP if {@link #isQuiet}; the result shows in {@link #problem}. */
    void probe(Duration quiet) {
        if (!isQuiet(quiet)) {
            return;
        }
        try {
            with(Weight.DELIVERY, session -> session.client().command("NOOP", null));
        } catch (FarRefusedException e) {
            LOG.atDebug().addKeyValue("server", server).setCause(e).log("the far server is up and does not know NOOP");
        } catch (IOException e) {
            noteBroken(e);
        }
    }

    private void noteBroken(IOException cause) {
        if (!closed) {
            breaker.sessionBroke(new IOException(server + ": " + FarFailureText.of(cause), cause));
        }
    }

    private void run(FarSession session, Work work) throws IOException {
        busy.add(session);
        boolean intact = false;
        try {
            if (closed) { // after it was added, so that it is closed here or by abandon
                throw new IOException("the node is stopping");
            }
            work.run(session);
            intact = true;
            noteSuccess();
        } catch (SessionIntactException e) {
            intact = true;
            throw e;
        } catch (FarRefusedException e) {
            session.forgetDirectories();
            noteSuccess();
            intact = e.code() != SERVICE_CLOSING;
            throw e;
        } finally {
            busy.remove(session);
            if (intact && !closed) {
                idle.add(session);
            } else {
                session.close();
            }
        }
    }

    private void noteSuccess() {
        usedNanos = System.nanoTime();
        breaker.succeeded();
    }

    private FarSession newSession(Weight weight) throws IOException {
        breaker.check();
        dialling.incrementAndGet();
        try {
            FarSession session = FarSession.open(server, options, security);
            breaker.loggedIn();
            return session;
        } catch (IOException e) {
            IOException named =
                    e instanceof FarLoginException ? e : new IOException(server + ": " + FarFailureText.of(e), e);
            if (weight == Weight.DELIVERY && !closed) {
                breaker.dialFailed(named);
            }
            throw named;
        } finally {
            dialling.decrementAndGet();
        }
    }

    void closeStale() {
        idle.closeStale();
    }

    /** Closes the sockets of the sessions in use, and lets no session be used any more. */
    @Override
    public void abandon() {
        closed = true;
        busy.forEach(FarSession::close);
    }

    /** To be called when no session is in use. */
    @Override
    public void close() {
        idle.closeAll();
    }
}
