package io.hawser.ptcp.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How connections end. */
class CloseContractTest extends SocketContract {
    CloseContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void whatWasWrittenBeforeCloseArrives() throws Exception {
        connect();
        Background<Long> reader = supply(() -> far.getInputStream().transferTo(OutputStream.nullOutputStream()));
        near.getOutputStream().write(new byte[5 << 20]);
        near.close();
        assertThat(reader.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(5 << 20);
    }

    @Test
    void whatWasWrittenBeforeCloseArrivesAlsoAtAReaderWhoComesLater() throws IOException {
        connect();
        near.getOutputStream().write("last words".getBytes(UTF_8));
        near.close();
        assertThat(far.getInputStream().readAllBytes()).asString(UTF_8).isEqualTo("last words");
    }

    @Test
    void closeWithLingerWaitsForTheOtherEndWhichHasItAll() throws IOException {
        connect();
        near.setSoLinger(true, 20);
        near.getOutputStream().write(new byte[100_000]);
        near.close();
        assertThat(far.getInputStream().readAllBytes()).hasSize(100_000);
    }

    @Test
    void closeWithoutLingerResets() throws IOException {
        connect();
        near.setSoLinger(true, 0);
        near.close();
        assertThatThrownBy(() -> far.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageStartingWith("Connection reset");
        assertThatThrownBy(() -> far.getInputStream().read()).isInstanceOf(SocketException.class);
    }

    @Test
    void resetStaysAReset() throws IOException {
        connect();
        far.setSoLinger(true, 0);
        far.close();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> near.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset");
        }
        assertThatThrownBy(() -> near.getOutputStream().write(new byte[1000])).isInstanceOf(SocketException.class);
        assertThat(near.isClosed()).isFalse();
        assertThat(near.isConnected()).isTrue();
        near.close();
        assertClosed(() -> near.getInputStream());
    }

    @Test
    void textOfASocketSaysWhereItIsConnected() throws IOException {
        assertThat(near.toString()).isEqualTo("Socket[unconnected]");
        connect();
        String connected = near.toString();
        assertThat(connected).startsWith("Socket[addr=").contains("port=" + server.getLocalPort());
        near.close();
        assertThat(near.toString()).isEqualTo(connected);
    }

    @Test
    void writerLearnsThatTheOtherEndClosed() throws IOException {
        connect();
        far.close();
        OutputStream out = near.getOutputStream();
        byte[] piece = new byte[10_000];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        out.write(piece);
                    }
                })
                .isInstanceOf(SocketException.class)
                .hasMessageMatching("(Broken pipe|Connection reset).*");
    }

    @Test
    void closedSocketRefusesEverything() throws IOException {
        connect();
        InputStream in = near.getInputStream();
        OutputStream out = near.getOutputStream();
        near.close();
        near.close();
        assertThat(near.isClosed()).isTrue();
        assertClosed(() -> in.read());
        assertClosed(() -> in.available());
        assertClosed(() -> out.write(1));
        assertClosed(() -> near.getInputStream());
        assertClosed(() -> near.getOutputStream());
        assertClosed(() -> near.shutdownInput());
        assertClosed(() -> near.shutdownOutput());
        assertClosed(() -> near.setSoTimeout(1));
        assertClosed(() -> near.getSoTimeout());
        assertClosed(() -> near.setTcpNoDelay(true));
        assertClosed(() -> near.getReceiveBufferSize());
        assertClosed(() -> near.connect(server.getLocalSocketAddress()));
        assertClosed(() -> near.bind(null));
    }

    private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(SocketException.class).hasMessageMatching("Socket (is )?closed");
    }

    @Test
    void closingAStreamClosesTheSocket() throws IOException {
        connect();
        near.getInputStream().close();
        assertThat(near.isClosed()).isTrue();
        far.getOutputStream().close();
        assertThat(far.isClosed()).isTrue();
    }

    @Test
    void socketThatWasNeverConnectedCanBeClosed() throws IOException {
        near.close();
        assertThat(near.isClosed()).isTrue();
        assertThat(near.isConnected()).isFalse();
    }

    @Test
    void inputThatIsShutDownIsAtItsEnd() throws IOException {
        connect();
        InputStream in = near.getInputStream();
        near.shutdownInput();
        assertThat(near.isInputShutdown()).isTrue();
        assertThat(near.isClosed()).isFalse();
        far.getOutputStream().write(new byte[1000]);
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[10])).isEqualTo(-1);
        assertThat(in.available()).isZero();
        assertThatThrownBy(() -> near.getInputStream()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.shutdownInput()).isInstanceOf(SocketException.class);
        near.getOutputStream().write("still".getBytes(UTF_8));
        assertThat(far.getInputStream().readNBytes(5)).asString(UTF_8).isEqualTo("still");
    }

    @Test
    void outputThatIsShutDownTakesNothingMore() throws IOException {
        connect();
        OutputStream out = near.getOutputStream();
        near.shutdownOutput();
        assertThat(near.isOutputShutdown()).isTrue();
        assertThat(near.isClosed()).isFalse();
        assertThatThrownBy(() -> out.write(1))
                .isInstanceOf(SocketException.class)
                .hasMessageStartingWith("Broken pipe");
        assertThatThrownBy(() -> near.getOutputStream()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.shutdownOutput()).isInstanceOf(SocketException.class);
        far.getOutputStream().write(7);
        assertThat(near.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void flagsOfHalvesSayWhatWasDoneHere() throws IOException {
        connect();
        near.shutdownOutput();
        assertThat(far.getInputStream().read()).isEqualTo(-1);
        assertThat(far.isInputShutdown()).isFalse();
        assertThat(near.isInputShutdown()).isFalse();
        near.close();
        assertThat(near.isOutputShutdown()).isTrue();
        assertThat(far.isClosed()).isFalse();
        assertThat(far.isConnected()).isTrue();
    }

    @Test
    void socketThatTheProgramHasLostIsClosed() throws Exception {
        connect();
        Background<Integer> reader = supply(() -> far.getInputStream().read());
        near = kind.sockets.createSocket();
        await().until(() -> {
            System.gc();
            return reader.isDone();
        });
        assertThat(reader.get()).isEqualTo(-1);
    }
}
