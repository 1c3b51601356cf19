/**
 * The syntax of FTP that both agents share: command lines, replies, path names, MODE E headers. No sockets.
 *
 * <p>Bytes from a control connection go through {@link io.hawser.core.ftp.CommandLineParser}, which removes the Telnet
 * layer and returns {@link io.hawser.core.ftp.CommandLine}s. Names in them are text of
 * {@link io.hawser.core.ftp.NameEncoding}, which loses no byte; {@link io.hawser.core.ftp.FtpPath} is an absolute,
 * normalised path. {@link io.hawser.core.ftp.ReplyCode} lists the three-digit codes.
 */
@NullMarked
package io.hawser.core.ftp;

import org.jspecify.annotations.NullMarked;
