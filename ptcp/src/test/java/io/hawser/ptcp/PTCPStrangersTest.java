package io.hawser.ptcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.testkit.Leaks;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PTCP sockets and whoever does not speak PTCP. */
class PTCPStrangersTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final PtcpOptions IMPATIENT =
            new PtcpOptions(2, Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofMillis(500), null);

    private PTCPSocket socket;

    @BeforeAll
    static void watchLeaks() {
        Leaks.watch();
    }

    @AfterAll
    static void assertNoLeaks() {
        Leaks.assertNone();
    }

    @BeforeEach
    void open() throws IOException {
        socket = new PTCPSocket(IMPATIENT);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
    }

    /** A TCP server that answers the first bytes that it gets, or says something at once. */
    private static ServerSocket plainServer(String says, boolean first) throws IOException {
        ServerSocket server = new ServerSocket(0, 5, LOOPBACK);
        Thread thread = new Thread(
                () -> {
                    try (Socket accepted = server.accept()) {
                        if (!first && accepted.getInputStream().read(new byte[1000]) < 0) {
                            return;
                        }
                        accepted.getOutputStream().write(says.getBytes(US_ASCII));
                        accepted.shutdownOutput();
                        accepted.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        assertThat(server.isBound()).isTrue();
                    }
                },
                "test-plain-server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private void assertRefused(ServerSocket server, String says) {
        assertThatThrownBy(() -> socket.connect(server.getLocalSocketAddress()))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(says)
                .hasCauseInstanceOf(PtcpException.class);
        assertThat(socket.isConnected()).isFalse();
    }

    @Test
    void serverThatSpeaksFirstIsNamed() throws IOException {
        try (ServerSocket server = plainServer("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n", true)) {
            assertRefused(server, "does not speak PTCP (it said \"SSH-2.0");
        }
    }

    @Test
    void serverThatAnswersSomethingElseIsNamed() throws IOException {
        try (ServerSocket server = plainServer("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", false)) {
            assertRefused(server, "does not speak PTCP (it said \"HTTP/1.1");
        }
    }

    @Test
    void serverThatHangsUpIsNamed() throws IOException {
        try (ServerSocket server = plainServer("", false)) {
            assertRefused(server, "is that a PTCP port?");
        }
    }

    @Test
    void serverThatSaysNothingIsGivenUpAfterTheTimeoutOfTheOptions() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
            assertThatThrownBy(() -> socket.connect(server.getLocalSocketAddress()))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageStartingWith("Connect timed out");
        }
    }

    @Test
    void acceptorThatTakesNoByteStreamsSaysSo() throws Exception {
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer server = net.listen(
                    TestNet.streams(1),
                    (greeting, principal, remote) -> new SessionAdmission.Refused("no byte streams"));
            assertThatThrownBy(() -> socket.connect(server.localAddress()))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused")
                    .hasMessageContaining("no byte streams");
        }
    }

    @Test
    void oneSideWithTlsAndOneWithoutSayWhatToChange() throws Exception {
        PtcpOptions tls = TestNet.streams(1, new TestCertificates().acceptor("far"));
        try (ServerSocket server = new PTCPServerSocket(tls, 0, 5, LOOPBACK)) {
            assertRefused(server, "TLS");
        }
    }

    /** Idle ones, ones that talk, and ones that hang up: none reaches accept, and none keeps others from it. */
    @Test
    void plainClientsNeitherHarmNorBlockAServer() throws IOException {
        try (PTCPServerSocket server = new PTCPServerSocket(IMPATIENT, 0, 5, LOOPBACK);
                Socket idle = new Socket(LOOPBACK, server.getLocalPort());
                Socket talker = new Socket(LOOPBACK, server.getLocalPort())) {
            new Socket(LOOPBACK, server.getLocalPort()).close();
            talker.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            server.setSoTimeout(200);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);

            server.setSoTimeout(TestTimes.MILLIS);
            socket.connect(server.getLocalSocketAddress(), TestTimes.MILLIS);
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write(7);
                assertThat(socket.getInputStream().read()).isEqualTo(7);
                talker.setSoTimeout(TestTimes.MILLIS);
                assertThat(talker.getInputStream().readAllBytes())
                        .asString(US_ASCII)
                        .contains("PTCP");
                // The idle one is hung up on when its time is over.
                idle.setSoTimeout(TestTimes.MILLIS);
                assertThat(idle.getInputStream().read()).isEqualTo(-1);
                accepted.getOutputStream().write(8);
                assertThat(socket.getInputStream().read()).isEqualTo(8);
            }
        }
    }

    /** A session of another kind at the same port: its greeting is not that of a byte stream. */
    @Test
    void sessionsThatAreNoByteStreamsAreRefused() throws Exception {
        try (PTCPServerSocket server = new PTCPServerSocket(TestNet.streams(1), 0, 5, LOOPBACK);
                TestNet net = new TestNet("epoll")) {
            assertThat(net.refusal((InetSocketAddress) server.getLocalSocketAddress(), TestNet.streams(1)))
                    .hasMessageContaining("byte streams (PTCPSocket) only");
        }
    }
}
