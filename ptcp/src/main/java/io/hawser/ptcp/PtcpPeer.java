package io.hawser.ptcp;

import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * The peer that dials a session.
 *
 * @param certificate its certificate in the TLS handshake; null without TLS
 * @param address its address
 * @param sessions how many sessions its certificate's subject, or without TLS its address, has here, including those that are still opening
 */
public record PtcpPeer(@Nullable X509Certificate certificate, SocketAddress address, int sessions) {
    /** Subject of its certificate (RFC 2253), or an empty string. */
    public String principal() {
        return certificate == null ? "" : certificate.getSubjectX500Principal().getName();
    }
}
