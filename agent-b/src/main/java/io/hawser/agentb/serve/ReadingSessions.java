package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.FarLoginException;
import io.hawser.agentb.deliver.ftp.FarReason;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSecurity;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins at the far server for reading from it, used again while they are fresh. (Deliveries have their own, {@code DeliverySessions}.)
 *
 * <p>When the server could not be dialled every question is refused at once, and one thread dials with back-off until it is there
 * again: so askers learn quickly that nobody answers, and a server that has come back is not dialled by all of them.
 *
 * <p>Thread: any; what takes a session blocks.
 */
final class ReadingSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadingSessions.class);
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final long CLEAN_SECONDS = 5;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration FIRST_REST = Duration.ofMillis(250);
    private static final Duration LONGEST_REST = Duration.ofSeconds(10);
    /** So that the server does not lock the account. */
    private static final Duration REST_AFTER_REFUSED_LOGIN = Duration.ofSeconds(60);

    private final FarServer server;
    private final FarOptions options;
    private final FarSecurity security;
    private final Semaphore looks;
    private final ConcurrentLinkedDeque<FarSession> idle = new ConcurrentLinkedDeque<>();
    private final Set<FarSession> busy = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor door;
    private final Object state = new Object();
    private String problem = "";
    private Duration rest = FIRST_REST;
    private final AtomicInteger dialling = new AtomicInteger();
    private final AtomicInteger timeoutsInARow = new AtomicInteger();
    private volatile boolean closed;
    private volatile long usedNanos = System.nanoTime();

    /** Who wants a session. */
    private enum Asker {
        READER,
        /** What it fails at is nobody's problem while others are served. */
        PROBE
    }

    /** Something that is done with a session; {@link FarRefusedException} and {@link NotServedException} leave it whole. */
    interface Work<T> {
        T run(FarSession session) throws IOException;
    }

    /**
     * Creates it; nothing is dialled.
     *
     * @param looks how many may be in {@link #look} at once
     */
    ReadingSessions(FarServer server, FarOptions options, FarSecurity security, int looks) {
        this.server = server;
        this.options = options;
        this.security = security;
        this.looks = new Semaphore(looks, true);
        this.door = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-far-door"));
        regularly(this::closeStale);
    }

    /** Something that is to be done now and then. */
    final void regularly(Runnable task) {
        var unused = door.scheduleWithFixedDelay(() -> guarded(task), CLEAN_SECONDS, CLEAN_SECONDS, TimeUnit.SECONDS);
    }

    /** What is thrown would end a schedule without a word. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("what is regularly done at the far server failed unforeseen");
        }
    }

    /** Looks whether the server is there: now, and once a minute if nobody else has asked it something. */
    void watchServer() {
        probeSoon();
        regularly(() -> probe(QUIET_NANOS));
    }

    private void probeSoon() {
        try {
            door.execute(() -> guarded(() -> probe(0)));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; the far server is not looked at any more");
        }
    }

    /**
     * Looks whether the server is there, if nobody else has asked it something for so long, nor is in the middle of it: who is learns that
     * by himself, and a login more may be one too many for the server.
     */
    void probe(long quietNanos) {
        if (!problem().isEmpty() || System.nanoTime() - usedNanos < quietNanos) {
            return; // it is knocked at
        }
        if (dialling.get() > 0 || !busy.isEmpty()) {
            return;
        }
        try {
            String unused = look(Asker.PROBE, session -> session.client().command("NOOP", null));
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("looked whether the far server is there");
        }
    }

    /** Why nothing is answered now, or an empty string. */
    String problem() {
        synchronized (state) {
            return problem;
        }
    }

    /** How many data connections wait for the next file in MODE E. */
    int keptBlockConnections() {
        return idle.stream().mapToInt(FarSession::blockConnections).sum();
    }

    /** Does something short. A session that the server had hung up on meanwhile is replaced. */
    <T> T look(Work<T> work) throws IOException {
        return look(Asker.READER, work);
    }

    private <T> T look(Asker asker, Work<T> work) throws IOException {
        acquireLook();
        try {
            FarSession session = takeForLook(asker);
            boolean reused = session.wasUsed();
            try {
                return run(asker, session, work);
            } catch (FarRefusedException | NotServedException e) {
                throw e;
            } catch (SocketTimeoutException e) { // which is no hanging up: it would only be waited for again
                throw reused ? NotServedException.unreachable(reason(e)) : e;
            } catch (IOException e) {
                if (!reused || closed) {
                    throw e;
                }
            }
            return run(asker, dial(asker), work);
        } finally {
            looks.release();
        }
    }

    private void acquireLook() throws IOException {
        try {
            looks.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("The far edge is stopping");
        }
    }

    private <T> T run(Asker asker, FarSession session, Work<T> work) throws IOException {
        boolean whole = false;
        try {
            T result = work.run(session);
            whole = true;
            return result;
        } catch (FarRefusedException | NotServedException e) {
            whole = true;
            throw e;
        } catch (SocketTimeoutException e) {
            drop(session);
            fellSilent(asker, e);
            throw e;
        } finally {
            if (whole) {
                giveBack(session);
            } else {
                drop(session);
            }
        }
    }

    /** It may be silent, or only be long about this one answer (the listing of a huge directory). */
    private void fellSilent(Asker asker, SocketTimeoutException cause) {
        if (asker == Asker.PROBE || timeoutsInARow.incrementAndGet() > 1) {
            notThere(asker, cause); // whether it answers again is found out by knocking
        } else {
            probeSoon();
        }
    }

    /** A session to read with, to be given back or dropped. Throws {@link NotServedException} while the server is not there. */
    FarSession take() throws IOException {
        FarSession kept = idle(true);
        FarSession found = kept == null ? idle(false) : kept;
        return found == null ? dial(Asker.READER) : taken(found);
    }

    /** One to look with: a listing would end what is kept for reading. */
    private FarSession takeForLook(Asker asker) throws IOException {
        FarSession found = idle(false);
        return found == null ? dial(asker) : taken(found);
    }

    /** @param blocks whether it has data connections that are kept for the next file */
    private @Nullable FarSession idle(boolean blocks) {
        closeStale();
        for (FarSession session : idle) {
            if (session.blockConnections() > 0 == blocks && idle.remove(session)) {
                return session;
            }
        }
        return null;
    }

    private FarSession dial(Asker asker) throws IOException {
        String known = problem();
        if (!known.isEmpty()) {
            throw NotServedException.unreachable(known);
        }
        dialling.incrementAndGet();
        try {
            return taken(FarSession.open(server, options, security));
        } catch (IOException e) {
            notThere(asker, e);
            throw NotServedException.unreachable(reason(e));
        } finally {
            dialling.decrementAndGet();
        }
    }

    private FarSession taken(FarSession session) throws IOException {
        busy.add(session);
        if (closed) {
            drop(session);
            throw NotServedException.unreachable("The far edge is stopping");
        }
        return session;
    }

    /** The session is whole. */
    void giveBack(FarSession session) {
        busy.remove(session);
        session.touched();
        usedNanos = System.nanoTime();
        timeoutsInARow.set(0);
        idle.push(session);
        if (closed) {
            closeIdle();
        }
    }

    /** The session is of no use any more. */
    void drop(FarSession session) {
        busy.remove(session);
        session.close();
    }

    private void notThere(Asker asker, IOException cause) {
        if (closed || (asker == Asker.PROBE && !busy.isEmpty())) {
            return;
        }
        closeIdle(); // if it takes no more connections, these are what it takes them back from
        synchronized (state) {
            boolean first = problem.isEmpty();
            problem = reason(cause);
            if (!first) {
                return;
            }
            rest = FIRST_REST;
            LOG.atWarn().addKeyValue("reason", problem).log("the far server that is read from cannot be reached");
            knockLater(cause);
        }
    }

    private void knockLater(IOException cause) {
        Duration wait = cause instanceof FarLoginException ? REST_AFTER_REFUSED_LOGIN : rest;
        rest = rest.multipliedBy(2).compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest.multipliedBy(2);
        if (!closed) {
            var unused = door.schedule(this::knock, wait.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void knock() {
        try {
            giveBack(FarSession.open(server, options, security));
            synchronized (state) {
                problem = "";
            }
            LOG.atInfo().addKeyValue("server", server).log("the far server can be reached again");
        } catch (IOException e) {
            stillNotThere(e);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("dialling the far server failed unforeseen");
            stillNotThere(new IOException("unforeseen: " + e, e)); // and nobody else would dial
        }
    }

    private void stillNotThere(IOException cause) {
        synchronized (state) {
            problem = reason(cause);
            knockLater(cause);
        }
    }

    private String reason(IOException e) {
        return server + ": " + FarReason.of(e);
    }

    private void closeStale() {
        for (FarSession session : idle) {
            if (session.isStale(MAX_IDLE) && idle.remove(session)) {
                session.close();
            }
        }
    }

    private void closeIdle() {
        for (FarSession session = idle.poll(); session != null; session = idle.poll()) {
            session.close();
        }
    }

    /** Ends what is under way: its sockets are closed. */
    @Override
    public void close() {
        closed = true;
        door.shutdownNow();
        busy.forEach(FarSession::close);
        closeIdle();
    }
}
