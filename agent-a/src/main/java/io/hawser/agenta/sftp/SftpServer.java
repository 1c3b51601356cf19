package io.hawser.agenta.sftp;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.sftp.session.ReplyMemory;
import io.hawser.agenta.sftp.session.SessionServices;
import io.hawser.agenta.sftp.ssh.AuthorizedKeys;
import io.hawser.agenta.sftp.ssh.HostKey;
import io.hawser.agenta.sftp.ssh.SshFront;
import io.hawser.core.config.HostPort;
import io.hawser.ptcp.BindFailures;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SFTP server of agent-a.
 *
 * <p>Thread: any but the loop.
 */
public final class SftpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SftpServer.class);

    private final SshFront ssh;
    private final InetSocketAddress listen;
    private final HostKey hostKey;
    private Optional<InetSocketAddress> address = Optional.empty();

    /**
     * Makes a server; {@link #start} opens it.
     *
     * @param data agent-a's data directory, where the host key is
     * @param loop where everything runs but SSH itself
     */
    public SftpServer(SftpConfig config, Path data, EventLoop loop, FileServices files, ClientServices clients)
            throws IOException {
        this.listen = config.listen();
        this.hostKey = HostKey.in(data);
        this.ssh = new SshFront(
                config.listen(),
                hostKey,
                config.keys().isEmpty() ? null : AuthorizedKeys.in(config.keys().get()),
                config.limits(),
                new SessionServices(files, clients, config.policy(), new ReplyMemory(), loop));
    }

    /** Listens. {@link IOException} with a sentence for the operator if that cannot be. */
    public void start() throws IOException {
        try {
            address = Optional.of(ssh.start());
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen for SFTP on " + HostPort.of(listen) + ": " + BindFailures.problem(e)
                            + "; choose another address with --sftp HOST:PORT",
                    e);
        }
        LOG.atInfo()
                .addKeyValue("address", address.get())
                .addKeyValue("hostKey", hostKey.fingerprint())
                .log("listening for SFTP");
    }

    /** Where it listens, once it does. */
    public Optional<InetSocketAddress> address() {
        return address;
    }

    /** The fingerprint by which clients know it. */
    public String fingerprint() {
        return hostKey.fingerprint();
    }

    /** Ends all connections. Uploads that are not complete stay in the spool to be continued. */
    @Override
    public void close() {
        ssh.close();
    }
}
