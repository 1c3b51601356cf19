package io.hawser.ptcp;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Listens for byte streams and queues those that wait for an accept. Refuses more when the queue is full.
 *
 * <p>Thread: any.
 */
final class Backlog {
    private final SocketSettings settings;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Pending> waiting = new ArrayDeque<>();
    private final PtcpServer server;
    private boolean closed;

    /** An open byte stream that waits for an accept. */
    record Pending(ByteStream stream, PtcpSession session) {}

    /**
     * @param limit the most streams that may wait
     * @throws BindException if it cannot listen at {@code address}; its text says why
     */
    Backlog(InetSocketAddress address, int limit, PtcpOptions options, SocketSettings settings) throws BindException {
        this.settings = settings;
        this.limit = limit;
        try {
            server = PtcpServer.listen(SharedSocketResources.group(), address, options, this::answer);
        } catch (PtcpException e) {
            BindException failure = new BindException(e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    int localPort() {
        return server.localAddress().getPort();
    }

    /** Thread: the server's loop. */
    private SessionAdmission.Answer answer(byte[] greeting, String principal, SocketAddress remote) {
        if (!Arrays.equals(greeting, PtcpSocketImpl.GREETING)) {
            return new SessionAdmission.Refused("this port takes byte streams (PTCPSocket) only");
        }
        lock.lock();
        try {
            return waiting.size() < limit
                    ? new SessionAdmission.Accepted(
                            PtcpSocketImpl.GREETING, new ByteStream(settings.ofAccepted(), this::queue))
                    : new SessionAdmission.Refused("its backlog of " + limit + " connections is full");
        } finally {
            lock.unlock();
        }
    }

    /** Thread: the session's loop. */
    private void queue(ByteStream opened, PtcpSession session) {
        lock.lock();
        try {
            if (closed || waiting.size() >= limit) {
                session.close("no program accepts connections at this port now");
                return;
            }
            waiting.add(new Pending(opened, session));
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until a stream waits, and takes it. */
    Pending take() throws IOException {
        lock.lock();
        try {
            if (!UninterruptibleWait.until(changed, settings.timeoutNanos(), () -> closed || !waiting.isEmpty())) {
                throw new SocketTimeoutException("Accept timed out");
            } else if (closed) {
                throw new SocketException("Socket closed");
            }
            return waiting.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening and resets waiting streams. The port is free when this returns. */
    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.forEach(pending -> pending.session().close("the server socket was closed"));
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        server.stopListening().awaitUninterruptibly();
    }
}
