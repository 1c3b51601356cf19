package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.login.TlsReuse;
import io.hawser.agenta.testkit.ClientPrograms;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.TestTls;
import io.hawser.core.testkit.Program;
import io.hawser.core.tls.OneWayTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unmodified client programs over TLS; the certificate is checked where the program can. */
class TlsClientsTest extends ClientPrograms {
    private byte[] bytes = {};
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private OneWayTls server;
    private String ca;

    @BeforeEach
    void start() throws Exception {
        bytes = file("f", 1_500_000);
        Path keys = directory.resolve("keys");
        server = TestTls.server(keys);
        ca = keys.resolve("ca.crt").toString();
        ftp = FtpFixture.start(config -> config.withTls(new FtpTls(server, true, TlsReuse.PREFER, config.listen())));
        ftp.remote.connect();
    }

    private void requireReuse() throws Exception {
        ftp.close();
        ftp = FtpFixture.start(config -> config.withTls(new FtpTls(server, true, TlsReuse.REQUIRE, config.listen())));
        ftp.remote.connect().file("f", bytes);
        ftp.audit((who, what, object, from, result) -> notes.add(what + " " + result));
    }

    private void assertRefused(Program.Result refused) {
        assertThat(refused.exitStatus()).as(refused.output()).isNotZero();
        // A client may leave at the failed handshake, before the server has its reply.
        await().until(() ->
                notes.stream().anyMatch(note -> note.startsWith("STOR 522 The data connection was refused")));
        notes.clear();
        assertThat(ftp.spool.content("t", "refused")).isNull();
    }

    private Program.Result curl(String name, String... options) throws Exception {
        String[] command = new String[options.length + 8];
        System.arraycopy(new String[] {"curl", "-sSv", "--ssl-reqd", "--cacert", ca, "-T", "f"}, 0, command, 0, 7);
        System.arraycopy(options, 0, command, 7, options.length);
        command[command.length - 1] = "ftp://127.0.0.1:" + ftp.port + "/t/" + name;
        return Program.run(directory, command);
    }

    private void arrived(String name) {
        assertThat(ftp.spool.content("t", name)).as(name).isEqualTo(bytes);
    }

    @Test
    void curlUploadsWithBothVersions() throws Exception {
        curl("passive").succeeded();
        curl("tls12", "--tls-max", "1.2").succeeded();
        curl("pasv", "--disable-epsv").succeeded();

        arrived("passive");
        arrived("tls12");
        arrived("pasv");
    }

    @Test
    void curlUploadsOverImplicitTls() throws Exception {
        int port = ftp.server.address(ListenerKind.FTPS).orElseThrow().getPort();

        Program.run(directory, "curl", "-sSv", "--cacert", ca, "-T", "f", "ftps://127.0.0.1:" + port + "/t/implicit")
                .succeeded();

        arrived("implicit");
    }

    @Test
    void curlProtectsTheControlConnectionAloneWhereThatIsAllowed() throws Exception {
        ftp.close();
        OneWayTls server = TestTls.server(directory.resolve("others"));
        ftp = FtpFixture.start(config -> config.withTls(new FtpTls(server, false, TlsReuse.PREFER, null)));
        String theirs = directory.resolve("others/ca.crt").toString();

        curl("control", "--ftp-ssl-control", "--cacert", theirs).succeeded();
        Program.Result ccc = curl("ccc", "--ftp-ssl-ccc", "--cacert", theirs).succeeded();
        curl("active-ccc", "--ftp-ssl-ccc-mode", "active", "--cacert", theirs).succeeded();
        Program.run(directory, "curl", "-sS", "-T", "f", "ftp://127.0.0.1:" + ftp.port + "/t/clear")
                .succeeded();

        assertThat(ccc.output()).contains("200 The control connection is clear");
        arrived("control");
        arrived("ccc");
        arrived("active-ccc");
        arrived("clear");
    }

    @Test
    void lftpUploadsAndLists() throws Exception {
        Program.Result result = Program.run(
                directory,
                "lftp",
                "-e",
                "set ftp:ssl-force true; set ftp:ssl-allow-anonymous true; set ftp:ssl-protect-data true; set ssl:ca-file "
                        + ca
                        + "; set ftp:ssl-protect-list true; put f -o /t/lftp; ls /t;"
                        + " set ftp:passive-mode off; put f -o /t/lftp-active; bye",
                "ftp://127.0.0.1:" + ftp.port);

        result.succeeded();
        assertThat(result.output()).contains("lftp");
        arrived("lftp");
        arrived("lftp-active");
    }

    @Test
    void ftplibUploadsListsAndResumesItsSessionOnDataConnections() throws Exception {
        requireReuse();
        Files.writeString(directory.resolve("script.py"), """
                import ftplib, ssl, sys
                reused = []
                class Reusing(ftplib.FTP_TLS):
                    def ntransfercmd(self, cmd, rest=None):
                        conn, size = ftplib.FTP.ntransfercmd(self, cmd, rest)
                        if self._prot_p:
                            conn = self.context.wrap_socket(conn, server_hostname='127.0.0.1', session=self.sock.session)
                            reused.append(conn.session_reused)
                        return conn, size
                context = ssl.create_default_context(cafile=sys.argv[2])
                if sys.argv[3] == '2':
                    context.maximum_version = ssl.TLSVersion.TLSv1_2
                ftp = Reusing(context=context)
                ftp.connect('127.0.0.1', int(sys.argv[1]))
                ftp.login()
                ftp.prot_p()
                print(ftp.storbinary('STOR /t/ftplib' + sys.argv[3], open('f', 'rb')))
                print(ftp.nlst('/t'))
                print('reused', reused)
                ftp.quit()
                """);
        for (String version : new String[] {"2", "3"}) {
            Program.Result result =
                    Program.run(directory, "python3", "script.py", Integer.toString(ftp.port), ca, version);

            result.succeeded();
            assertThat(result.output()).contains("226 ").contains("'ftplib" + version + "'");
            assertThat(result.output()).as(version).contains("reused [True, True]");
            arrived("ftplib" + version);
        }
    }

