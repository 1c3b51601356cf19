package io.hawser.agenta.ftp.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.spool.SpoolPhase;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that is faster than the disk, on epoll and on NIO. The end of the data (FIN or reset) comes while bytes are unread and
 * no buffer is free, which Netty's epoll channel does not take well: it reads on unasked, and its registration is lost.
 */
class BackpressureTest extends OnFtpServer {
    private static final int BUFFERS = 4;

    private final List<FragmentBuffer> taken = new ArrayList<>();
    private final byte[] bytes = RandomBytes.of(1_500_000);

    private void start(String transport) throws Exception {
        ftp = transport.equals("epoll")
                ? FtpFixture.onEpoll(BUFFERS, config -> config)
                : FtpFixture.onNio(BUFFERS, config -> config);
        client = RawFtp.login(ftp.port);
        client.ok("ALLO " + bytes.length);
    }

    @AfterEach
    void end() throws Exception {
        taken.forEach(FragmentBuffer::release);
    }

    /** Others use the pool too: one buffer is left. */
    private void takeAllButOne() {
        while (taken.size() < BUFFERS - 1) {
            taken.add(Objects.requireNonNull(ftp.pool.tryAcquire()));
        }
    }

    /** Sends everything into the sockets' buffers while the disk takes nothing. */
    private Socket sendAgainstASlowDisk() throws Exception {
        takeAllButOne();
        ftp.spool.hold(Lane.CONTENT);
        Socket data = client.begin("STOR /t/f");
        data.getOutputStream().write(bytes);
        await().until(() -> ftp.spool.waiting(Lane.CONTENT) > 0);
        return data;
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void finWithUnreadDataAndAnExhaustedPoolLosesNothing(String transport) throws Exception {
        start(transport);
        Socket data = sendAgainstASlowDisk();

        data.close();
        // Several turns of the loop with the FIN there and no buffer free, then one buffer at a time.
        for (int i = 0; i < 5; i++) {
            assertThat(ftp.spool.runOne(Lane.CONTENT)).isTrue();
            await().until(() -> ftp.spool.waiting(Lane.CONTENT) > 0);
        }
        ftp.spool.release();

        client.expect(226);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void resetWithUnreadDataAndAnExhaustedPoolIsNoEnd(String transport) throws Exception {
        start(transport);
        Socket data = sendAgainstASlowDisk();

        data.setSoLinger(true, 0);
        data.close();
        assertThat(ftp.spool.runOne(Lane.CONTENT)).isTrue();
        ftp.spool.release();

        client.expect(426);
        assertThat(ftp.spool.content("t", "f")).isNull();
        assertThat(ftp.spool.all().get(0).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void dataAndItsEndMayComeBeforeTheTransferCommand(String transport) throws Exception {
        start(transport);
        Socket data = client.passive();
        data.getOutputStream().write(bytes);
        data.close();
        client.ok("NOOP");

        client.expect("STOR /t/f", 150);
        client.expect(226);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void clientIsHeldBackWhileTheDiskTakesNothing(String transport) throws Exception {
        start(transport);
        ftp.spool.hold(Lane.CONTENT);
        Socket data = client.begin("STOR /t/f");
        byte[] much = new byte[64 << 20];

        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
            try {
                data.getOutputStream().write(much);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });

        await().until(() -> ftp.pool.available() <= BUFFERS / 2);
        assertThat(sent).isNotDone();
        client.abort();
        await().until(sent::isDone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void asciiTextIsConvertedWhateverTheFragmentsAndTheDisk(String transport) throws Exception {
        start(transport);
        client.ok("TYPE A");
        String text = "line\r\nlone\rcr\r\r\n\nlf only\n".repeat(20_000);
        ftp.spool.hold(Lane.CONTENT);
        Socket data = client.begin("STOR /t/text");
        data.getOutputStream().write(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        data.getOutputStream().write('\r');
        data.close();
        await().until(() -> ftp.spool.waiting(Lane.CONTENT) > 0);

        ftp.spool.release();

        client.expect(226);
        assertThat(ftp.spool.content("t", "text")).asString().isEqualTo(text.replace("\r\n", "\n") + "\r");
    }
}
