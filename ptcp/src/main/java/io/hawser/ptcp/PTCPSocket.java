package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Socket} whose bytes travel over several TCP connections. It connects to a {@link PTCPServerSocket}, blocks where other
 * sockets block, throws their exceptions, and survives the loss of single connections. {@code ptcp/README.md} lists where it differs from
 * a TCP socket. There are no callbacks.
 *
 * <p>Any thread may call any method, as with other sockets.
 */
public class PTCPSocket extends Socket {
    /** Creates an unconnected socket with {@link PtcpOptions#DEFAULT}, which is clear text. Does not block. */
    public PTCPSocket() throws IOException {
        this(PtcpOptions.DEFAULT);
    }

    /** Creates an unconnected socket. Does not block. */
    public PTCPSocket(PtcpOptions options) throws IOException {
        super(new PtcpSocketImpl(options, false));
    }

    /**
     * Creates a socket with {@link PtcpOptions#DEFAULT} and connects it. Blocks for the look-up of the name and at most {@link
     * PtcpOptions#connectTimeout}.
     *
     * @throws IOException as {@link #connect} throws
     */
    public PTCPSocket(String host, int port) throws IOException {
        this(PtcpOptions.DEFAULT, null, new InetSocketAddress(host, port));
    }

    /**
     * Creates a socket with {@link PtcpOptions#DEFAULT} and connects it. Blocks at most {@link PtcpOptions#connectTimeout}.
     *
     * @throws IOException as {@link #connect} throws
     */
    public PTCPSocket(InetAddress address, int port) throws IOException {
        this(PtcpOptions.DEFAULT, null, new InetSocketAddress(address, port));
    }

    /**
     * Creates a socket and connects it from a local address; see {@link #bind}. Blocks as the constructors without one.
     *
     * @throws IOException as {@link #bind} and {@link #connect} throw
     */
    public PTCPSocket(String host, int port, @Nullable InetAddress localAddress, int localPort) throws IOException {
        this(PtcpOptions.DEFAULT, new InetSocketAddress(localAddress, localPort), new InetSocketAddress(host, port));
    }

    /**
     * Creates a socket and connects it from a local address; see {@link #bind}. Blocks as the constructors without one.
     *
     * @throws IOException as {@link #bind} and {@link #connect} throw
     */
    public PTCPSocket(InetAddress address, int port, @Nullable InetAddress localAddress, int localPort)
            throws IOException {
        this(PtcpOptions.DEFAULT, new InetSocketAddress(localAddress, localPort), new InetSocketAddress(address, port));
    }

    /**
     * Creates a socket and connects it. Blocks at most {@link PtcpOptions#connectTimeout}.
     *
     * @param local the local address, or null for any
     * @throws IOException as {@link #bind} and {@link #connect} throw
     */
    public PTCPSocket(PtcpOptions options, @Nullable InetSocketAddress local, InetSocketAddress remote)
            throws IOException {
        this(options);
        try {
            if (local != null) {
                bind(local);
            }
            connect(remote);
        } catch (IOException | IllegalArgumentException e) {
            close();
            throw e;
        }
    }
}
