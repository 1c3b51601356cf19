package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ServerSocket} that accepts {@link PTCPSocket}s. It refuses other connections to its port before they reach {@link #accept}.
 * Accepted sockets stay open after {@link #close}, but lost connections of theirs are then not replaced. There are no callbacks.
 *
 * <p>Any thread may call any method. Only {@link #accept} blocks; the constructors with a port bind it and throw an {@link IOException}
 * if they cannot.
 */
public class PTCPServerSocket extends ServerSocket {
    private static final int DEFAULT_BACKLOG = 50;

    private final PtcpOptions options;

    /** Creates an unbound server socket in clear text. */
    public PTCPServerSocket() throws IOException {
        this(PtcpOptions.DEFAULT);
    }

    /** Creates an unbound server socket. */
    public PTCPServerSocket(PtcpOptions options) throws IOException {
        super(new PtcpSocketImpl(options, true));
        this.options = options;
    }

    /** Creates a server socket that listens on {@code port} of all addresses; 0 takes a free one. */
    public PTCPServerSocket(int port) throws IOException {
        this(PtcpOptions.DEFAULT, port, DEFAULT_BACKLOG, null);
    }

    /** Creates a server socket that listens on {@code port} of all addresses, where {@code backlog} may wait for an accept. */
    public PTCPServerSocket(int port, int backlog) throws IOException {
        this(PtcpOptions.DEFAULT, port, backlog, null);
    }

    /** Creates a server socket that listens on one address, or on all if it is null. */
    public PTCPServerSocket(int port, int backlog, @Nullable InetAddress address) throws IOException {
        this(PtcpOptions.DEFAULT, port, backlog, address);
    }

    /** Creates a server socket that listens on one address, or on all if it is null. */
    public PTCPServerSocket(PtcpOptions options, int port, int backlog, @Nullable InetAddress address)
            throws IOException {
        this(options);
        try {
            bind(new InetSocketAddress(address, port), backlog);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public Socket accept() throws IOException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        } else if (!isBound()) {
            throw new SocketException("Socket is not bound yet");
        }
        PTCPSocket socket = new PTCPSocket(options);
        implAccept(socket);
        return socket;
    }
}
