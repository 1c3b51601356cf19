package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.ForwardingSocket;
import java.net.Socket;

/**
 * A connected socket that reports another remote port. JSSE finds the session to resume by the host and port of the socket below TLS; with the
 * control connection's port a data connection resumes that session, without reflection into JSSE.
 *
 * <p>Thread: as the wrapped socket.
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
