package io.hawser.ptcp.contract;

import io.hawser.ptcp.PTCPServerSocketFactory;
import io.hawser.ptcp.PTCPSocketFactory;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/** Which sockets a test is about. */
@SuppressWarnings("ImmutableEnumChecker") // factories of sockets never change
enum SocketKind {
    PLAIN(SocketFactory.getDefault(), ServerSocketFactory.getDefault()),
    PTCP(new PTCPSocketFactory(), new PTCPServerSocketFactory());

    final SocketFactory sockets;
    final ServerSocketFactory servers;

    SocketKind(SocketFactory sockets, ServerSocketFactory servers) {
        this.sockets = sockets;
        this.servers = servers;
    }
}
