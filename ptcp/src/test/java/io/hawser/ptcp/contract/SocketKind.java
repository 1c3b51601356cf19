package io.hawser.ptcp.contract;

import io.hawser.ptcp.PTCPServerSocketFactory;
import io.hawser.ptcp.PTCPSocketFactory;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpTuning;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/** Which sockets a test is about. */
@SuppressWarnings("ImmutableEnumChecker") // factories of sockets never change
enum SocketKind {
    PLAIN(SocketFactory.getDefault(), ServerSocketFactory.getDefault()),
    PTCP(PtcpOptions.DEFAULT),
    /** As many data connections as measurement finds best. */
    PTCP_AUTO(PtcpOptions.DEFAULT.withStreams(PtcpOptions.MAX_STREAMS).withTuning(PtcpTuning.AUTO));

    final SocketFactory sockets;
    final ServerSocketFactory servers;

    SocketKind(PtcpOptions options) {
        this(new PTCPSocketFactory(options), new PTCPServerSocketFactory(options));
    }

    SocketKind(SocketFactory sockets, ServerSocketFactory servers) {
        this.sockets = sockets;
        this.servers = servers;
    }
}
