package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.login.TlsReuse;
import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.TestTls;
import io.hawser.core.tls.OneWayTls;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.spool.SpoolPhase;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FTP over TLS, RFC 4217, said by a client that says exactly what a test wants. */
class TlsTest extends OnFtpServer {
    @TempDir
    Path keys;

    private final byte[] bytes = RandomBytes.of(500_000);
    private OneWayTls server;
    private SSLContext trust;

    @BeforeEach
    void keys() throws Exception {
        server = TestTls.server(keys);
        trust = TestTls.client("TLSv1.3");
    }

    private void start(boolean required) throws Exception {
        // Nothing but evidence can end the window within a test's time.
        ftp = FtpFixture.onEpoll(
                4, config -> config.withTls(new FtpTls(server, required, TlsReuse.PREFER, config.listen()))
                        .withEvidenceWindow(Duration.ofSeconds(30)));
    }

    private SSLSocket store(RawFtp session, String name) throws Exception {
        Socket plain = session.begin("STOR " + name);
        SSLSocket data = (SSLSocket) trust.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        data.startHandshake();
        return data;
    }

    @Test
    void closeNotifyIsEvidenceOfTheEnd() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);

        try (SSLSocket data = store(session, "/t/f")) {
            data.getOutputStream().write(bytes);
        }

        session.expect(226); // the window would last for 30 seconds
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    /** More than there are buffers. */
    @Test
    void uploadsThatStandStillHoldUpNobodyAndEndWhole() throws Exception {
        start(false);
        int begun = FtpFixture.FRAGMENT_BYTES + 4465;
        List<RawFtp> sessions = new ArrayList<>();
        List<SSLSocket> uploads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RawFtp session = RawFtp.loginProtected(ftp.port, trust);
            SSLSocket data = store(session, "/t/standing-" + i);
            data.getOutputStream().write(bytes, 0, begun);
            sessions.add(session);
            uploads.add(data);
        }
        for (RawFtp session : sessions) {
            await().until(() -> {
                session.send("STAT");
                return session.reply().contains(" " + begun + " bytes received");
            });
        }

        for (int i = 0; i < sessions.size(); i++) {
            uploads.get(i).getOutputStream().write(bytes, begun, bytes.length - begun);
            uploads.get(i).close();
        }

        for (int i = 0; i < sessions.size(); i++) {
            sessions.get(i).expect(226);
            assertThat(ftp.spool.content("t", "standing-" + i)).isEqualTo(bytes);
            sessions.get(i).close();
        }
    }

    @Test
    void tls12WorksAsWell() throws Exception {
        trust = TestTls.client("TLSv1.2");
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);

        try (SSLSocket data = store(session, "/t/f")) {
            data.getOutputStream().write(bytes);
        }

        session.expect(226);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void finWithoutCloseNotifyIsACut() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        Socket plain = session.begin("STOR /t/f");
        SSLSocket data = (SSLSocket) trust.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), false);
        data.startHandshake();
        data.getOutputStream().write(bytes);

        plain.close();

        assertThat(session.expect(426)).contains("cut off");
        assertThat(ftp.spool.all()).allMatch(transfer -> transfer.phase() == SpoolPhase.INCOMPLETE);
        session.ok("NOOP");
    }

    @Test
    void clearDataWherePrivateWasAgreedIsRefused() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        try (Socket plain = session.begin("STOR /t/f")) {
            plain.getOutputStream().write("hello, this is no TLS".getBytes(StandardCharsets.UTF_8));
            assertThat(session.expect(426)).contains("not TLS");
        }
        assertThat(ftp.spool.content("t", "f")).isNull();
    }

    @Test
    void uploadIsHeldBackWhileTheDiskIsSlow() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        ftp.spool.hold(Lane.CONTENT);
        SSLSocket data = store(session, "/t/big");
        Thread writer = new Thread(() -> {
            try (data) {
                for (int i = 0; i < 40; i++) {
                    data.getOutputStream().write(bytes);
                }
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        writer.start();
        await().until(() -> ftp.pool.available() == 2); // half of the pool
        for (int i = 0; i < 8; i++) { // the chances to read on, which must not be taken
            session.awaitTurn();
        }
        assertThat(writer.isAlive()).isTrue();
        assertThat(ftp.pool.available()).isEqualTo(2);

        ftp.spool.release();

        session.expect(226);
        writer.join();
        assertThat(ftp.spool.content("t", "big")).hasSize(40 * bytes.length);
    }

    @Test
    void whatCameInClearBehindAuthIsNotTakenForProtected() throws Exception {
        start(false);
        try (RawFtp session = RawFtp.connect(ftp.port)) {
            session.expect("AUTH TLS\r\nUSER anonymous\r\nPASS x", 503);
            session.expect(331);
        }
        try (RawFtp session = RawFtp.connect(ftp.port)) {
            session.sendRaw("AUTH TLS\r\nUSER anon".getBytes(StandardCharsets.UTF_8));
            session.expect(503);
        }
    }

    @Test
    void loginMustBeMadeAnewAfterAuth() throws Exception {
        start(false);
        RawFtp clear = RawFtp.login(ftp.port);

        RawFtp session = clear.secure(trust);

        session.expect("PWD", 530);
        session.expect("AUTH TLS", 503);
        session.logIn("anonymous");
        session.ok("PWD");
    }

    @Test
    void handshakesOfControlConnectionsDoNotRunOnTheLoop() throws Exception {
        start(false);

        RawFtp.login(ftp.port).secure(trust).logIn("anonymous");

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .contains("hawser-ftp-tls");
    }

    @Test
    void protectionIsAgreedInItsOrder() throws Exception {
        start(false);
        RawFtp clear = RawFtp.login(ftp.port);
        for (String command : new String[] {"PBSZ 0", "PROT P"}) {
            clear.expect(command, 503);
        }
        clear.expect("CCC", 533);
        clear.expect("AUTH KERBEROS_V4", 504);
        RawFtp session = clear.secure(trust);
        session.logIn("anonymous");
        session.expect("PROT P", 503);
        session.ok("PBSZ 0");
        session.expect("PROT S", 536);
        session.expect("PROT X", 504);
        session.ok("PROT C");
        assertThat(session.ok("FEAT"))
                .contains(" AUTH TLS\n")
                .contains(" PBSZ\n")
                .contains(" PROT\n");
    }

    @Test
    void requiredTlsIsRequired() throws Exception {
        start(true);
        RawFtp clear = RawFtp.connect(ftp.port);
        clear.expect("USER anonymous", 530);
        RawFtp session = clear.secure(trust);
        session.logIn("anonymous");
        session.ok("EPSV");
        session.expect("STOR /t/f", 522);
        session.ok("TYPE I");
        session.ok("MODE E");
        session.ok("PASV");
        session.expect("STOR /t/f", 522);
        session.ok("EPRT |1|127.0.0.1|" + ftp.port + "|");
        session.expect("MLSD /", 522);
        session.ok("MODE S");
        session.ok("PBSZ 0");
        session.expect("PROT C", 534);
        session.expect("CCC", 534);
        session.ok("PROT P");
        try (SSLSocket data = store(session, "/t/f")) {
            data.getOutputStream().write(bytes);
        }
        session.expect(226);
    }

    @Test
    void cccGoesOnInClear() throws Exception {
        start(false);
        RawFtp clear = RawFtp.connect(ftp.port);
        clear.ok("AUTH TLS");
        SSLSocket tls = (SSLSocket) trust.getSocketFactory().createSocket(clear.socket(), "127.0.0.1", ftp.port, false);
        tls.startHandshake();
        RawFtp session = RawFtp.on(tls);
        session.logIn("anonymous");
        session.ok("CCC");
        assertThat(tls.getInputStream().read()).isEqualTo(-1); // our close_notify
        tls.close(); // theirs

        clear.ok("PWD");
    }

    @Test
    void implicitTlsBeginsAtOnceAndProtectsData() throws Exception {
        start(false);
        RawFtp session = RawFtp.knock(
                        ftp.server.address(ListenerKind.FTPS).orElseThrow().getPort())
                .within(trust);
        session.expect(220);
        session.logIn("anonymous");
        try (SSLSocket data = store(session, "/t/f")) {
            data.getOutputStream().write(bytes);
        }
        session.expect(226);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void thisEndIsTheTlsServerInActiveModeToo() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        try (java.net.ServerSocket listening = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            session.ok("EPRT |1|127.0.0.1|" + listening.getLocalPort() + "|");
            session.expect("STOR /t/f", 150);
            Socket plain = listening.accept();
            try (SSLSocket data =
                    (SSLSocket) trust.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true)) {
                data.setUseClientMode(true);
                data.getOutputStream().write(bytes);
            }
            session.expect(226);
        }
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void garbageInsteadOfAHandshakeEndsTheConnection() throws Exception {
        start(false);
        RawFtp session = RawFtp.connect(ftp.port);
        session.ok("AUTH TLS");
        session.send("USER anonymous");

        assertThat(session.socket().getInputStream().readAllBytes().length).isLessThan(100);
    }

    @Test
    void withoutKeysTlsIsNotOffered() throws Exception {
        ftp = FtpFixture.start(config -> config);
        RawFtp session = RawFtp.login(ftp.port);
        for (String command : new String[] {"AUTH TLS", "AUTH SSL", "PBSZ 0", "PROT P", "CCC"}) {
            session.expect(command, 502);
        }
        assertThat(session.ok("FEAT")).doesNotContain("AUTH");
        assertThat(session.ok("HELP")).doesNotContain("AUTH");
    }

    private SSLSocket secure(Socket plain) throws Exception {
        SSLSocket data = (SSLSocket) trust.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        data.startHandshake();
        return data;
    }

    @Test
    void blocksTravelOverSeveralProtectedConnectionsWhichAreKept() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        session.ok("MODE E");
        int port = session.passivePort();
        int half = bytes.length / 2;
        try (Socket first = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket second = new Socket(InetAddress.getLoopbackAddress(), port)) {
            session.expect("STOR /t/f", 150);
            BlockStream one = BlockStream.over(secure(first));
            BlockStream two = BlockStream.over(secure(second));
            two.block(0, bytes, half, bytes.length).flags(BlockStream.EOF | BlockStream.EOD, 2);
            one.block(0, bytes, 0, half).flags(BlockStream.EOD, 0);
            assertThat(session.end()).startsWith("226");
            session.expect("STOR /t/g", 125);
            one.block(BlockStream.EOD, bytes, 0, half);
            two.flags(BlockStream.EOF, 2).block(BlockStream.EOD, bytes, half, bytes.length);
            assertThat(session.end()).startsWith("226");
        }
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
        assertThat(ftp.spool.content("t", "g")).isEqualTo(bytes);
    }

    @Test
    void connectionsThatAreKeptDoNotOutliveAChangeOfProt() throws Exception {
        start(false);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        session.ok("PROT C");
        session.ok("MODE E");
        try (Socket clear = new Socket(InetAddress.getLoopbackAddress(), session.passivePort())) {
            session.expect("STOR /t/f", 150);
            BlockStream.over(clear).flags(BlockStream.EOF, 1).block(BlockStream.EOD, bytes, 0, bytes.length);
            assertThat(session.end()).startsWith("226");
            session.ok("PROT P");
            session.expect("STOR /t/g", 425);
            assertThat(clear.getInputStream().read()).isEqualTo(-1);
        }
    }

    /** The end of nothing comes behind the handshake, which clients begin late: lftp takes an alert within it for a failure. */
    @Test
    void emptyFileAndEmptyListingEndBehindTheHandshake() throws Exception {
        start(false);
        ftp.remote.connect().file("nothing", new byte[0]).directory("empty");
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        for (String command : List.of("RETR /site-b/nothing", "MLSD /site-b/empty")) {
            Socket plain = session.begin(command);
            session.awaitTurn(); // the client begins after the end of nothing
            try (SSLSocket data = secure(plain)) {
                assertThat(data.getInputStream().readAllBytes()).isEmpty();
            }
            session.expect(226);
        }
    }

    @Test
    void blocksOfADownloadAreProtectedToo() throws Exception {
        start(false);
        ftp.remote.connect().file("f", bytes);
        RawFtp session = RawFtp.loginProtected(ftp.port, trust);
        session.ok("MODE E");
        try (java.net.ServerSocket listening = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            session.ok("EPRT |1|127.0.0.1|" + listening.getLocalPort() + "|");
            session.expect("RETR /site-b/f", 150);
            byte[] received = new byte[bytes.length];
            try (SSLSocket data = secure(listening.accept())) {
                java.io.DataInputStream in = new java.io.DataInputStream(data.getInputStream());
                int flags = 0;
                while ((flags & BlockStream.EOD) == 0) {
                    flags = in.readUnsignedByte();
                    int count = (int) in.readLong();
                    int offset = (int) in.readLong();
                    in.readFully(received, (flags & BlockStream.EOF) != 0 ? 0 : offset, count);
                }
            }
            session.expect(226);
            assertThat(received).isEqualTo(bytes);
        }
    }
}
