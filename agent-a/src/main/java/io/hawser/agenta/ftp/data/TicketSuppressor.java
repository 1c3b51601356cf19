package io.hawser.agenta.ftp.data;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

/**
 * Keeps a TLS 1.3 server from sending session tickets on a data connection. A client that uploads never reads them; when it
 * closes, its kernel sees unread bytes, sends a reset, and drops what it has not sent yet: the end of the file. (The JDK sends
 * tickets after each handshake and has no switch for one connection, but none for a session that is no longer valid; the
 * session itself lives on in the control connection's ticket. TLS 1.2 sends its ticket within the handshake, where it is read.)
 *
 * <p>Thread: the loop of its one channel, below TLS.
 */
final class TicketSuppressor extends ChannelInboundHandlerAdapter {
    private static final String TLS_1_3 = "TLSv1.3";

    private final SSLEngine engine;

    TicketSuppressor(SSLEngine engine) {
        this.engine = engine;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        SSLSession session = engine.getHandshakeSession(); // from our hello on, so before the client's Finished is read
        if (session != null) {
            if (session.getProtocol().equals(TLS_1_3)) {
                session.invalidate();
            }
            ctx.pipeline().remove(this);
        }
        ctx.fireChannelRead(message);
    }
}
