package io.hawser.agenta.ftp;

import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * FTP over TLS, RFC 4217.
 *
 * @param context the server's certificate and its session cache; control and data connections share it, so a client resumes
 *     the one's session on the other
 * @param required whether nobody may log in or transfer without it
 * @param implicit where clients connect that begin with TLS at once, or null
 */
public record FtpTls(
        SslContext context, boolean required, @Nullable InetSocketAddress implicit) {}
