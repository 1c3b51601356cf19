/**
 * SSH under SFTP, by Apache MINA SSHD: what is negotiated ({@link io.hawser.agenta.sftp.ssh.SshAlgorithms}), who may log in ({@link
 * io.hawser.agenta.sftp.ssh.SshLogins}), how many ({@link io.hawser.agenta.sftp.ssh.SshConnections}), and the channel of an SFTP session ({@link
 * io.hawser.agenta.sftp.ssh.SftpChannel}). MINA calls on threads of its own; what is decided is decided on the loop.
 */
@NullMarked
package io.hawser.agenta.sftp.ssh;

import org.jspecify.annotations.NullMarked;
