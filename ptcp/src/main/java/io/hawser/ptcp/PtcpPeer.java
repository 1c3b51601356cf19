package io.hawser.ptcp;

import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * The peer that asks for a session.
 *
 * @param certificate what it showed in the TLS handshake; null without TLS
 * @param address where it comes from
 * @param sessions how many sessions it has here already, also such that are still being made: of its certificate's subject, or without TLS of
 *     its address
 */
public record PtcpPeer(@Nullable X509Certificate certificate, SocketAddress address, int sessions) {
    /** Subject of its certificate (RFC 2253), or an empty string. */
    public String principal() {
        return certificate == null ? "" : certificate.getSubjectX500Principal().getName();
    }
}
