package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A {@link ServerSocket} that accepts {@link PTCPSocket}s. Closing it leaves the sockets that were accepted open.
 *
 * <p>Thread: any, as with other sockets.
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
        super(new PtcpSocketImpl(options));
        this.options = options;
    }

    /** Creates a server socket that listens on {@code port} of all addresses; 0 takes a free one. */
    public PTCPServerSocket(int port) throws IOException {
        this();
        bind(new InetSocketAddress(port), DEFAULT_BACKLOG);
    }

    /** Creates a server socket that listens on one address. */
    public PTCPServerSocket(int port, int backlog, InetAddress address) throws IOException {
        this();
        bind(new InetSocketAddress(address, port), backlog);
    }

    @Override
    public Socket accept() throws IOException {
        if (isClosed() || !isBound()) {
            throw new java.net.SocketException(isClosed() ? "the server socket is closed" : "not bound yet");
        }
        PTCPSocket socket = new PTCPSocket(options);
        implAccept(socket);
        return socket;
    }
}
