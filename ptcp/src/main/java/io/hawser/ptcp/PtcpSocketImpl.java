package io.hawser.ptcp;

import io.netty.util.concurrent.Future;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@link PTCPSocket} and {@link PTCPServerSocket}: a byte stream over a session, or a listener for such.
 *
 * <p>Thread: any.
 */
final class PtcpSocketImpl extends SocketImpl {
    private static final byte[] GREETING = "ptcp-byte-stream-1".getBytes(StandardCharsets.US_ASCII);
    private static final long DEFAULT_LINGER_MILLIS = 10_000;

    private final PtcpOptions options;
    private final Map<Integer, Object> values = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition accepted = lock.newCondition();
    private final Deque<Pending> backlog = new ArrayDeque<>();
    private ByteStream stream = new ByteStream();
    private @Nullable InetSocketAddress bound;
    private @Nullable PtcpServer server;
    private int backlogLimit;
    private volatile int timeoutMillis;
    private volatile long lingerMillis = DEFAULT_LINGER_MILLIS;
    private volatile boolean closed;

    /** A session that was accepted by the network and not yet by the user. */
    private record Pending(ByteStream stream, PtcpSession session) {}

    PtcpSocketImpl(PtcpOptions options) {
        this.options = options;
    }

    @Override
    protected void create(boolean isStream) throws IOException {
        if (!isStream) {
            throw new SocketException("PTCP has no datagrams");
        }
        fd = new FileDescriptor();
    }

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(InetAddress host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(SocketAddress to, int connectTimeoutMillis) throws IOException {
        if (!(to instanceof InetSocketAddress target)) {
            throw new SocketException("PTCP connects to internet addresses only");
        }
        PtcpOptions dialled = connectTimeoutMillis == 0
                ? options
                : new PtcpOptions(
                        options.streams(),
                        options.heartbeatInterval(),
                        options.heartbeatTimeout(),
                        Duration.ofMillis(connectTimeoutMillis),
                        options.ssl());
        Future<PtcpSession> future = new PtcpDialler().connect(SharedLoops.group(), target, GREETING, dialled, stream);
        future.awaitUninterruptibly();
        if (!future.isSuccess()) {
            throw connectFailure(future.cause());
        }
        adopt(stream, future.getNow());
        if (closed) {
            stream.close(0);
            throw new SocketException("the socket was closed while it connected");
        }
    }

    private static IOException connectFailure(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof PtcpException ptcp && ptcp.code() == PtcpErrorCode.TIMEOUT) {
            return (IOException) new SocketTimeoutException(message).initCause(cause);
        } else if (cause instanceof PtcpException ptcp && ptcp.code() == PtcpErrorCode.CONNECTION_LOST) {
            return (IOException) new ConnectException(message).initCause(cause);
        }
        return cause instanceof IOException io ? io : new IOException(message, cause);
    }

    private void adopt(ByteStream open, PtcpSession session) {
        stream = open;
        if (session.remoteAddress() instanceof InetSocketAddress remote) {
            address = remote.getAddress();
            port = remote.getPort();
        }
        if (((NettySession) session).localAddress() instanceof InetSocketAddress local) {
            bound = local;
            localport = local.getPort();
        }
    }

    @Override
    protected void bind(InetAddress host, int toPort) {
        bound = new InetSocketAddress(host, toPort);
        localport = toPort;
    }

    @Override
    protected void listen(int limit) throws IOException {
        backlogLimit = Math.max(1, limit);
        InetSocketAddress where = bound == null ? new InetSocketAddress(0) : bound;
        server = PtcpServer.listen(SharedLoops.group(), where, options, this::answer);
        bound = server.localAddress();
        localport = bound.getPort();
        // A listening socket's own address stands where a connected one has its peer's.
        address = bound.getAddress();
    }

    /** On the server's loop. */
    private PtcpAcceptor.Answer answer(byte[] greeting, String principal, SocketAddress remote) {
        if (!Arrays.equals(greeting, GREETING)) {
            return new PtcpAcceptor.Refused("this port takes byte streams (PTCPSocket) only");
        }
        return new PtcpAcceptor.Accepted(GREETING, new QueueingStream());
    }

    /** A byte stream that waits in the backlog from when its session is open. */
    private final class QueueingStream extends ForwardingHandler {
        private final ByteStream accepting = new ByteStream();

        @Override
        PtcpHandler target() {
            return accepting;
        }

        @Override
        public void onOpen(PtcpSession session) {
            accepting.onOpen(session);
            lock.lock();
            try {
                if (closed || backlog.size() >= backlogLimit) {
                    session.close("nobody accepts connections at this port now");
                    return;
                }
                backlog.add(new Pending(accepting, session));
                accepted.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    protected void accept(SocketImpl into) throws IOException {
        if (!(into instanceof PtcpSocketImpl target)) {
            throw new SocketException("a PTCP server socket accepts PTCP sockets only");
        }
        Pending next = takePending();
        target.adopt(next.stream(), next.session());
    }

    private Pending takePending() throws IOException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lock();
        try {
            while (backlog.isEmpty()) {
                if (closed) {
                    throw new SocketException("the server socket is closed");
                }
                if (timeoutMillis == 0) {
                    accepted.await();
                } else if (left <= 0) {
                    throw new SocketTimeoutException("nobody connected in time");
                } else {
                    left = accepted.awaitNanos(left);
                }
            }
            return backlog.remove();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("interrupted");
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected InputStream getInputStream() {
        return new PtcpInputStream(stream, this::timeoutMillis);
    }

    @Override
    protected OutputStream getOutputStream() {
        return new PtcpOutputStream(stream);
    }

    private int timeoutMillis() {
        return timeoutMillis;
    }

    @Override
    protected int available() {
        return stream.available();
    }

    @Override
    protected void shutdownInput() {
        stream.shutInput();
    }

    @Override
    protected void shutdownOutput() {
        stream.endOutput();
    }

    @Override
    protected void close() {
        closed = true;
        PtcpServer listening = server;
        if (listening == null) {
            stream.close(lingerMillis);
            return;
        }
        lock.lock();
        try {
            backlog.forEach(pending -> pending.session().close("the server socket was closed"));
            backlog.clear();
            accepted.signalAll();
        } finally {
            lock.unlock();
        }
        listening.stopListening();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("PTCP has no urgent data");
    }

    @Override
    public void setOption(int id, Object value) {
        values.put(id, value);
        if (id == SocketOptions.SO_TIMEOUT && value instanceof Integer millis) {
            timeoutMillis = millis;
        } else if (id == SocketOptions.SO_LINGER) {
            lingerMillis = value instanceof Integer seconds && seconds >= 0
                    ? TimeUnit.SECONDS.toMillis(seconds)
                    : DEFAULT_LINGER_MILLIS;
        }
    }

    @Override
    public @Nullable Object getOption(int id) {
        return switch (id) {
            case SocketOptions.SO_TIMEOUT -> timeoutMillis;
            case SocketOptions.SO_BINDADDR ->
                bound == null ? new InetSocketAddress(0).getAddress() : bound.getAddress();
            case SocketOptions.SO_LINGER -> values.getOrDefault(id, -1);
            case SocketOptions.TCP_NODELAY -> true;
            case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF ->
                values.getOrDefault(id, (int) ByteStream.WINDOW_BYTES);
            case SocketOptions.IP_TOS -> values.getOrDefault(id, 0);
            default -> values.getOrDefault(id, false);
        };
    }
}
