package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@link PTCPSocket}s for a library that takes a {@link SocketFactory}. A library that takes a class name gets this class, or
 * a subclass with its own options. Methods with a host connect, and so block and throw as the constructors of {@link PTCPSocket}.
 *
 * <p>Any thread may call any method.
 */
public class PTCPSocketFactory extends SocketFactory {
    private final PtcpOptions options;

    /** Creates a factory of sockets with {@link PtcpOptions#DEFAULT}, which is clear text. */
    public PTCPSocketFactory() {
        this(PtcpOptions.DEFAULT);
    }

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
        return new PTCPSocket(options, null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return new PTCPSocket(options, null, new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, @Nullable InetAddress localHost, int localPort)
            throws IOException {
        return new PTCPSocket(options, new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, @Nullable InetAddress localHost, int localPort)
            throws IOException {
        return new PTCPSocket(options, new InetSocketAddress(localHost, localPort), new InetSocketAddress(host, port));
    }
}
