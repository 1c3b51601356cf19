/**
 * Data connections. A {@link io.hawser.agenta.data.PassivePort} waits for the one connection that a PASV or EPSV announced; a
 * {@link io.hawser.agenta.data.DataChannel} is that connection. It reads straight into memory that its
 * {@link io.hawser.agenta.data.DataSink} names (a {@link io.hawser.agenta.data.FragmentSink} names the current fragment's
 * buffer) and stops when there is none, so that the client feels it. Who of all uploads has a buffer is
 * {@link io.hawser.agenta.data.BufferScheduler}' to say.
 *
 * <p>Reading is always asked for, one read at a time, in one place ({@code DataChannel.readOn}); {@code autoRead} is off for
 * good. Nothing here knows of FTP commands.
 */
@NullMarked
package io.hawser.agenta.data;

import org.jspecify.annotations.NullMarked;
