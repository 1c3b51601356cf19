package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.login.TlsReuse;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a protected data connection is opened by who opened the control connection: only that client can resume its session. */
class TlsReuseTest extends OnFtpServer {
    @TempDir
    Path keys;

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final byte[] bytes = RandomBytes.of(500_000);

    private void start(TlsReuse reuse) throws Exception {
        FtpTls tls = new FtpTls(TestTls.server(keys), false, reuse, null);
        ftp = FtpFixture.start(config -> config.withTls(tls));
        ftp.remote.connect().file("f", bytes);
        ftp.audit((who, what, object, from, result) -> notes.add(String.join("|", who, what, from.toString(), result)));
    }

    /** The JDK's client looks for a session to resume by the port of its socket. */
    private final class ControlPortSocket extends Socket {
        @Override
        public int getPort() {
            return ftp.port;
        }
    }

    /** A client's port in active mode. */
    private final class Accepting extends ServerSocket {
        private final boolean resumes;

        Accepting(boolean resumes) throws IOException {
            super(0, 1, InetAddress.getLoopbackAddress());
            this.resumes = resumes;
        }

        @Override
        public Socket accept() throws IOException {
            Socket accepted = resumes ? new ControlPortSocket() : new Socket();
            implAccept(accepted);
            return accepted;
        }
    }

    private Socket passive(RawFtp session, boolean resumes) throws IOException {
        Socket plain = resumes ? new ControlPortSocket() : new Socket();
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), session.passivePort()));
        return plain;
    }

    private static SSLSocket tls(SSLContext client, Socket plain) throws IOException {
        SSLSocket data = (SSLSocket) client.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        data.setUseClientMode(true);
        return data;
    }

    private static void assertRefused(SSLSocket data) throws IOException {
        try (data) {
            assertThatThrownBy(() -> data.getInputStream().read()).isInstanceOf(IOException.class);
        }
    }

    private long sessionNotes() {
        return notes.stream().filter(note -> note.contains("|data connection|")).count();
    }

    private void store(RawFtp session, String name, boolean resume, SSLContext client) throws Exception {
        Socket plain = passive(session, resume);
        session.expect("STOR " + name, 150);
        try (SSLSocket data = tls(client, plain)) {
            data.getOutputStream().write(bytes);
        }
        session.expect(226);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void requireTakesTheControlConnectionsSession(String version) throws Exception {
        start(TlsReuse.REQUIRE);
        SSLContext client = TestTls.client(version);
        RawFtp session = RawFtp.loginProtected(ftp.port, client);

        store(session, "/t/f", true, client);

        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
        assertThat(sessionNotes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void requireRefusesAnUploadFromAnotherProgram(String version) throws Exception {
        start(TlsReuse.REQUIRE);
        RawFtp session = RawFtp.loginProtected(ftp.port, TestTls.client(version));
        Socket plain = session.begin("STOR /t/f");

        assertRefused(tls(TestTls.client(version), plain));

        assertThat(session.expect(522)).contains("must resume the TLS session of the control connection");
        assertThat(ftp.spool.content("t", "f")).isNull();
        session.ok("NOOP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RETR /site-b/f", "MLSD /site-b", "LIST /site-b"})
    void requireSendsNothingToAnotherProgram(String command) throws Exception {
        start(TlsReuse.REQUIRE);
        RawFtp session = RawFtp.loginProtected(ftp.port, TestTls.client("TLSv1.3"));
        Socket plain = session.begin(command);

        assertRefused(tls(TestTls.client("TLSv1.3"), plain));

        session.expect(522);
    }

    @Test
    void requireHoldsInActiveModeToo() throws Exception {
        start(TlsReuse.REQUIRE);
        SSLContext client = TestTls.client("TLSv1.2");
        RawFtp session = RawFtp.loginProtected(ftp.port, client);
        for (boolean resumes : new boolean[] {true, false}) {
            try (ServerSocket listening = new Accepting(resumes)) {
                session.ok("EPRT |1|127.0.0.1|" + listening.getLocalPort() + "|");
                session.expect("RETR /site-b/f", 150);
                try (SSLSocket data = tls(client, listening.accept())) {
                    if (resumes) {
                        assertThat(data.getInputStream().readAllBytes()).isEqualTo(bytes);
                    } else {
                        assertRefused(data);
                    }
                }
            }
            session.expect(resumes ? 226 : 522);
        }
    }

    /** As another program does that has logged in itself, at the same address. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anotherControlConnectionsSessionIsNoReuse(String version) throws Exception {
        start(TlsReuse.REQUIRE);
        SSLContext thief = TestTls.client(version);
        RawFtp loggedIn = RawFtp.loginProtected(ftp.port, thief);
        RawFtp session = RawFtp.loginProtected(ftp.port, TestTls.client(version));
        Socket plain = passive(session, true);
        session.expect("RETR /site-b/f", 150);

        assertRefused(tls(thief, plain));

        session.expect(522);
        // With TLS 1.3 the JDK offers a ticket once.
        loggedIn.close();
        RawFtp own = RawFtp.loginProtected(ftp.port, thief);
        store(own, "/t/own", true, thief);
        own.close();
    }

    @Test
    void requireRefusesBlocksOfAnotherProgram() throws Exception {
        start(TlsReuse.REQUIRE);
        RawFtp session = RawFtp.loginProtected(ftp.port, TestTls.client("TLSv1.3"));
        session.ok("MODE E");
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), session.passivePort())) {
            session.expect("STOR /t/f", 150);
            assertRefused(tls(TestTls.client("TLSv1.3"), plain));
            assertThat(session.end())
                    .startsWith("426")
                    .contains("must resume the TLS session of the control connection");
        }
    }

    @Test
    void requireSaysThatClearDataAreNotTls() throws Exception {
        start(TlsReuse.REQUIRE);
        RawFtp session = RawFtp.loginProtected(ftp.port, TestTls.client("TLSv1.3"));
        Socket plain = session.begin("STOR /t/f");

        plain.getOutputStream().write("hello, this is no TLS".getBytes(StandardCharsets.UTF_8));

        assertThat(session.expect(522)).contains("not TLS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void preferTakesEitherAndNotesTheMissingReuseOnce(String version) throws Exception {
        start(TlsReuse.PREFER);
        SSLContext client = TestTls.client(version);
        RawFtp session = RawFtp.loginProtected(ftp.port, client);
        store(session, "/t/resumed", true, client);
        assertThat(sessionNotes()).isZero();

        store(session, "/t/one", false, client);
        store(session, "/t/two", false, TestTls.client(version));

        await().until(() -> sessionNotes() == 1);
        assertThat(ftp.spool.content("t", "resumed")).isEqualTo(bytes);
        assertThat(ftp.spool.content("t", "one")).isEqualTo(bytes);
        assertThat(ftp.spool.content("t", "two")).isEqualTo(bytes);
        assertThat(notes).anyMatch(note -> note.startsWith("anonymous|data connection|/127.0.0.1:"));
    }

    @Test
    void offTakesEitherAndNotesNothing() throws Exception {
        start(TlsReuse.OFF);
        SSLContext client = TestTls.client("TLSv1.3");
        RawFtp session = RawFtp.loginProtected(ftp.port, client);

        store(session, "/t/f", false, client);

        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
        assertThat(sessionNotes()).isZero();
    }
}
