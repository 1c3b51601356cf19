package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.RemoteCalls;
import io.hawser.ops.audit.Audit;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolOutlet;
import io.hawser.store.spool.TopicsFile;
import io.hawser.store.storage.DiskStorage;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sender that gives each of sixteen connections 64 MiB of its own: no fragment of the file can be complete in order, and the
 * spool has buffers for a few only.
 */
class StripesOnDiskTest {
    private static final int STRIPES = 16;
    private static final int STRIPE_BYTES = 64 << 20;
    private static final int FRAGMENT_BYTES = 1 << 20;
    private static final int BUFFERS = 8;

    @TempDir
    Path directory;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final DigestThreads digests = DigestThreads.start(2);
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, BUFFERS);
    private DiskSpool spool;
    private ClientServices clients;
    private FtpServer server;

    @BeforeEach
    void start() throws Exception {
        spool = DiskSpool.open(
                new DiskStorage(),
                directory,
                SpoolConfig.defaults(),
                new FragmentBufferPool(FRAGMENT_BYTES, 4),
                digests,
                group.next());
        onLoop(() -> spool.start((SpoolOutlet) Proxy.newProxyInstance(
                SpoolOutlet.class.getClassLoader(), new Class<?>[] {SpoolOutlet.class}, (p, m, a) -> null)));
        FtpServerConfig config = FtpServerConfig.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        FileServices files = FileServices.over(
                config.names(),
                Duration.ofMinutes(5),
                pool,
                spool,
                ListedTopics.open(new TopicsFile(new DiskStorage(), directory), Runnable::run, Runnable::run),
                new RemoteCalls(pool, pool, group.next(), System::nanoTime),
                group.next());
        clients = ClientServices.of(Accounts.anonymous(), 1, Duration.ZERO, group.next(), Audit.NONE);
        server = new FtpServer(config, group.next(), files, clients, () -> "");
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
        clients.close();
        spool.close();
        digests.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        assertThat(pool.available()).isEqualTo(BUFFERS);
    }

    private void onLoop(Runnable task) {
        CompletableFuture.runAsync(task, group.next()).join();
    }

    /** Eight bytes tell their own position, scrambled so that no two blocks look alike. */
    private static void fill(byte[] block, long position) {
        for (int i = 0; i < block.length; i += 8) {
            long value = (position + i) * 0x9E3779B97F4A7C15L;
            for (int j = 0; j < 8; j++) {
                block[i + j] = (byte) (value >>> (8 * j));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 200_000)
    void everyConnectionSendsAStripeOfItsOwn(int blockBytes) throws Exception {
        try (RawFtp client = RawFtp.login(server.address().getPort())) {
            client.ok("TYPE I");
            client.ok("MODE E");
            int port = client.passivePort();
            List<BlockStream> streams = new ArrayList<>();
            for (int i = 0; i < STRIPES; i++) {
                streams.add(BlockStream.connect(port));
            }
            client.send("STOR /t/striped");
            client.expect(150);
            // One thread that goes round the connections: it is stuck for ever if one of them is.
            for (int at = 0; at < STRIPE_BYTES; at += blockBytes) {
                for (int i = 0; i < STRIPES; i++) {
                    send(streams.get(i), i * (long) STRIPE_BYTES + at, Math.min(blockBytes, STRIPE_BYTES - at));
                }
            }
            for (int i = 0; i < STRIPES; i++) {
                streams.get(i).flags(i == 3 ? BlockStream.EOF | BlockStream.EOD : BlockStream.EOD, STRIPES);
            }
            String reply = client.reply();
            while (reply.startsWith("1")) {
                reply = client.reply();
            }
            assertThat(reply).startsWith("226");
            for (BlockStream stream : streams) {
                stream.close();
            }
        }
        compare();
    }

    private static void send(BlockStream to, long from, int length) throws Exception {
        byte[] block = new byte[length];
        fill(block, from);
        to.raw(BlockStream.header(0, length, from)).raw(block);
    }

    private void compare() {
        TransferKey key = manifest().key();
        byte[] expected = new byte[FRAGMENT_BYTES];
        byte[] found = new byte[FRAGMENT_BYTES];
        for (long index = 0; index < (long) STRIPES * STRIPE_BYTES / FRAGMENT_BYTES; index++) {
            CompletableFuture<Fragment> loaded = new CompletableFuture<>();
            long wanted = index;
            onLoop(() -> spool.load(key, wanted, outcome -> loaded.complete(outcome.get())));
            Fragment fragment = loaded.join();
            fragment.buffer().payload(fragment.offset(), FRAGMENT_BYTES).get(found);
            fragment.buffer().release();
            fill(expected, index * FRAGMENT_BYTES);
            assertThat(java.util.Arrays.equals(found, expected))
                    .as("fragment " + index)
                    .isTrue();
        }
    }

    private Manifest manifest() {
        return CompletableFuture.supplyAsync(() -> spool.states().get(0).manifest(), group.next())
                .join();
    }
}
