package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes {@link PTCPSocket}s where a library takes a {@link SocketFactory}. A local address cannot be chosen.
 *
 * <p>Thread: any.
 */
public final class PTCPSocketFactory extends SocketFactory {
    private final PtcpOptions options;

    /** Creates a factory of sockets with these options. */
    public PTCPSocketFactory(PtcpOptions options) {
        this.options = options;
    }

    @Override
    public Socket createSocket() throws IOException {
        return new PTCPSocket(options);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(host, port);
    }

    private Socket connected(InetSocketAddress address) throws IOException {
        PTCPSocket socket = new PTCPSocket(options);
        socket.connect(address);
        return socket;
    }
}
