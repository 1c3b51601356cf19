package examples;

import io.hawser.ptcp.PTCPServerSocket;
import io.hawser.ptcp.PTCPSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends text through sockets that use four TCP connections each. Needs no broker. Argument: the text. */
public final class PtcpEcho {
    private PtcpEcho() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (PTCPServerSocket server = new PTCPServerSocket(0)) {
            Thread echo = new Thread(() -> echo(server));
            echo.start();
            try (PTCPSocket socket = new PTCPSocket("127.0.0.1", server.getLocalPort())) {
                socket.getOutputStream().write(arguments[0].getBytes(StandardCharsets.UTF_8));
                socket.shutdownOutput();
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                System.out.println(answer);
            }
            echo.join();
        }
    }

    private static void echo(PTCPServerSocket server) {
        try (Socket accepted = server.accept();
                InputStream in = accepted.getInputStream()) {
            in.transferTo(accepted.getOutputStream());
        } catch (IOException e) {
            System.err.println("echo: " + e.getMessage());
        }
    }
}
