/**
 * The SFTP front of agent-a. {@code wire} knows the protocol's bytes, {@code session} what requests mean, {@code ssh} logins and channels;
 * {@link io.hawser.agenta.sftp.SftpServer} puts them together.
 */
@NullMarked
package io.hawser.agenta.sftp;

import org.jspecify.annotations.NullMarked;
