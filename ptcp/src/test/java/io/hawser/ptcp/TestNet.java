package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.Leaks;
import io.hawser.ptcp.testkit.TestTimes;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server and a dialler on loopback, on one transport. */
final class TestNet implements AutoCloseable {
    static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    final EventLoopGroup servers;
    final EventLoopGroup diallers;
    final List<RecordingHandler> accepted = new CopyOnWriteArrayList<>();
    private final List<PtcpSession> dialled = new CopyOnWriteArrayList<>();
    private final List<PtcpServer> listening = new CopyOnWriteArrayList<>();

    TestNet(String transport) {
        Leaks.watch();
        servers = "nio".equals(transport) ? NettyTransports.newNioGroup(1) : NettyTransports.newGroup(1);
        diallers = "nio".equals(transport) ? NettyTransports.newNioGroup(1) : NettyTransports.newGroup(1);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A server whose sessions are noted in {@link #accepted}. */
    PtcpServer listen(PtcpOptions options) throws PtcpException {
        return listen(options, (greeting, principal, remote) -> {
            RecordingHandler handler = new RecordingHandler();
            accepted.add(handler);
            return new SessionAdmission.Accepted(utf8("acceptor"), handler);
        });
    }

    PtcpServer listen(PtcpOptions options, SessionAdmission acceptor) throws PtcpException {
        PtcpServer server = PtcpServer.listen(servers, ANY_PORT, options, acceptor);
        listening.add(server);
        return server;
    }

    /** Dials and waits. */
    PtcpSession dial(PtcpServer server, PtcpOptions options, PtcpHandler handler) throws Exception {
        return dial(server.localAddress(), options, handler);
    }

    /** Dials and waits. */
    PtcpSession dial(InetSocketAddress address, PtcpOptions options, PtcpHandler handler) throws Exception {
        PtcpSession session = new PtcpDialler()
                .connect(diallers, address, utf8("dialler"), options, handler)
                .get(TestTimes.SECONDS, TimeUnit.SECONDS);
        dialled.add(session);
        return session;
    }

    /** Dials, and expects that it fails. */
    PtcpException refusal(InetSocketAddress address, PtcpOptions options) throws Exception {
        RecordingHandler handler = new RecordingHandler();
        try {
            dial(address, options, handler);
        } catch (ExecutionException e) {
            assertThat(handler.events).isEmpty();
            if (e.getCause() instanceof PtcpException refusal) {
                return refusal;
            }
            throw e;
        }
        throw new AssertionError("the session was made");
    }

    /** The first session that was accepted, once it is open. */
    RecordingHandler firstAccepted() {
        await().until(() -> !accepted.isEmpty() && accepted.get(0).session != null);
        return accepted.get(0);
    }

    static PtcpOptions streams(int count) {
        return streams(count, null);
    }

    static PtcpOptions streams(int count, @Nullable SslContext ssl) {
        return new PtcpOptions(count, Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ofSeconds(5), ssl);
    }

    /** With a heartbeat so short that a test can wait for it. */
    static PtcpOptions impatient(int streams) {
        return new PtcpOptions(streams, Duration.ofMillis(50), Duration.ofMillis(600), Duration.ofSeconds(3), null);
    }

    @Override
    public void close() {
        dialled.forEach(session -> session.close("the test is over"));
        await().until(() -> dialled.stream().allMatch(TestNet::isOver));
        listening.forEach(server -> server.close("the test is over").awaitUninterruptibly());
        diallers.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        servers.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        Leaks.assertNone();
    }

    private static boolean isOver(PtcpSession session) {
        return session.loop()
                .submit(((NettySession) session)::isOver)
                .awaitUninterruptibly()
                .getNow();
    }
}
