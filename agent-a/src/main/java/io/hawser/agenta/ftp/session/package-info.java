/**
 * One client's session as commands see it: {@link io.hawser.agenta.ftp.session.FtpSession} with its settings, its ways to data connections
 * ({@link io.hawser.agenta.ftp.session.DataConnections}), and the waits of a command ({@link io.hawser.agenta.ftp.session.AnswerWait}, {@link
 * io.hawser.agenta.ftp.session.CustodyWait}). {@link io.hawser.agenta.ftp.session.CommandDefinition} is a row of the {@link
 * io.hawser.agenta.ftp.session.CommandTable}. {@link io.hawser.agenta.ftp.session.FtpServices} is what all sessions share.
 */
@NullMarked
package io.hawser.agenta.ftp.session;

import org.jspecify.annotations.NullMarked;
