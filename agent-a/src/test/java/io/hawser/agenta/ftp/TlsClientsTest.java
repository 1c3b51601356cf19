package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.TestTls;
import io.hawser.common.testkit.Program;
import io.netty.handler.ssl.SslContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified client programs over TLS; the certificate is checked where the program can. */
@Timeout(120)
class TlsClientsTest {
    @TempDir
    Path directory;

    private final byte[] bytes = new byte[1_500_000];
    private FtpFixture ftp;
    private String ca;

    @BeforeEach
    void start() throws Exception {
        new Random(7).nextBytes(bytes);
        Files.write(directory.resolve("f"), bytes);
        Path keys = directory.resolve("keys");
        SslContext server = TestTls.server(keys);
        ca = keys.resolve("ca.crt").toString();
        ftp = FtpFixture.start(config -> config.withTls(new FtpTls(server, true, config.listen())));
        ftp.remote.connect();
    }

    @AfterEach
    void stop() {
        ftp.close();
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
        int port = ftp.server.address(FtpDoor.FTPS).orElseThrow().getPort();

        Program.run(directory, "curl", "-sSv", "--cacert", ca, "-T", "f", "ftps://127.0.0.1:" + port + "/t/implicit")
                .succeeded();

        arrived("implicit");
    }

    @Test
    void curlProtectsTheControlConnectionAloneWhereThatIsAllowed() throws Exception {
        ftp.close();
        SslContext server = TestTls.server(directory.resolve("others"));
        ftp = FtpFixture.start(config -> config.withTls(new FtpTls(server, false, null)));
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

    /** It would cost a private-key operation each time. The JDK's own switch is a property of the whole process. */
    @Test
    void renegotiationByAClientEndsTheConnection() throws Exception {
        int port = ftp.server.address(FtpDoor.FTPS).orElseThrow().getPort();

        Program.Result result = Program.run(
                directory,
                "sh",
                "-c",
                "(sleep 1; echo SYST; sleep 1; echo R; sleep 2; echo FEAT; sleep 1) | timeout 30 openssl s_client -tls1_2 -crlf -connect 127.0.0.1:"
                        + port);

        assertThat(result.output())
                .contains("220 Hawser", "215 UNIX", "RENEGOTIATING")
                .doesNotContain("211");
    }
}
