/**
 * The bytes of SFTP version 3 (draft-ietf-secsh-filexfer-02), which all clients speak, and of OpenSSH's extensions (its PROTOCOL file):
 * {@link io.hawser.agenta.sftp.wire.PacketFramer} cuts packets, {@link io.hawser.agenta.sftp.wire.PacketReader} reads one, {@link
 * io.hawser.agenta.sftp.wire.PacketWriter} makes one. Knows no SSH and no files.
 */
@NullMarked
package io.hawser.agenta.sftp.wire;

import org.jspecify.annotations.NullMarked;
