package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;

/**
 * Makes {@link PTCPServerSocket}s where a library takes a {@link ServerSocketFactory}.
 *
 * <p>Thread: any.
 */
public final class PTCPServerSocketFactory extends ServerSocketFactory {
    private static final int DEFAULT_BACKLOG = 50;

    private final PtcpOptions options;

    /** Creates a factory of server sockets with these options. */
    public PTCPServerSocketFactory(PtcpOptions options) {
        this.options = options;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new PTCPServerSocket(options);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, DEFAULT_BACKLOG);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return bound(new InetSocketAddress(port), backlog);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
        return bound(new InetSocketAddress(address, port), backlog);
    }

    private ServerSocket bound(InetSocketAddress address, int backlog) throws IOException {
        PTCPServerSocket socket = new PTCPServerSocket(options);
        socket.bind(address, backlog);
        return socket;
    }
}
