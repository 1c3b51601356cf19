package io.hawser.agenta.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One end of a control connection, which says what a test wants it to say, and when. */
public abstract class FtpClient implements AutoCloseable {
    static final int PATIENCE_MILLIS = (int) TestTimes.LIMIT.toMillis();

    /** A socket that nobody holds is closed by the garbage collector, and then the upload has ended. */
    private final List<Socket> dataConnections = new ArrayList<>();

    /** Sends a command. */
    public abstract void send(String line) throws IOException;

    /** The next reply with all of its lines; empty when the connection has ended. */
    public abstract String reply() throws IOException;

    @Override
    public abstract void close() throws IOException;

    /** The next reply must have that code; it is returned. */
    public final String expect(int code) throws IOException {
        String reply = reply();
        assertThat(reply).startsWith(Integer.toString(code));
        return reply;
    }

    /** Sends a command whose reply must have that code; it is returned. */
    public final String expect(String line, int code) throws IOException {
        send(line);
        String reply = reply();
        assertThat(reply).as(line).startsWith(Integer.toString(code));
        return reply;
    }

    /** Sends a command whose reply must have that code and text. */
    public final void expect(String line, int code, String text) throws IOException {
        assertThat(expect(line, code)).as(line).contains(text);
    }

    /** Sends a command whose reply must begin with 2. */
    public final String ok(String line) throws IOException {
        send(line);
        String reply = reply();
        assertThat(reply).as(line).startsWith("2");
        return reply;
    }

    /** The next reply that is no marker. */
    public final String end() throws IOException {
        String reply = reply();
        while (reply.startsWith("1")) {
            reply = reply();
        }
        return reply;
    }

    /** Logs in with any password, to transfer bytes as they are. */
    public final void logIn(String name) throws IOException {
        expect("USER " + name, 331);
        expect("PASS x", 230);
        ok("TYPE I");
    }

    /** The port of EPSV. */
    public final int passivePort() throws IOException {
        String reply = ok("EPSV");
        return Integer.parseInt(reply.substring(reply.indexOf("|||") + 3, reply.lastIndexOf('|')));
    }

    /** Opens a data connection with EPSV. */
    public final Socket passive() throws IOException {
        Socket data = new Socket(InetAddress.getLoopbackAddress(), passivePort());
        data.setSoTimeout(PATIENCE_MILLIS);
        dataConnections.add(data);
        return data;
    }

    /** Begins a transfer by {@code command}, such as {@code STOR f}, over a new data connection. */
    public final Socket begin(String command) throws IOException {
        Socket data = passive();
        expect(command, 150);
        return data;
    }

    /** Uploads {@code bytes} by {@code command}, such as {@code STOR f}. */
    public final void upload(String command, byte[] bytes) throws IOException {
        try (Socket data = begin(command)) {
            data.getOutputStream().write(bytes);
        }
        expect(226);
    }

    /** The text that {@code command}, such as {@code NLST} or {@code RETR f}, sends. */
    public final String text(String command) throws IOException {
        try (Socket data = begin(command)) {
            String text = new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            expect(226);
            return text;
        }
    }

    /** Renames. */
    public final void rename(String from, String to) throws IOException {
        expect("RNFR " + from, 350);
        ok("RNTO " + to);
    }

    /** Breaks the transfer off. */
    public final void abort() throws IOException {
        expect("ABOR", 426);
        expect(226);
    }

    /** Waits until so many bytes of the upload have been received. */
    public final void awaitReceived(long bytes) {
        await().until(() -> {
            send("STAT");
            return end().contains(" " + bytes + " bytes received");
        });
    }

    /**
     * Waits until the server has seen all that had come to it before, on this and other connections: its one loop answers each of two
     * STATs in a later turn. In the middle of a transfer too; markers are skipped.
     */
    public final void awaitTurn() throws IOException {
        for (int i = 0; i < 2; i++) {
            send("STAT");
            assertThat(end()).startsWith("211");
        }
    }
}
