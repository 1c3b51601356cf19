package io.hawser.agenta.sftp;

import io.hawser.agenta.sftp.session.SftpPolicy;
import io.hawser.agenta.sftp.ssh.SshLimits;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an operator may set of an SFTP server.
 *
 * @param listen where it listens; port 0 is any
 * @param keys the directory of the accounts' public keys, if there is one
 * @param limits the bounds of connections
 * @param policy the policy of sessions
 */
public record SftpConfig(InetSocketAddress listen, Optional<Path> keys, SshLimits limits, SftpPolicy policy) {
    public SftpConfig {
        if (listen.isUnresolved()) {
            throw new IllegalArgumentException("cannot resolve the host of the SFTP address " + listen.getHostString());
        }
    }
}
