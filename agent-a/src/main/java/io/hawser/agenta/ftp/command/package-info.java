/**
 * The FTP commands: {@link io.hawser.agenta.ftp.command.FtpCommands} is the table, one row a command. Short commands are methods grouped
 * by subject; {@code docs/reference/standards.md} says which RFC each comes from and how much of it is offered.
 */
@NullMarked
package io.hawser.agenta.ftp.command;

import org.jspecify.annotations.NullMarked;
