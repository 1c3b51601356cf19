package io.hawser.ptcp;

import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;

/** Decides whether a {@link PtcpServer} accepts a session. The server's loop makes all calls; an implementation must not block. */
@FunctionalInterface
public interface SessionAdmission {
    /** The answer to a peer. */
    sealed interface Answer {}

    /**
     * The session is made.
     *
     * @param greeting for the dialler, at most 1 KiB
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
     * The decision needs a disk first. The peer waits, at most {@link PtcpOptions#connectTimeout()}.
     *
     * @param refusal completes, on any thread, with a sentence as of {@link Refused}, or with an empty one: the server then calls the
     *     acceptor again
     */
    record Later(CompletionStage<String> refusal) implements Answer {}

    /**
     * Decides on a session.
     *
     * @param greeting the dialler's
     * @param principal subject of its certificate (RFC 2253), or an empty string without TLS or without a certificate
     */
    Answer accept(byte[] greeting, String principal, SocketAddress remoteAddress);

    /** Decides on a session by certificate and number of sessions. The server calls this method. */
    default Answer accept(byte[] greeting, PtcpPeer peer) {
        return accept(greeting, peer.principal(), peer.address());
    }
}
