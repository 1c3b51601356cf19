package io.hawser.agenta.ftp.login;

import io.hawser.core.tls.OneWayTls;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The FTP server's TLS settings: certificate, whether TLS is required, session reuse, and the implicit-TLS port.
 *
 * @param keys the server's certificate; each control connection has a context of its own, which its data connections share, so
 *     what they resume is its session and no other
 * @param required whether logins and transfers without it are refused
 * @param reuse whether data connections must resume the control connection's session
 * @param implicit where clients connect that begin with TLS at once, or null
 */
public record FtpTls(
        OneWayTls keys,
        boolean required,
        TlsReuse reuse,
        @Nullable InetSocketAddress implicit) {}
