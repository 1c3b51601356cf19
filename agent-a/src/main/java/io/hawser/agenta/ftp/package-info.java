/**
 * The FTP and GridFTP front. {@link io.hawser.agenta.ftp.FtpServer} listens and gives each control connection a session. The packages
 * below it, each of which knows those before it: {@code control} (bytes to commands, replies to bytes), {@code data} and {@code modee}
 * (data connections), {@code login}, {@code session}, {@code download}, {@code namespace}, {@code upload}, {@code command} (the table of
 * commands). What is not FTP is in {@code io.hawser.agenta.namespace}, {@code upload}, {@code download}, {@code account} and {@code custody}.
 */
@NullMarked
package io.hawser.agenta.ftp;

import org.jspecify.annotations.NullMarked;
