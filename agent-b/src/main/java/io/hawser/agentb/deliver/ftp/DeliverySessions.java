package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logins at one far server for delivering to it: those that are in use, and those that wait for the next use. There are never more than there are threads
 * that ask. Each delivery dials by itself, and is tried again by the landing area's back-off; reading is another matter, see {@code
 * ReadingSessions}.
 *
 * <p>Thread: any.
 */
final class DeliverySessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliverySessions.class);
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final int SERVICE_CLOSING = 421;

    private final FarServer server;
    private final FarOptions options;
    private final FarSecurity security;
    private final FarCircuitBreaker gate;
    private final ConcurrentLinkedDeque<FarSession> idle = new ConcurrentLinkedDeque<>();
    private final Set<FarSession> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger dialling = new AtomicInteger();
    private volatile boolean closed;
    private volatile long usedNanos = System.nanoTime();

    DeliverySessions(FarServer server, FarOptions options, FarSecurity security) {
        this.server = server;
        this.options = options;
        this.security = security;
        this.gate = new FarCircuitBreaker(server);
    }

    /** What is done with a session. */
    interface Work {
        void run(FarSession session) throws IOException;
    }

    /** Whether a failure to connect tells all others that the server cannot be reached. */
    enum Weight {
        /** Yes. */
        DELIVERY,
        /** No: the server may only want no more connections. */
        EXTRA
    }

    /** What keeps everything from being delivered now, or an empty string. */
    String problem() {
        return gate.problem();
    }

    /** Runs {@code work}, twice if the server had hung up on a session that waited. */
    void with(Weight weight, Work work) throws IOException {
        FarSession session = idleSession();
        if (session == null) {
            session = newSession(weight);
        }
        boolean reused = session.wasUsed();
        try {
            run(session, work);
        } catch (FarRefusedException | SessionIntactException e) {
            throw e;
        } catch (IOException e) {
            if (!reused || closed) {
                throw e;
            }
            run(newSession(weight), work);
        }
    }

    /**
     * Whether nobody speaks to the server, and nobody has for {@code quiet}, or something is wrong. Who is in the middle of something
     * learns by himself whether the server is there, and a login more may be one too many for it.
     */
    boolean isQuiet(Duration quiet) {
        if (closed || dialling.get() > 0 || !busy.isEmpty()) {
            return false;
        }
        return !gate.problem().isEmpty() || System.nanoTime() - usedNanos >= quiet.toNanos();
    }

    /** Asks the server whether it is there, if it {@link #isQuiet}. What comes of it is in {@link #problem}. */
    void probe(Duration quiet) {
        if (!isQuiet(quiet)) {
            return;
        }
        try {
            with(Weight.DELIVERY, session -> session.client().command("NOOP", null));
        } catch (FarRefusedException e) {
            LOG.atDebug().addKeyValue("server", server).setCause(e).log("it is there, and knows no NOOP");
        } catch (IOException e) {
            broke(e);
        }
    }

    private void broke(IOException cause) {
        if (!closed) {
            gate.broke(new IOException(server + ": " + FarReason.of(cause), cause));
        }
    }

    private void run(FarSession session, Work work) throws IOException {
        busy.add(session);
        boolean whole = false;
        try {
            if (closed) { // after it was added, so that it is closed here or by abandon
                throw new IOException("the node is stopping");
            }
            work.run(session);
            whole = true;
            worked();
        } catch (SessionIntactException e) {
            whole = true;
            throw e;
        } catch (FarRefusedException e) {
            session.forgetDirectories();
            worked();
            whole = e.code() != SERVICE_CLOSING;
            throw e;
        } finally {
            busy.remove(session);
            if (whole && !closed) {
                session.touched();
                idle.push(session);
            } else {
                session.close();
            }
        }
    }

    private void worked() {
        usedNanos = System.nanoTime();
        gate.worked();
    }

    private @Nullable FarSession idleSession() {
        for (FarSession session = idle.poll(); session != null; session = idle.poll()) {
            if (!session.isStale(MAX_IDLE)) {
                return session;
            }
            session.close();
        }
        return null;
    }

    private FarSession newSession(Weight weight) throws IOException {
        gate.pass();
        dialling.incrementAndGet();
        try {
            FarSession session = FarSession.open(server, options, security);
            gate.opened();
            return session;
        } catch (IOException e) {
            IOException told = e instanceof FarLoginException ? e : new IOException(server + ": " + FarReason.of(e), e);
            if (weight == Weight.DELIVERY && !closed) {
                gate.failed(told);
            }
            throw told;
        } finally {
            dialling.decrementAndGet();
        }
    }

    /** Closes what nobody has used for a while. */
    void closeStale() {
        for (FarSession session : idle) {
            if (session.isStale(MAX_IDLE) && idle.remove(session)) {
                session.close();
            }
        }
    }

    /** No session waits for use any more, and those in use lose their sockets. */
    void abandon() {
        closed = true;
        busy.forEach(FarSession::close);
    }

    /** When nobody uses any. */
    @Override
    public void close() {
        idle.forEach(FarSession::close);
    }
}
