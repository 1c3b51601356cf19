package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A {@link Socket} whose bytes travel over several TCP connections. It connects to a {@link PTCPServerSocket}, blocks as other
 * sockets do, and survives the death of single connections.
 *
 * <p>Where it differs from a TCP socket: {@link #close()} waits until the other end has received what was written, at most 10 s
 * or what {@link #setSoLinger} says; there is no urgent data and no {@link java.nio.channels.SocketChannel}.
 *
 * <p>Thread: any, as with other sockets.
 */
public class PTCPSocket extends Socket {
    /** Creates an unconnected socket with four streams in clear text. */
    public PTCPSocket() throws IOException {
        this(PtcpOptions.DEFAULT);
    }

    /** Creates an unconnected socket. */
    public PTCPSocket(PtcpOptions options) throws IOException {
        super(new PtcpSocketImpl(options));
    }

    /** Creates a socket and connects it. */
    public PTCPSocket(String host, int port) throws IOException {
        this(PtcpOptions.DEFAULT);
        connect(new InetSocketAddress(host, port));
    }

    /** Creates a socket and connects it. */
    public PTCPSocket(InetAddress address, int port) throws IOException {
        this(PtcpOptions.DEFAULT);
        connect(new InetSocketAddress(address, port));
    }
}
