package io.hawser.it.ptcp;

import io.hawser.ptcp.PTCPServerSocket;
import io.hawser.ptcp.PTCPSocket;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** RMI's two factories; the first travels to clients inside stubs, and RMI compares both. */
final class PtcpRmiSockets implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
    /** How many sockets all of them made in this process. */
    static final AtomicInteger MADE = new AtomicInteger();

    private static final long serialVersionUID = 1L;
    private static final int BACKLOG = 50;

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        MADE.incrementAndGet();
        return new PTCPSocket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return new PTCPServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PtcpRmiSockets;
    }

    @Override
    public int hashCode() {
        return 1;
    }
}
