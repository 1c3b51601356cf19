package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of a connection whose program ends, which a kernel sees to for other sockets. */
class PTCPProcessEndTest {
    private static final int LENGTH = 5 << 20;

    /** Connects to the port that its first argument names, writes, and ends: by {@code close} or by {@code exit} alone. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Socket socket = new PTCPSocket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            socket.getOutputStream().write(new byte[LENGTH]);
            if (arguments[1].equals("close")) {
                socket.close();
            } else if (socket.getInputStream().read() != 7) {
                throw new IOException("the other end did not say that it has all");
            }
            System.exit(0);
        }
    }

    private static Process start(ServerSocket server, String how) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        String.valueOf(server.getLocalPort()),
                        how)
                .inheritIO()
                .start();
    }

    /** The reader's window is smaller than what is written, so that much is still at the writer when it closes. */
    private static ServerSocket listen() throws IOException {
        PTCPServerSocket server = new PTCPServerSocket(0, 5, InetAddress.getLoopbackAddress());
        server.setReceiveBufferSize(1);
        server.setSoTimeout(TestTimes.MILLIS);
        return server;
    }

    @Test
    void whatWasWrittenBeforeCloseArrivesThoughTheProgramEnds() throws Exception {
        try (ServerSocket server = listen()) {
            Process writer = start(server, "close");
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().readAllBytes()).hasSize(LENGTH);
                assertThat(writer.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(writer.exitValue()).isZero();
            }
        }
    }

    @Test
    void programThatEndsWithoutCloseIsToldFromOneThatCloses() throws Exception {
        try (ServerSocket server = listen()) {
            Process writer = start(server, "exit");
            try (Socket accepted = server.accept()) {
                InputStream in = accepted.getInputStream();
                assertThat(in.readNBytes(LENGTH)).hasSize(LENGTH);
                accepted.getOutputStream().write(7);
                assertThatThrownBy(in::read)
                        .isInstanceOf(SocketException.class)
                        .hasMessageStartingWith("Connection reset");
                assertThat(writer.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(writer.exitValue()).isZero();
            }
        }
    }
}
