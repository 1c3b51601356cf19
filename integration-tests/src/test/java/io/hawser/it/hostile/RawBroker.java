package io.hawser.it.hostile;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.NodeId;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.MalformedMessageException;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpServer;
import io.hawser.ptcp.PtcpSession;
import io.hawser.ptcp.SessionAdmission;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A broker without TLS that takes every session and then says what it is told to say.
 *
 * <p>Thread: any.
 */
final class RawBroker implements AutoCloseable {
    private static final NodeId ID = new NodeId(0xBAD, 0xBAD);

    private final Map<Greeting.Role, RawNode> sessions = new ConcurrentHashMap<>();
    private final PtcpServer server;

    private RawBroker(EventLoopGroup loops) throws PtcpException {
        server = PtcpServer.listen(loops, new InetSocketAddress("127.0.0.1", 0), PtcpOptions.DEFAULT, new Acceptor());
    }

    static RawBroker listen(EventLoopGroup loops) throws PtcpException {
        return new RawBroker(loops);
    }

    HostPort address() {
        return new HostPort("127.0.0.1", server.localAddress().getPort());
    }

    /** The latest session of a node of that role. */
    Optional<RawNode> session(Greeting.Role role) {
        return Optional.ofNullable(sessions.get(role));
    }

    @Override
    public void close() {
        server.close();
    }

    private final class Acceptor implements SessionAdmission {
        @Override
        public Answer accept(byte[] greeting, String principal, SocketAddress remoteAddress) {
            byte[] own = new Greeting(Greeting.Role.BROKER, ID, 1).encode();
            return new Accepted(own, RawNode.handler(this::opened));
        }

        private void opened(PtcpSession session, PtcpHandler handler) {
            try {
                Greeting peer = Greeting.decode(session.peerGreeting());
                sessions.put(peer.role(), RawNode.accepted(peer.node(), session, handler));
            } catch (MalformedMessageException e) {
                session.close("unusable greeting");
            }
        }
    }
}
