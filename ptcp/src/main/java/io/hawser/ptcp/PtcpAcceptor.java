package io.hawser.ptcp;

import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;

/** Decides whether a {@link PtcpServer} accepts a session. */
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
     * Something must be made durable first, or read. The peer waits as an unknown one does, and is dropped if that takes too long.
     *
     * @param refusal completes, on any thread, with a sentence as of {@link Refused}; or with an empty one, and then the acceptor is asked
     *     again
     */
    record Later(CompletionStage<String> refusal) implements Answer {}

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
