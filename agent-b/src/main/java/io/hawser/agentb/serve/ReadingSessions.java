package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.FarFailureText;
import io.hawser.agentb.deliver.ftp.FarLoginException;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.agentb.deliver.ftp.IdleSessions;
import io.hawser.agentb.deliver.ftp.LoginSecurityFactory;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pools the logins at a far server for reading. (Deliveries have their own pool, {@code DeliverySessions}.)
 *
 * <p>After a failed dial every query is refused at once, and one thread reconnects with back-off: so clients learn of the outage quickly, and do not
 * all dial a server that has come back.
 *
 * <p>Thread: any; methods that take a session block.
 */
final class ReadingSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadingSessions.class);
    private static final long TASK_INTERVAL_SECONDS = 5;
    private static final long PROBE_IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(250);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);
    /** Long, so that the server does not lock the account. */
    private static final Duration BACKOFF_AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private final FarServer server;
    private final FarOptions options;
    private final LoginSecurityFactory security;
    private final Semaphore queries;
    private final IdleSessions idle = new IdleSessions();
    private final Set<FarSession> busy = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;
    private final Object state = new Object();
    private String problem = "";
    private Duration backoff = FIRST_BACKOFF;
    private final AtomicInteger dialling = new AtomicInteger();
    private final AtomicInteger timeoutsInARow = new AtomicInteger();
    private volatile boolean closed;
    private volatile long usedNanos = System.nanoTime();

    /** Why a session is used. */
    private enum Purpose {
        READ,
        /** Its failure does not count while reads succeed. */
        PROBE
    }

    /** A task that needs a session; {@link FarRefusedException} and {@link NotServedException} leave the session intact. */
    interface Work<T> {
        T run(FarSession session) throws IOException;
    }

    /**
     * Creates a pool; dials nothing.
     *
     * @param maxQueries how many may be in {@link #query} at once
     */
    ReadingSessions(FarServer server, FarOptions options, LoginSecurityFactory security, int maxQueries) {
        this.server = server;
        this.options = options;
        this.security = security;
        this.queries = new Semaphore(maxQueries, true);
        this.timer = DaemonThreads.timer("hawser-far-reconnect");
        schedule(idle::closeStale);
    }

    /** Runs {@code task} every {@value #TASK_INTERVAL_SECONDS} s. */
    final void schedule(Runnable task) {
        var unused = timer.scheduleWithFixedDelay(
                () -> guarded(task), TASK_INTERVAL_SECONDS, TASK_INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    /** An exception would silently end the schedule. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a periodic task of a far server failed unexpectedly");
        }
    }

    /** Probes the server: now, and after each minute without a query. */
    void watchServer() {
        probeSoon();
        schedule(() -> probe(PROBE_IDLE_NANOS));
    }

    private void probeSoon() {
        try {
            timer.execute(() -> guarded(() -> probe(0)));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; no more probes");
        }
    }

    /**
     * Probes the server if there was no query for {@code quietNanos} and none is running. A running query notices an outage by itself, and a further
     * login may be one too many for the server.
     */
    void probe(long quietNanos) {
        if (!problem().isEmpty() || System.nanoTime() - usedNanos < quietNanos) {
            return; // reconnect() probes it
        }
        if (dialling.get() > 0 || !busy.isEmpty()) {
            return;
        }
        try {
            String unused = query(Purpose.PROBE, session -> session.client().command("NOOP", null));
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a probe of the far server failed");
        }
    }

    /** Why queries are refused now, or an empty string. */
    String problem() {
        synchronized (state) {
            return problem;
        }
    }

    /** Data connections that wait for the next file in MODE E. */
    int keptBlockConnections() {
        return idle.blockConnections();
    }

    /** Runs a short query. Replaces an idle session that the server had closed. */
    <T> T query(Work<T> work) throws IOException {
        return query(Purpose.READ, work);
    }

    private <T> T query(Purpose purpose, Work<T> work) throws IOException {
        acquireQuery();
        try {
            FarSession session = takeForQuery(purpose);
            boolean reused = session.wasUsed();
            try {
                return run(purpose, session, work);
            } catch (FarRefusedException | NotServedException e) {
                throw e;
            } catch (SocketTimeoutException e) { // the server did not close it; a retry would wait again
                throw reused ? NotServedException.unreachable(reason(e)) : e;
            } catch (IOException e) {
                if (!reused || closed) {
                    throw e;
                }
            }
            return run(purpose, dial(purpose), work);
        } finally {
            queries.release();
        }
    }

    private void acquireQuery() throws IOException {
        try {
            queries.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("agent-b is stopping");
        }
    }

    private <T> T run(Purpose purpose, FarSession session, Work<T> work) throws IOException {
        boolean intact = false;
        try {
            T result = work.run(session);
            intact = true;
            return result;
        } catch (FarRefusedException | NotServedException e) {
            intact = true;
            throw e;
        } catch (SocketTimeoutException e) {
            drop(session);
            onTimeout(purpose, e);
            throw e;
        } finally {
            if (intact) {
                giveBack(session);
            } else {
                drop(session);
            }
        }
    }

    /** The server may be dead, or only slow with this one reply (the listing of a huge directory). */
    private void onTimeout(Purpose purpose, SocketTimeoutException cause) {
        if (purpose == Purpose.PROBE || timeoutsInARow.incrementAndGet() > 1) {
            unreachable(purpose, cause);
        } else {
            probeSoon();
        }
    }

    /** A session for a RETR, to be given back or dropped. Throws {@link NotServedException} while the server cannot be reached. */
    FarSession take() throws IOException {
        FarSession kept = idle(true);
        FarSession found = kept == null ? idle(false) : kept;
        return found == null ? dial(Purpose.READ) : taken(found);
    }

    /** A session without connections in MODE E, which a listing would close. */
    private FarSession takeForQuery(Purpose purpose) throws IOException {
        FarSession found = idle(false);
        return found == null ? dial(purpose) : taken(found);
    }

    /** @param blocks whether it has data connections that wait for the next file in MODE E */
    private @Nullable FarSession idle(boolean blocks) {
        return idle.take(session -> session.blockConnections() > 0 == blocks);
    }

    private FarSession dial(Purpose purpose) throws IOException {
        String known = problem();
        if (!known.isEmpty()) {
            throw NotServedException.unreachable(known);
        }
        dialling.incrementAndGet();
        try {
            return taken(FarSession.open(server, options, security));
        } catch (IOException e) {
            unreachable(purpose, e);
            throw NotServedException.unreachable(reason(e));
        } finally {
            dialling.decrementAndGet();
        }
    }

    private FarSession taken(FarSession session) throws IOException {
        busy.add(session);
        if (closed) {
            drop(session);
            throw NotServedException.unreachable("agent-b is stopping");
        }
        return session;
    }

    /** Takes back a session that can be used again. */
    void giveBack(FarSession session) {
        busy.remove(session);
        usedNanos = System.nanoTime();
        timeoutsInARow.set(0);
        idle.add(session);
        if (closed) {
            idle.closeAll();
        }
    }

    /** Closes a session that cannot be used again. */
    void drop(FarSession session) {
        busy.remove(session);
        session.close();
    }

    private void unreachable(Purpose purpose, IOException cause) {
        if (closed || (purpose == Purpose.PROBE && !busy.isEmpty())) {
            return;
        }
        idle.closeAll(); // if the server refuses further connections, this frees some
        synchronized (state) {
            boolean first = problem.isEmpty();
            problem = reason(cause);
            if (!first) {
                return;
            }
            backoff = FIRST_BACKOFF;
            LOG.atWarn()
                    .addKeyValue("reason", problem)
                    .log("cannot reach the far server that is read from; trying again automatically");
            scheduleReconnect(cause);
        }
    }

    private void scheduleReconnect(IOException cause) {
        Duration wait = cause instanceof FarLoginException ? BACKOFF_AFTER_REFUSED_LOGIN : backoff;
        Duration doubled = backoff.multipliedBy(2);
        backoff = doubled.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : doubled;
        if (!closed) {
            var unused = timer.schedule(this::reconnect, wait.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void reconnect() {
        try {
            giveBack(FarSession.open(server, options, security));
            synchronized (state) {
                problem = "";
            }
            LOG.atInfo().addKeyValue("server", server).log("the far server can be reached again");
        } catch (IOException e) {
            reconnectFailed(e);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("dialling the far server failed unexpectedly");
            reconnectFailed(new IOException("unexpected: " + e, e)); // schedules the next attempt
        }
    }

    private void reconnectFailed(IOException cause) {
        synchronized (state) {
            problem = reason(cause);
            scheduleReconnect(cause);
        }
    }

    private String reason(IOException e) {
        return server + ": " + FarFailureText.of(e);
    }

    /** Closes the sockets of running queries and downloads, and of idle sessions. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        busy.forEach(FarSession::close);
        idle.closeAll();
    }
}
