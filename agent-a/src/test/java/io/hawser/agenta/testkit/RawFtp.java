package io.hawser.agenta.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A client that says exactly what a test wants it to say, and when. */
public final class RawFtp extends FtpClient {
    private final Socket control;
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
        return login(port, "anonymous");
    }

    /** Logged in with any password, to transfer bytes as they are. */
    public static RawFtp login(int port, String name) throws IOException {
        RawFtp client = connect(port);
        client.logIn(name);
        return client;
    }

    /** Logged in as anonymous within TLS, with data connections within TLS. */
    public static RawFtp loginProtected(int port, SSLContext tls) throws IOException {
        RawFtp session = connect(port).secure(tls);
        session.logIn("anonymous");
        session.ok("PBSZ 0");
        session.ok("PROT P");
        return session;
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

    @Override
    public void send(String line) throws IOException {
        sendRaw((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes. */
    public void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** {@inheritDoc} They are joined by LF. */
    @Override
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
