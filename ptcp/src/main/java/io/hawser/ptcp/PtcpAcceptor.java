package io.hawser.ptcp;

import java.net.SocketAddress;

/** Decides about the sessions that peers ask a {@link PtcpServer} for. */
@FunctionalInterface
public interface PtcpAcceptor {
    /** The answer to a peer. */
    sealed interface Answer {}

    /**
     * The session is made.
     *
     * @param greeting what this side says of itself, at most 1 KiB
     * @param handler of this session alone
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Accepted(byte[] greeting, PtcpHandler handler) implements Answer {}

    /**
     * The session is not made; the peer gets {@link PtcpErrorCode#GREETING_REFUSED}.
     *
     * @param sentence for the peer's user: why, and what to do
     */
    record Refused(String sentence) implements Answer {}

    /**
     * A peer asks for a session. Must not block.
     *
     * @param greeting what the peer says of itself
     * @param principal subject of its certificate (RFC 2253), or an empty string without TLS or without a certificate
     */
    Answer accept(byte[] greeting, String principal, SocketAddress remoteAddress);

    /** The same for an acceptor that looks into certificates; this one is called. */
    default Answer accept(byte[] greeting, PtcpPeer peer) {
        return accept(greeting, peer.principal(), peer.address());
    }
}
