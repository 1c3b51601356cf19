/**
 * How a client gets into a session: {@link io.hawser.agenta.ftp.login.SessionLogin} (USER and PASS), {@link
 * io.hawser.agenta.ftp.login.SessionTls} (RFC 4217) and {@link io.hawser.agenta.ftp.login.SessionGsi} (RFC 2228), and what protects its data
 * connections ({@link io.hawser.agenta.ftp.login.DataProtection}).
 */
@NullMarked
package io.hawser.agenta.ftp.login;

import org.jspecify.annotations.NullMarked;
