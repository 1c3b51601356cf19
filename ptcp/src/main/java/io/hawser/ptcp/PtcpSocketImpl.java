package io.hawser.ptcp;

import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.Future;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link PTCPSocket} and {@link PTCPServerSocket} with a byte stream over a session, or a listener for byte streams. Throws the exceptions of the JDK's sockets, which begin with the same words.
 *
 * <p>Thread: any.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the listener of the future is what counts
final class PtcpSocketImpl extends SocketImpl {
    /** The greeting of both ends of a byte stream. */
    static final byte[] GREETING = "ptcp-byte-stream-1".getBytes(StandardCharsets.US_ASCII);

    private static final int DEFAULT_BACKLOG = 50;

    /** Closes a socket that a program dropped without a close, as the JDK does; its session would stay open until the process ends. */
    private static final Cleaner LOST = Cleaner.create();

    private final PtcpOptions options;
    private final boolean isServer;
    private final AtomicReference<CompletableFuture<PtcpSession>> dialled = new AtomicReference<>();
    private volatile ByteStream stream;
    private volatile @Nullable InetAddress local;
    private volatile @Nullable Backlog backlog;
    private volatile Cleaner.@Nullable Cleanable closing;
    private volatile boolean closed;

    /** Reserves the port of a bound socket until it connects. */
    private volatile @Nullable Socket placeholder;

    PtcpSocketImpl(PtcpOptions options, boolean isServer) {
        this.options = options;
        this.isServer = isServer;
        stream = new ByteStream(new SocketSettings(isServer));
    }

    @Override
    protected void create(boolean isStream) throws IOException {
        if (!isStream) {
            throw new SocketException("PTCP has no datagrams");
        }
        fd = new FileDescriptor();
    }

    // ---- connecting

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(InetAddress host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    /** Closes the socket if the connect fails, as the JDK does. */
    @Override
    protected void connect(SocketAddress to, int timeoutMillis) throws IOException {
        if (!(to instanceof InetSocketAddress target)) {
            throw new SocketException("PTCP connects to internet addresses only");
        }
        if (target.isUnresolved()) {
            throw new UnknownHostException(target.getHostString());
        }
        try {
            InetAddress host = target.getAddress();
            address = host.isAnyLocalAddress() ? InetAddress.getLocalHost() : host;
            port = target.getPort();
            PtcpSession session = dial(new InetSocketAddress(address, port), timeoutMillis);
            takeLocalAddress(session);
            closeWhenLost(stream::close);
            checkOpen();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private PtcpSession dial(InetSocketAddress target, int timeoutMillis) throws IOException {
        CompletableFuture<PtcpSession> result = new CompletableFuture<>();
        if (!dialled.compareAndSet(null, result)) {
            throw new SocketException("Connection in progress");
        }
        checkOpen();
        PtcpOptions patient =
                timeoutMillis == 0 ? options : options.withConnectTimeout(Duration.ofMillis(timeoutMillis));
        new PtcpDialler(channels())
                .connect(SharedSocketResources.group(), target, GREETING, patient, stream)
                .addListener((Future<PtcpSession> done) -> {
                    if (done.isSuccess()) {
                        result.complete(done.getNow());
                    } else {
                        result.completeExceptionally(done.cause());
                    }
                });
        try {
            return result.join();
        } catch (CompletionException e) {
            throw ConnectExceptionTranslator.of(e.getCause() == null ? e : e.getCause(), target);
        }
    }

    /** Dials from the bound address: the first connection, the communication channel, from the bound port, the others from any. */
    private ChannelDialler channels() throws IOException {
        Socket held = placeholder;
        if (held == null) {
            return ChannelDialler.DIRECT;
        }
        InetAddress host = held.getLocalAddress();
        AtomicInteger nextPort = new AtomicInteger(held.getLocalPort());
        held.close();
        return (loop, address, pipeline, timeout) -> ChannelDialler.bootstrap(loop, pipeline, timeout)
                .option(ChannelOption.SO_REUSEADDR, true)
                .connect(address, new InetSocketAddress(host, nextPort.getAndSet(0)));
    }

    private void takeLocalAddress(PtcpSession session) {
        if (((NettySession) session).localAddress() instanceof InetSocketAddress own) {
            local = own.getAddress();
            localport = own.getPort();
        }
    }

    /** {@link #listen} takes a server's port; a socket's is reserved until it connects. */
    @Override
    protected void bind(InetAddress host, int toPort) throws IOException {
        checkOpen();
        local = host;
        localport = toPort;
        if (isServer) {
            // SocketImpl keeps a listener's own address in the field of the peer's.
            address = host;
            return;
        }
        Socket held = new Socket();
        try {
            held.setReuseAddress(settings().reuseAddress());
            held.bind(new InetSocketAddress(host, toPort));
            localport = held.getLocalPort();
            placeholder = held;
        } catch (IOException e) {
            held.close();
            throw e;
        }
    }

    @Override
    protected void listen(int limit) throws IOException {
        checkOpen();
        InetSocketAddress where = new InetSocketAddress(local, localport);
        Backlog listening = new Backlog(where, limit < 1 ? DEFAULT_BACKLOG : limit, options, settings());
        backlog = listening;
        localport = listening.localPort();
        closeWhenLost(listening::close);
    }

    /** Static, because the cleaner's action must not refer to this object. */
    private void closeWhenLost(Runnable close) {
        closing = LOST.register(this, close);
    }

    @Override
    protected void accept(SocketImpl into) throws IOException {
        Backlog listening = backlog;
        if (!(into instanceof PtcpSocketImpl target)) {
            throw new SocketException("a PTCP server socket accepts PTCP sockets only");
        } else if (listening == null) {
            throw new SocketException("Not bound");
        }
        target.adopt(listening.take());
    }

    private void adopt(Backlog.Pending accepted) {
        stream = accepted.stream();
        closeWhenLost(stream::close);
        takeLocalAddress(accepted.session());
        if (accepted.session().remoteAddress() instanceof InetSocketAddress remote) {
            address = remote.getAddress();
            port = remote.getPort();
        }
    }

    // ---- reading and writing

    @Override
    protected InputStream getInputStream() {
        return stream.reader();
    }

    @Override
    protected OutputStream getOutputStream() {
        return stream.writer();
    }

    @Override
    protected int available() throws IOException {
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

    /** Closes the socket and ends blocked calls. */
    @Override
    protected void close() throws IOException {
        closed = true;
        Socket held = placeholder;
        if (held != null) {
            held.close();
        }
        CompletableFuture<PtcpSession> dialling = dialled.get();
        if (dialling != null) {
            dialling.completeExceptionally(new SocketException("Socket closed"));
        }
        Cleaner.Cleanable open = closing;
        if (open == null) {
            stream.close();
        } else {
            open.clean();
        }
    }

    private void checkOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        return false;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("Urgent data not supported");
    }

    // ---- options

    private SocketSettings settings() {
        return stream.settings();
    }

    @Override
    public void setOption(int id, Object value) throws SocketException {
        checkOpen();
        settings().set(id, value);
    }

    @Override
    public @Nullable Object getOption(int id) throws SocketException {
        checkOpen();
        return id == SocketOptions.SO_BINDADDR ? local : settings().get(id);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return settings().supported();
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        checkOpen();
        settings().set(option, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        checkOpen();
        return settings().get(option);
    }
}
