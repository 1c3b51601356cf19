package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link PTCPSocket}s where a library takes a {@link SocketFactory}. One that takes the name of a class gets this, or that
 * of a subclass with options of its own.
 *
 * <p>Thread: any.
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
