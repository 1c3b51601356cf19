package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.ForwardingSocket;
import java.net.Socket;

/**
 * A connected socket that shows another remote port. JSSE looks for a session to resume by the host and the port that the socket below
 * TLS shows; with the control connection's port shown on a data connection it finds that session, without reaching into JSSE.
 *
 * <p>Thread: as the socket that it stands for.
 */
final class RemotePortOverride extends ForwardingSocket {
    private final int port;

    RemotePortOverride(Socket socket, int port) {
        super(socket);
        this.port = port;
    }

    @Override
    public int getPort() {
        return port;
    }
}
