/**
 * The FTP front end: the control connection.
 *
 * <p>{@link io.hawser.agenta.ftp.FtpServer} listens. Each control connection is a {@link io.hawser.agenta.ftp.ControlChannel}
 * (bytes to commands, replies to bytes) and an {@link io.hawser.agenta.ftp.FtpSession} (who is logged in, where, with which
 * transfer settings), which runs one {@link io.hawser.agenta.ftp.FtpCommand} after the other. The commands themselves are in
 * the package {@code command}; they see the session and nothing of Netty.
 *
 * <p>An upload is opened by {@link io.hawser.agenta.ftp.UploadOpening} (new, or continued) and run by an
 * {@link io.hawser.agenta.ftp.UploadTransfer}: data connection to spool, then {@link io.hawser.agenta.ftp.EndEvidence}, then
 * commit. {@link io.hawser.agenta.ftp.Namespace} says which topic and name a path means, and
 * {@link io.hawser.agenta.ftp.HeldNames} what the spool holds of it.
 */
@NullMarked
package io.hawser.agenta.ftp;

import org.jspecify.annotations.NullMarked;
