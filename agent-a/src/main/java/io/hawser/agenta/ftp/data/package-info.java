/**
 * Data connections. A {@link io.hawser.agenta.ftp.data.PassivePort} waits for the one connection that a PASV or EPSV announced; a {@link
 * io.hawser.agenta.ftp.data.DataConnection} is that connection. It reads straight into memory that a {@link io.hawser.agenta.upload.ByteSink}
 * names, and stops when there is none, so that the client is throttled.
 *
 * <p>Each read is asked for, in one place ({@code DataConnection.readOn}); {@code autoRead} is off for good. Nothing here knows of FTP
 * commands.
 */
@NullMarked
package io.hawser.agenta.ftp.data;

import org.jspecify.annotations.NullMarked;
