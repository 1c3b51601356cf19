package io.hawser.agenta.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.account.LoginCounts;
import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.ClientTransfers;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.ops.audit.Audit;
import io.hawser.ptcp.NettyTransports;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.TopicsFile;
import io.hawser.store.testkit.FaultyStorage;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An FTP server in this process over a {@link SpoolRig}. */
public final class FtpFixture implements AutoCloseable {
    public static final int FRAGMENT_BYTES = 64 << 10;
    private static final int BUFFERS = 16;

    private final EventLoopGroup group;
    public final FragmentBufferPool pool;
    public final SpoolRig spool;
    /** The far end, which is away until a test connects it. */
    public final FakeRemote remote;

    /** Where the topics are written down that the root directory lists. */
    public final FaultyStorage topicsDisk = new FaultyStorage();

    public final FileServices files;
    private final ClientServices clients;
    public final FtpSettings config;
    private final SpoolConfig spoolConfig;
    private volatile Audit audit = Audit.NONE;
    public final FtpServer server;
    public final int port;

    private FtpFixture(
            EventLoopGroup group, int buffers, FtpSettings config, SpoolConfig spoolConfig, FaultyStorage disk)
            throws IOException {
        this.group = group;
        this.config = config;
        this.spoolConfig = spoolConfig;
        this.pool = new FragmentBufferPool(FRAGMENT_BYTES, buffers);
        this.spool = new SpoolRig(group.next(), spoolConfig, disk);
        this.remote = new FakeRemote(group.next(), FRAGMENT_BYTES, DownloadService.FAR_BLOCKS);
        Path data = Path.of("/agent-a");
        topicsDisk.createDirectories(data);
        ListedTopics topics = ListedTopics.open(new TopicsFile(topicsDisk, data), Runnable::run, Runnable::run);
        FtpServerConfig chosen = config.config();
        this.files = FileServices.over(
                chosen.names(),
                chosen.sessions().limits().times().dataStall(),
                pool,
                spool.store,
                topics,
                remote,
                group.next());
        FtpLimits.Login logins = chosen.sessions().limits().login();
        this.clients = ClientServices.of(
                chosen.sessions().accounts(),
                logins.maxFailuresOfAddress(),
                logins.barTime(),
                group.next(),
                (who, what, object, from, result) -> audit.note(who, what, object, from, result),
                ClientTransfers.NONE);
        this.server = new FtpServer(chosen, group.next(), files, clients, () -> "");
        this.port = server.start().getPort();
    }

    /** On epoll. */
    public static FtpFixture start(UnaryOperator<FtpSettings> config) throws IOException {
        return onEpoll(BUFFERS, config);
    }

    /** On epoll, over a spool that is set otherwise. */
    public static FtpFixture start(UnaryOperator<FtpSettings> config, SpoolConfig spool) throws IOException {
        return new FtpFixture(NettyTransports.newGroup(1), BUFFERS, over(config), spool, new FaultyStorage());
    }

    public static FtpFixture onEpoll(int buffers, UnaryOperator<FtpSettings> config) throws IOException {
        return on(NettyTransports.newGroup(1), buffers, config);
    }

    public static FtpFixture onNio(int buffers, UnaryOperator<FtpSettings> config) throws IOException {
        return on(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()), buffers, config);
    }

    private static FtpFixture on(EventLoopGroup group, int buffers, UnaryOperator<FtpSettings> config)
            throws IOException {
        return new FtpFixture(group, buffers, over(config), SpoolRig.config(), new FaultyStorage());
    }

    private static FtpSettings over(UnaryOperator<FtpSettings> config) {
        return config.apply(FtpSettings.anonymous());
    }

    /** Stops in order, and starts again over the same spool. */
    public FtpFixture restart() throws IOException {
        close();
        return again();
    }

    /** Ends as by SIGKILL, and starts again over the same spool. */
    public FtpFixture crash() throws IOException {
        spool.crash();
        end();
        return again();
    }

    private FtpFixture again() throws IOException {
        return new FtpFixture(NettyTransports.newGroup(1), pool.capacity(), config, spoolConfig, spool.disk);
    }

    /** The port of GridFTP. */
    public int gridftpPort() {
        return server.address(ListenerKind.GRIDFTP).orElseThrow().getPort();
    }

    /** The counts of logins. */
    public Map<LoginCounts.Row, Long> logins() throws Exception {
        return loop().submit(() -> clients.counts().all()).get();
    }

    /** What other fronts are given of logins. */
    public ClientServices clients() {
        return clients;
    }

    /** Where what clients do is noted from now on. */
    public void audit(Audit notes) {
        audit = notes;
    }

    /** The loop on which all of the server runs. */
    public EventLoop loop() {
        return group.next();
    }

    @Override
    public void close() {
        end();
        assertThat(pool.available()).as("buffers given back").isEqualTo(pool.capacity());
    }

    private void end() {
        server.close();
        clients.close();
        spool.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
