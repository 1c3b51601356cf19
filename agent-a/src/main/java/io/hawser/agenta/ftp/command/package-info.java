/**
 * The FTP commands, one class each; {@link io.hawser.agenta.ftp.command.FtpCommands} lists them. Each says in its Javadoc where
 * it comes from and how much of it is offered; {@code docs/reference/standards.md} is the table.
 */
@NullMarked
package io.hawser.agenta.ftp.command;

import org.jspecify.annotations.NullMarked;
