package io.hawser.agenta.ftp;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.ftp.command.FtpCommands;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.ftp.login.LoginServices;
import io.hawser.agenta.ftp.session.FtpServices;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.ftp.session.FtpSessions;
import io.hawser.agenta.gsi.GsiGate;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.ptcp.RefusedDialLogThrottle;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The FTP server of agent-a: listens, and gives each control connection a session.
 *
 * <p>All sessions are on one event loop, the same that the spool calls back on.
 *
 * <p>Thread: {@link #start}, {@link #address} and {@link #close} any but the loop; the rest the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class FtpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FtpServer.class);
    private static final Duration STOP_TIME = Duration.ofSeconds(4);
    private static final int KEEP_ALIVE_SECONDS = 30;
    /** A handshake has one task at a time; there are fewer sessions. */
    private static final int MAX_WAITING_HANDSHAKES = 4096;

    private final FtpServerConfig config;
    private final EventLoop loop;
    private final @Nullable GsiGate gate;
    private final FtpSessions sessions;
    private final ThreadPoolExecutor handshakes = DaemonThreads.pool(
            DaemonThreads.named("hawser-ftp-tls"), 1, new ArrayBlockingQueue<>(MAX_WAITING_HANDSHAKES));
    private final FtpServices services;
    private final FtpListeners listeners;

    /**
     * Makes a server; {@link #start} opens it.
     *
     * @param loop where everything runs but logins, checksums and the handshakes of control connections
     * @param files the namespace, uploads and downloads
     * @param clients the logins, and the notes of what clients do
     * @param brokerProblem says for STAT why there is no session with the broker; empty if there is one
     */
    public FtpServer(
            FtpServerConfig config,
            EventLoop loop,
            FileServices files,
            ClientServices clients,
            Supplier<String> brokerProblem) {
        this.config = config;
        this.loop = loop;
        this.gate = config.sessions().gsi() == null
                ? null
                : new GsiGate(config.sessions().gsi());
        this.sessions = new FtpSessions(config.sessions().limits().sessions());
        this.services = new FtpServices(
                config.sessions(),
                new LoginServices(clients, sessions::isCrowded, gate),
                files,
                FtpCommands.table(),
                new RefusedDialLogThrottle(),
                handshakes,
                () -> obstacles(brokerProblem.get(), files.names().away()));
        this.listeners = new FtpListeners(loop, this::accepted);
    }

    private static List<String> obstacles(String brokerProblem, List<String> away) {
        List<String> obstacles = new ArrayList<>();
        if (!brokerProblem.isEmpty()) {
            obstacles.add("No session with the broker: " + brokerProblem);
        }
        away.forEach(topic -> obstacles.add("The far end of " + topic + " was away when it was last asked"));
        return obstacles;
    }

    /** Listens, and returns the address for FTP. {@link IOException} if that cannot be. */
    public InetSocketAddress start() throws IOException {
        for (Map.Entry<ListenerKind, InetSocketAddress> port : config.ports().entrySet()) {
            listeners.open(port.getKey(), port.getValue());
        }
        return address();
    }

    public InetSocketAddress address() {
        return address(ListenerKind.FTP).orElseThrow(() -> new IllegalStateException("not started"));
    }

    public Optional<InetSocketAddress> address(ListenerKind port) {
        return listeners.address(port);
    }

    private void accepted(Channel channel, ListenerKind port) {
        Optional<String> reason = sessions.refusal((InetSocketAddress) channel.remoteAddress());
        if (reason.isPresent()) {
            FtpReply refusal = FtpReply.of(ReplyCode.NOT_AVAILABLE, reason.get());
            channel.writeAndFlush(Unpooled.wrappedBuffer(refusal.encode())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        if (channel.config() instanceof EpollSocketChannelConfig socket) {
            // A client may wait for minutes for the end of its transfer; nothing between may forget its connection.
            socket.setTcpKeepIdle(KEEP_ALIVE_SECONDS).setTcpKeepIntvl(KEEP_ALIVE_SECONDS);
        }
        FtpSession session = new FtpSession(services, channel, port, sessions);
        sessions.began(session);
        channel.pipeline().addLast(session.control());
    }

    /** How many control connections there are. */
    public int sessionCount() {
        return sessions.size();
    }

    /**
     * Stops in an orderly way, within five seconds: uploads that are complete get their reply, others are broken off and stay
     * in the spool to be continued, and clients get a reply.
     */
    @Override
    public void close() {
        loop.execute(() -> {
            listeners.close();
            sessions.stop();
        });
        if (!sessions.awaitEnd(STOP_TIME)) {
            LOG.atWarn().log("sessions did not end in time and are closed");
            loop.execute(sessions::close);
        }
        handshakes.shutdownNow();
        if (gate != null) {
            gate.close();
        }
    }
}
