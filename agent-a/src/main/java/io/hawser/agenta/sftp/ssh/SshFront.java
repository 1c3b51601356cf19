package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.sftp.session.ScpCommand;
import io.hawser.agenta.sftp.session.SessionServices;
import io.hawser.agenta.sftp.session.SftpSession;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.sshd.common.file.nonefs.NoneFileSystemFactory;
import org.apache.sshd.common.global.KeepAliveHandler;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.SessionHeartbeatController.HeartbeatType;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.channel.ChannelSessionFactory;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.global.NoMoreSessionsHandler;
import org.apache.sshd.server.global.OpenSshHostKeysHandler;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.server.subsystem.SubsystemFactory;
import org.jspecify.annotations.Nullable;

/**
 * The SSH server: SFTP and the older protocol of scp, and nothing else. There is no shell, no other command, no forwarding of ports, agents or X11, and no compression.
 *
 * <p>Thread: any but the loop.
 */
public final class SshFront implements AutoCloseable {
    private static final int MAX_CHANNELS = 10;
    /** Of which most are questions whether a key would do. */
    private static final int MAX_LOGIN_REQUESTS = 20;
    /** One may wait for the account of a client with a key. */
    private static final int MIN_READERS = 4;

    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    private final SshServer ssh = SshAlgorithms.builder().build(true);
    private final ThreadPoolExecutor writers =
            DaemonThreads.pool("hawser-sftp-", Math.max(2, Runtime.getRuntime().availableProcessors()));
    private final SshConnections connections;
    private final SessionServices services;

    /**
     * Makes a server; {@link #start} opens it.
     *
     * @param keys the public keys of accounts, or null: then there are logins by password only
     */
    public SshFront(
            InetSocketAddress listen,
            HostKey hostKey,
            @Nullable AuthorizedKeys keys,
            SshLimits limits,
            SessionServices services) {
        this.services = services;
        writers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // after the end nobody waits
        this.connections = new SshConnections(limits);
        ClientServices clients = services.clients();
        SshLogins logins = new SshLogins(clients, connections, limits, services.loop(), writers, keys);
        ssh.setNioWorkers(Math.max(MIN_READERS, Runtime.getRuntime().availableProcessors() + 1));
        ssh.setHost(listen.getAddress().getHostAddress());
        ssh.setPort(listen.getPort());
        ssh.setKeyPairProvider(KeyPairProvider.wrap(hostKey.pair()));
        ssh.setUserAuthFactories(UserAuths.of(logins));
        ssh.setPasswordAuthenticator(UserAuths.passwords(logins));
        ssh.setPublickeyAuthenticator(KeyLogin.keys(logins));
        ssh.setChannelFactories(List.of(ChannelSessionFactory.INSTANCE));
        ssh.setGlobalRequestHandlers(
                List.of(KeepAliveHandler.INSTANCE, NoMoreSessionsHandler.INSTANCE, OpenSshHostKeysHandler.INSTANCE));
        ssh.setFileSystemFactory(NoneFileSystemFactory.INSTANCE);
        ssh.setSubsystemFactories(List.of(new SftpSubsystem()));
        ssh.setCommandFactory(this::scp);
        ssh.addSessionListener(connections);
        ssh.setSessionHeartbeat(HeartbeatType.IGNORE, HEARTBEAT);
        CoreModuleProperties.SERVER_IDENTIFICATION.set(ssh, "Hawser");
        CoreModuleProperties.AUTH_TIMEOUT.set(ssh, limits.loginTime());
        CoreModuleProperties.IDLE_TIMEOUT.set(ssh, Duration.ZERO);
        CoreModuleProperties.NIO2_READ_TIMEOUT.set(ssh, Duration.ZERO);
        CoreModuleProperties.MAX_AUTH_REQUESTS.set(ssh, MAX_LOGIN_REQUESTS);
        CoreModuleProperties.MAX_CONCURRENT_CHANNELS.set(ssh, MAX_CHANNELS);
        CoreModuleProperties.SOCKET_KEEPALIVE.set(ssh, true);
        CoreModuleProperties.TCP_NODELAY.set(ssh, true);
    }

    /** Listens, and returns the address. {@link IOException} if that cannot be. */
    public InetSocketAddress start() throws IOException {
        ssh.start();
        return new InetSocketAddress(ssh.getHost(), ssh.getPort());
    }

    private Command scp(ChannelSession channel, String line) throws IOException {
        ScpCommand command =
                ScpCommand.parse(line).orElseThrow(() -> new IOException("No command but scp is run here"));
        ServerSession session = channel.getServerSession();
        return new ScpChannel(
                channel,
                writers,
                services.loop(),
                outlet -> command.session(services, connections.account(session), peer(session), outlet));
    }

    private static InetSocketAddress peer(ServerSession session) {
        return (InetSocketAddress) session.getRemoteAddress();
    }

    private final class SftpSubsystem implements SubsystemFactory {
        @Override
        public String getName() {
            return "sftp";
        }

        @Override
        public Command createSubsystem(ChannelSession channel) {
            ServerSession session = channel.getServerSession();
            return new SftpChannel(
                    channel,
                    writers,
                    services.loop(),
                    outlet -> new SftpSession(services, connections.account(session), peer(session), outlet));
        }
    }

    @Override
    public void close() {
        try {
            ssh.close(true).await(Duration.ofSeconds(4));
        } catch (IOException e) {
            // It is closed at the end of the process.
        }
        writers.shutdown();
    }
}
