package io.hawser.agenta.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A client that says exactly what a test wants it to say, and when. */
public final class RawFtp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = (int) TestTimes.LIMIT.toMillis();

    private final Socket control;

    /** A socket that nobody holds is closed by the garbage collector, and then the upload has ended. */
    private final List<Socket> dataConnections = new ArrayList<>();

    private final BufferedReader in;
    private final OutputStream out;

    private RawFtp(Socket control) throws IOException {
        this.control = control;
        control.setSoTimeout(PATIENCE_MILLIS);
        control.setTcpNoDelay(true);
        this.in = new BufferedReader(new InputStreamReader(control.getInputStream(), StandardCharsets.UTF_8));
        this.out = control.getOutputStream();
    }

    /** Connected and greeted. */
    public static RawFtp connect(int port) throws IOException {
        RawFtp client = new RawFtp(new Socket(InetAddress.getLoopbackAddress(), port));
        client.expect(220);
        return client;
    }

    /** Logged in as anonymous. */
    public static RawFtp login(int port) throws IOException {
        RawFtp client = connect(port);
        client.send("USER anonymous");
        client.expect(331);
        client.send("PASS x");
        client.expect(230);
        return client;
    }

    /** The same session within TLS, begun by AUTH. */
    public RawFtp secure(SSLContext tls) throws IOException {
        ok("AUTH TLS");
        return within(tls);
    }

    /** The same session within TLS, begun now. */
    public RawFtp within(SSLContext tls) throws IOException {
        SSLSocket socket =
                (SSLSocket) tls.getSocketFactory().createSocket(control, "127.0.0.1", control.getPort(), true);
        socket.startHandshake();
        return new RawFtp(socket);
    }

    /** A control connection to {@code port} of which nothing has been read. */
    public static RawFtp knock(int port) throws IOException {
        return new RawFtp(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** A session over a connection that is there. */
    public static RawFtp on(Socket socket) throws IOException {
        return new RawFtp(socket);
    }

    /** Logs in as anonymous. */
    public void logIn() throws IOException {
        send("USER anonymous");
        expect(331);
        send("PASS x");
        expect(230);
    }

    /** Sends a command. */
    public void send(String line) throws IOException {
        sendRaw((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes. */
    public void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next reply, all of its lines joined by LF; empty when the connection has ended. */
    public String reply() throws IOException {
        String line = in.readLine();
        if (line == null) {
            return "";
        }
        StringBuilder all = new StringBuilder(line);
        String end = line.substring(0, 3) + " ";
        while (!line.startsWith(end)) {
            line = in.readLine();
            if (line == null) {
                return all.toString();
            }
            all.append('\n').append(line);
        }
        return all.toString();
    }

    /** The next reply must have that code; it is returned. */
    public String expect(int code) throws IOException {
        String reply = reply();
        assertThat(reply).startsWith(Integer.toString(code));
        return reply;
    }

    /** Sends a command whose reply must begin with 2. */
    public String ok(String line) throws IOException {
        send(line);
        String reply = reply();
        assertThat(reply).as(line).startsWith("2");
        return reply;
    }

    /**
     * Waits until the server has seen all that had come to it before, on this and other connections: its one loop answers each of two
     * STATs in a later turn. In the middle of a transfer too; markers are skipped.
     */
    public void awaitTurn() throws IOException {
        for (int i = 0; i < 2; i++) {
            send("STAT");
            assertThat(end()).startsWith("211");
        }
    }

    /** The next reply that is no marker. */
    public String end() throws IOException {
        String reply = reply();
        while (reply.startsWith("1")) {
            reply = reply();
        }
        return reply;
    }

    /** Waits until so many bytes of the upload have been received. */
    public void awaitReceived(long bytes) {
        await().until(() -> {
            send("STAT");
            return end().contains(" " + bytes + " bytes received");
        });
    }

    /** Uploads {@code bytes} by {@code command}, such as {@code STOR f}. */
    public void upload(String command, byte[] bytes) throws IOException {
        try (Socket data = passive()) {
            send(command);
            expect(150);
            data.getOutputStream().write(bytes);
        }
        expect(226);
    }

    /** The text that {@code command}, such as {@code NLST} or {@code RETR f}, sends. */
    public String text(String command) throws IOException {
        try (Socket data = passive()) {
            send(command);
            expect(150);
            String text = new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            expect(226);
            return text;
        }
    }

    /** Sends a command whose reply must have that code and text. */
    public void refused(String command, int code, String text) throws IOException {
        send(command);
        assertThat(expect(code)).as(command).contains(text);
    }

    /** Opens a data connection with EPSV. */
    public Socket passive() throws IOException {
        Socket data = new Socket(InetAddress.getLoopbackAddress(), passivePort());
        dataConnections.add(data);
        return data;
    }

    /** The port of EPSV. */
    public int passivePort() throws IOException {
        String reply = ok("EPSV");
        return Integer.parseInt(reply.substring(reply.indexOf("|||") + 3, reply.lastIndexOf('|')));
    }

    /** Ends both connections as a killed program's kernel does: the data first, by a FIN, and then this one. */
    public void abandon(Socket data) throws IOException {
        data.close();
        control.close();
    }

    /** The control connection. */
    public Socket socket() {
        return control;
    }

    @Override
    public void close() throws IOException {
        control.close();
    }
}
