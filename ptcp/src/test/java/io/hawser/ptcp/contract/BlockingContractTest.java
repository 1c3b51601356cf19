package io.hawser.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls that block: what ends them, and what does not. */
class BlockingContractTest extends SocketContract {

    BlockingContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void readGivesUpAfterItsTimeoutAndTheSocketGoesOn() throws IOException {
        connect();
        near.setSoTimeout(50);
        InputStream in = near.getInputStream();
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class).hasMessage("Read timed out");
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        far.getOutputStream().write(7);
        near.setSoTimeout(TestTimes.MILLIS);
        assertThat(in.read()).isEqualTo(7);
    }

    @Test
    void timeoutOfZeroWaitsForEver() throws Exception {
        connect();
        near.setSoTimeout(1);
        near.setSoTimeout(0);
        Background<Integer> reader = supply(() -> near.getInputStream().read());
        await().until(reader::isWaiting);
        far.getOutputStream().write(7);
        assertThat(reader).succeedsWithin(TestTimes.LIMIT).isEqualTo(7);
    }

    @Test
    void timeoutThatIsSetWhileAReadWaitsCountsForTheNext() throws Exception {
        connect();
        Background<Integer> reading = supply(() -> near.getInputStream().read());
        await().until(reading::isWaiting);
        near.setSoTimeout(1);
        await().during(Duration.ofMillis(100)).until(() -> !reading.isDone());
        far.getOutputStream().write(9);
        assertThat(reading.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(9);
        assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void acceptGivesUpAfterItsTimeoutAndTheServerGoesOn() throws IOException {
        server.setSoTimeout(50);
        assertThatThrownBy(server::accept)
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        server.setSoTimeout(TestTimes.MILLIS);
        connect();
        assertThat(far.isConnected()).isTrue();
    }

    @Test
    void connectGivesUpAfterItsTimeout() throws IOException {
        try (HangingPort port = new HangingPort()) {
            assertThatThrownBy(() -> near.connect(port.listening.getLocalSocketAddress(), 100))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageStartingWith("Connect timed out");
            assertThat(near.isConnected()).isFalse();
        }
    }

    @Test
    void closeFreesAThreadThatReads() throws Exception {
        connect();
        Background<Integer> reader = supply(() -> near.getInputStream().read());
        await().until(reader::isWaiting);
        near.close();
        assertFreed(reader);
    }

    @Test
    void closeFreesAThreadThatReadsWithATimeout() throws Exception {
        connect();
        near.setSoTimeout(TestTimes.MILLIS);
        Background<Integer> reader = supply(() -> near.getInputStream().read());
        await().until(reader::isWaiting);
        near.close();
        assertFreed(reader);
    }

    @Test
    void closeFreesAThreadThatWrites() throws Exception {
        connectNarrowly();
        Background<Boolean> writer = supply(this::writeForEver);
        await().pollDelay(Duration.ofMillis(300)).until(writer::isWaiting);
        near.close();
        assertFreed(writer);
    }

    private boolean writeForEver() throws IOException {
        byte[] piece = new byte[1 << 20];
        while (true) {
            near.getOutputStream().write(piece);
        }
    }

    @Test
    void closeFreesAThreadThatAccepts() throws Exception {
        Background<Socket> accepting = supply(server::accept);
        await().until(accepting::isWaiting);
        server.close();
        assertFreed(accepting);
    }

    @Test
    void closeFreesAThreadThatConnects() throws Exception {
        try (HangingPort port = new HangingPort()) {
            Background<Boolean> connecting = supply(() -> {
                near.connect(port.listening.getLocalSocketAddress(), 50_000);
                return true;
            });
            await().pollDelay(Duration.ofMillis(100)).until(connecting::isWaiting);
            near.close();
            assertFreed(connecting);
        }
    }

    private static void assertFreed(Background<?> blocked) {
        assertThat(blocked)
                .failsWithin(TestTimes.LIMIT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(SocketException.class)
                .withMessage("Socket closed");
    }

    @Test
    void shutdownOfTheInputFreesAThreadThatReads() throws Exception {
        connect();
        Background<Integer> reader = supply(() -> near.getInputStream().read());
        await().until(reader::isWaiting);
        near.shutdownInput();
        assertThat(reader).succeedsWithin(TestTimes.LIMIT).isEqualTo(-1);
    }

    @Test
    void interruptDoesNotEndARead() throws Exception {
        connect();
        Background<Boolean> reader = supply(() -> near.getInputStream().read() == 7 && Thread.interrupted());
        interrupt(reader);
        far.getOutputStream().write(7);
        assertThat(reader).succeedsWithin(TestTimes.LIMIT).isEqualTo(true);
    }

    @Test
    void interruptDoesNotEndAReadWithATimeout() throws Exception {
        connect();
        near.setSoTimeout(TestTimes.MILLIS);
        Background<Boolean> reader = supply(() -> near.getInputStream().read() == 7 && Thread.interrupted());
        interrupt(reader);
        far.getOutputStream().write(7);
        assertThat(reader).succeedsWithin(TestTimes.LIMIT).isEqualTo(true);
    }

    @Test
    void threadThatIsMarkedAsInterruptedCanStillUseASocket() throws Exception {
        Background<Boolean> user = supply(() -> {
            Thread.currentThread().interrupt();
            connect();
            near.getOutputStream().write(7);
            return far.getInputStream().read() == 7 && Thread.interrupted();
        });
        assertThat(user).succeedsWithin(TestTimes.LIMIT).isEqualTo(true);
    }

    @Test
    void interruptDoesNotEndAnAccept() throws Exception {
        Background<Socket> accepting = supply(server::accept);
        interrupt(accepting);
        near.connect(server.getLocalSocketAddress());
        assertThat(accepting).succeedsWithin(TestTimes.LIMIT);
        accepting.get().close();
    }

    @Test
    void interruptDoesNotEndAWrite() throws Exception {
        connectNarrowly();
        Background<Boolean> writer = supply(() -> {
            near.getOutputStream().write(new byte[8 << 20]);
            return Thread.interrupted();
        });
        interrupt(writer);
        assertThat(far.getInputStream().readNBytes(8 << 20)).hasSize(8 << 20);
        assertThat(writer).succeedsWithin(TestTimes.LIMIT).isEqualTo(true);
    }

    private static void interrupt(Background<?> blocked) {
        await().pollDelay(Duration.ofMillis(100)).until(blocked::isWaiting);
        blocked.thread.interrupt();
        await().pollDelay(Duration.ofMillis(100)).until(blocked::isWaiting);
        assertThat(blocked).isNotDone();
    }

    /** A port at which connections come to nothing: its queue is full, and nobody accepts. */
    private static final class HangingPort implements AutoCloseable {
        private static final int MOST = 20;

        final ServerSocket listening = new ServerSocket(0, 1, LOOPBACK);
        private final List<Socket> queued = new ArrayList<>();

        HangingPort() throws IOException {
            boolean full = false;
            while (!full) {
                assertThat(queued).hasSizeLessThan(MOST);
                Socket next = new Socket();
                queued.add(next);
                try {
                    next.connect(listening.getLocalSocketAddress(), 200);
                } catch (SocketTimeoutException e) {
                    full = true;
                }
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }
}