    /** curl with OpenSSL offers a session of TLS 1.2 any number of times, and a ticket of TLS 1.3 once. */
    @Test
    void curlResumesItsSessionWhereThatIsRequired() throws Exception {
        requireReuse();
        String url = "ftp://127.0.0.1:" + ftp.port + "/t/";

        curl("tls13", "--tlsv1.3").succeeded();
        curl("one", "--tls-max", "1.2", url + "two", "-T", "f").succeeded();
        for (String version : new String[] {"1.2", "1.3"}) {
            Program.run(
                            directory,
                            "curl",
                            "-sSv",
                            "--ssl-reqd",
                            "--cacert",
                            ca,
                            "--tls-max",
                            version,
                            "-o",
                            version,
                            "ftp://127.0.0.1:" + ftp.port + "/site-b/f")
                    .succeeded();
            assertThat(directory.resolve(version)).hasBinaryContent(bytes);
        }

        arrived("tls13");
        arrived("one");
        arrived("two");
    }

    @Test
    void curlWithoutItsSessionIsRefusedWhereReuseIsRequired() throws Exception {
        requireReuse();

        for (String version : new String[] {"1.2", "1.3"}) {
            assertRefused(curl("refused", "--tls-max", version, "--no-sessionid"));
        }
    }

    private Program.Result lftp(String settings, String commands) throws Exception {
        return Program.run(
                directory,
                "lftp",
                "-d",
                "-c",
                "set net:max-retries 1; set net:timeout 20; set ftp:ssl-force true; set ftp:ssl-allow-anonymous true;"
                        + " set ftp:ssl-protect-data true; set ftp:ssl-protect-list true; set ssl:ca-file " + ca + "; "
                        + settings + "; open ftp://127.0.0.1:" + ftp.port + "; " + commands);
    }

    @Test
    void lftpResumesItsSessionWhereThatIsRequired() throws Exception {
        requireReuse();

        for (String versions : new String[] {"NORMAL", "NORMAL:-VERS-TLS1.3"}) {
            String name = "n" + versions.length();
            lftp(
                            "set ssl:priority " + versions,
                            "put f -o /t/" + name + "a; put f -o /t/" + name + "b; ls /site-b; get /site-b/f -o " + name
                                    + "; set ftp:passive-mode off; put f -o /t/" + name + "c")
                    .succeeded();
            arrived(name + "a");
            arrived(name + "b");
            arrived(name + "c");
            assertThat(directory.resolve(name)).hasBinaryContent(bytes);
        }
    }

    @Test
    void lftpWithoutItsSessionIsRefusedWhereReuseIsRequired() throws Exception {
        requireReuse();

        for (String versions : new String[] {"NORMAL", "NORMAL:-VERS-TLS1.3"}) {
            assertRefused(lftp("set ftp:ssl-copy-sid false; set ssl:priority " + versions, "put f -o /t/refused"));
        }
    }

    /** Python's ftplib resumes nothing by itself. */
    @Test
    void ftplibIsToldWhyItIsRefused() throws Exception {
        requireReuse();
        Files.writeString(directory.resolve("plain.py"), """
                import ftplib, ssl, sys
                ftp = ftplib.FTP_TLS(context=ssl.create_default_context(cafile=sys.argv[2]))
                ftp.connect('127.0.0.1', int(sys.argv[1]))
                ftp.login()
                ftp.prot_p()
                try:
                    ftp.storbinary('STOR /t/refused', open('f', 'rb'))
                except (ssl.SSLError, OSError) as e:
                    print('data connection:', e)
                    print(ftp.getresp())
                """);

        Program.Result refused = Program.run(directory, "python3", "plain.py", Integer.toString(ftp.port), ca);

        assertThat(refused.output()).contains("522 The data connection was refused");
        assertThat(ftp.spool.content("t", "refused")).isNull();
    }

    /** It would cost a private-key operation each time. The JDK's own switch is a property of the whole process. */
    @Test
    void renegotiationByAClientEndsTheConnection() throws Exception {
        int port = ftp.server.address(ListenerKind.FTPS).orElseThrow().getPort();

        Program.Result result = Program.run(
                directory,
                "sh",
                "-c",
                "(sleep 1; echo SYST; sleep 1; echo R; sleep 2; echo FEAT; sleep 1) | timeout 30 openssl s_client -tls1_2 -crlf -connect 127.0.0.1:"
                        + port);

        assertThat(result.output()).contains("220 Hawser", "215 UNIX", "RENEGOTIATING");
        // What stands before the greeting is certificates and keys: any three digits are in it now and then.
        String replies = result.output().substring(result.output().indexOf("220 Hawser"));
        assertThat(replies).doesNotContain("211-"); // as the reply to FEAT begins
    }
}
