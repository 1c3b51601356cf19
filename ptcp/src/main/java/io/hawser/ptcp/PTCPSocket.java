package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Socket} whose bytes travel over several TCP connections. It connects to a {@link PTCPServerSocket}, blocks as other
 * sockets do, throws their exceptions, and survives the death of single connections. {@code ptcp/README.md} has the few points
 * in which it differs from a TCP socket.
 *
 * <p>Thread: any, as with other sockets.
 */
public class PTCPSocket extends Socket {
    /** Creates an unconnected socket with {@link PtcpOptions#DEFAULT}, which is clear text. */
    public PTCPSocket() throws IOException {
        this(PtcpOptions.DEFAULT);
    }

    /** Creates an unconnected socket. */
    public PTCPSocket(PtcpOptions options) throws IOException {
        super(new PtcpSocketImpl(options, false));
    }

    /** Creates a socket and connects it. */
    public PTCPSocket(String host, int port) throws IOException {
        this(PtcpOptions.DEFAULT, null, new InetSocketAddress(host, port));
    }

    /** Creates a socket and connects it. */
    public PTCPSocket(InetAddress address, int port) throws IOException {
        this(PtcpOptions.DEFAULT, null, new InetSocketAddress(address, port));
    }

    /** Creates a socket and connects it from a local address; see {@link #bind}. */
    public PTCPSocket(String host, int port, @Nullable InetAddress localAddress, int localPort) throws IOException {
        this(PtcpOptions.DEFAULT, new InetSocketAddress(localAddress, localPort), new InetSocketAddress(host, port));
    }

    /** Creates a socket and connects it from a local address; see {@link #bind}. */
    public PTCPSocket(InetAddress address, int port, @Nullable InetAddress localAddress, int localPort)
            throws IOException {
        this(PtcpOptions.DEFAULT, new InetSocketAddress(localAddress, localPort), new InetSocketAddress(address, port));
    }

    /**
     * Creates a socket and connects it.
     *
     * @param local where from, or null
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
