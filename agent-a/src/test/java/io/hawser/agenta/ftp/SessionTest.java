package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.LoginCounts.Row;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session answers, command by command. */
class SessionTest extends OnFtpServer {

    private RawFtp start(UnaryOperator<FtpSettings> config) throws Exception {
        ftp = FtpFixture.start(config);
        return RawFtp.connect(ftp.port);
    }

    private RawFtp login() throws Exception {
        ftp = FtpFixture.start(config -> config);
        return RawFtp.login(ftp.port);
    }

    private static UnaryOperator<FtpSettings> account(Duration delay) {
        return config -> config.withAccounts(Accounts.of("alice", "secret")).withLogin(Duration.ofSeconds(30), delay);
    }

    @Test
    void onlyTheAccountMayLogIn() throws Exception {
        RawFtp client = start(account(Duration.ofMillis(1)));

        client.expect("USER alice", 331);
        client.expect("PASS wrong", 530);
        client.expect("PASS secret", 503);
        client.expect("USER anonymous", 331);
        client.expect("PASS secret", 530);
        client.expect("USER alice", 331);
        client.ok("PASS secret");
        client.ok("PWD");
        assertThat(ftp.logins())
                .containsOnly(Map.entry(new Row("ftp", "refused"), 2L), Map.entry(new Row("ftp", "ok"), 1L));
    }

    @Test
    void answersToWrongPasswordsComeLateAndTheThirdEndsTheConnection() throws Exception {
        RawFtp client = start(account(Duration.ofMillis(200)));
        long before = System.nanoTime();

        for (int i = 0; i < 3; i++) {
            client.expect("USER alice", 331);
            client.expect("PASS wrong", 530);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(1200));
        assertThat(client.reply()).isEmpty();
    }

    @Test
    void anonymousIsRefusedBeyondLoopback() throws Exception {
        login();

        assertThatThrownBy(() -> FtpServerConfig.anonymous(new InetSocketAddress("0.0.0.0", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--users FILE");
    }

    @Test
    void nothingButTheFewIsAnsweredBeforeTheLogin() throws Exception {
        RawFtp client = start(config -> config);

        for (String command : new String[] {"PWD", "STOR x", "MKD x", "EPSV", "SIZE x", "TYPE I", "LIST"}) {
            client.expect(command, 530);
        }
        client.ok("FEAT");
        client.ok("SYST");
        client.ok("OPTS UTF8 ON");
        client.expect("AUTH TLS", 502);
        client.expect("XYZZY", 500);
    }

    @Test
    void clientThatDoesNotLogInInTimeIsTold() throws Exception {
        RawFtp client = start(config -> config.withLogin(Duration.ofMillis(200), Duration.ZERO));

        client.expect(421);
        assertThat(client.reply()).isEmpty();
    }

    @Test
    void commandsDoNotProlongTheTimeToLogIn() throws Exception {
        RawFtp client = start(config -> config.withLogin(Duration.ofMillis(300), Duration.ZERO));
        String reply = "";

        while (!reply.startsWith("421")) {
            client.send("NOOP");
            reply = client.reply();
            assertThat(reply).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"USER x", "REIN"})
    void loginsThatBeginAnewDoNotProlongTheTimeToLogIn(String command) throws Exception {
        RawFtp client = start(config -> config.withLogin(Duration.ofMillis(500), Duration.ZERO));

        await().until(() -> {
            client.send(command);
            return client.reply().startsWith("421");
        });
    }

    @Test
    void clientThatSaysNothingIsToldToGo() throws Exception {
        ftp = FtpFixture.start(config -> config.withIdleTime(Duration.ofMillis(300)));
        RawFtp client = RawFtp.login(ftp.port);

        client.expect(421);
    }

    @Test
    void connectionsBeyondTheLimitAreRefusedAndFreePlacesAreUsedAgain() throws Exception {
        ftp = FtpFixture.start(config -> config.withConnections(1, 9, 9));
        RawFtp first = RawFtp.connect(ftp.port);

        Socket second = new Socket(InetAddress.getLoopbackAddress(), ftp.port);
        assertThat(new String(second.getInputStream().readNBytes(3), StandardCharsets.US_ASCII))
                .isEqualTo("421");

        first.ok("QUIT");
        await().until(() -> {
            try {
                RawFtp.connect(ftp.port);
                return true;
            } catch (AssertionError stillFull) {
                return false;
            }
        });
    }

    @Test
    void addressOfWhichTooManyNeverLogInIsToldSo() throws Exception {
        ftp = FtpFixture.start(config -> config);
        int most = ftp.config.sessions().limits().sessions().notLoggedIn();
        List<RawFtp> silent = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            silent.add(RawFtp.connect(ftp.port));
        }

        try (Socket next = new Socket(InetAddress.getLoopbackAddress(), ftp.port)) {
            assertThat(new String(next.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("421 Too many connections of your address have not logged in; try again later.\r\n");
        }
        for (RawFtp client : silent) {
            client.close();
        }
    }

    @Test
    void commandsThatAreSentAheadAreAnsweredInTheirOrder() throws Exception {
        RawFtp client = start(config -> config);

        client.sendRaw("FEAT\r\nUSER ftp\r\nPASS b\r\nSYST\r\nTYPE I\r\nMKD /t/a\r\nEPSV\r\nPWD\r\nQUIT\r\n"
                .getBytes(StandardCharsets.US_ASCII));

        for (int code : new int[] {211, 331, 230, 215, 200, 257, 229, 257, 221}) {
            client.expect(code);
        }
        assertThat(client.reply()).isEmpty();
    }

    @Test
    void tooManyCommandsAheadEndTheSession() throws Exception {
        RawFtp client = start(account(Duration.ofSeconds(20)));
        client.expect("USER alice", 331);

        client.send("PASS wrong");
        client.sendRaw("NOOP\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII));

        client.expect(421);
    }

    @Test
    void longLinesAheadOfALoginEndTheSession() throws Exception {
        RawFtp client = start(account(Duration.ofSeconds(20)));
        client.expect("USER alice", 331);

        client.send("PASS wrong");
        client.sendRaw(("X " + "x".repeat(4000) + "\r\n").repeat(5).getBytes(StandardCharsets.US_ASCII));

        client.expect(421);
        assertThat(client.reply()).isEmpty();
    }

    @Test
    void lineThatNoLoginNeedsIsRefusedBeforeIt() throws Exception {
        RawFtp client = start(config -> config);

        client.expect("USER " + "x".repeat(5000), 500, "4096 bytes");
        client.logIn("anonymous");
        client.expect("X " + "x".repeat(5000), 500, "Not an FTP command");
    }

    @Test
    void longLinesAheadOfATransfersEndEndTheSession() throws Exception {
        RawFtp client = login();
        client.ok("TYPE I");
        client.passive();
        client.expect("STOR /t/f", 150);

        client.sendRaw(("X " + "x".repeat(60_000) + "\r\n").repeat(3).getBytes(StandardCharsets.US_ASCII));

        client.expect(421);
        client.close();
    }

    @Test
    void lineThatIsTooLongIsRefusedAndTheSessionGoesOn() throws Exception {
        RawFtp client = login();

        client.expect("PWD\r\nSTOR " + "x".repeat(100_000) + "\r\nNOOP", 257);
        assertThat(client.expect(500)).contains("65536 bytes");
        client.expect(200);
    }

    @Test
    void namesThatCannotBeAreRefusedWith553() throws Exception {
        RawFtp client = login();
        client.ok("EPSV");

        client.expect("STOR /t/a\0b", 553);
        client.sendRaw("STOR /t/a\r\0b\r\n".getBytes(StandardCharsets.US_ASCII)); // Telnet's CR
        client.expect(553);
        client.expect("STOR /t/" + "n".repeat(256), 553);
        client.expect("STOR /t/", 553);
        client.expect("STOR /file-beside-the-topics", 553, "Is a directory");
        client.expect("STOR /not a topic/f", 553, "topic");
        client.expect("STOR /_reply.00000000000000010000000000000002/f", 553);
        client.expect("MKD /not a topic", 553);
        client.expect("CWD /not a topic", 550);
        client.expect("STOR", 501);
    }

    @Test
    void directoriesAreEnteredLeftAndMade() throws Exception {
        RawFtp client = login();

        client.ok("CWD /t/never/made");
        assertThat(client.ok("PWD")).startsWith("257 \"/t/never/made\"");
        client.ok("CDUP");
        client.ok("CWD ../../..");
        assertThat(client.ok("PWD")).startsWith("257 \"/\"");
        assertThat(client.ok("MKD /t/with \"quotes\"")).startsWith("257 \"/t/with \"\"quotes\"\"\"");
        client.expect("MKD /t/with \"quotes\"", 550, "File exists");
        assertThat(ftp.spool.all())
                .singleElement()
                .satisfies(made -> assertThat(made.manifest().kind()).isEqualTo(TransferKind.MAKE_DIRECTORY));
    }

    @Test
    void fileCannotTakeTheNameOfADirectory() throws Exception {
        RawFtp client = login();
        client.ok("MKD /t/d");
        client.ok("EPSV");

        client.expect("STOR /t/d", 553, "Is a directory");
    }

    @Test
    void portThatIsTakenIsReportedWithWhatToDo() throws Exception {
        login();
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), ftp.port);

        assertThatThrownBy(() -> FtpFixture.start(config -> config.withListen(taken)))
                .hasMessageContaining("127.0.0.1:" + ftp.port)
                .hasMessageContaining("choose another address with --ftp");
    }

    @Test
    void topicMayBeTheRoot() throws Exception {
        RawFtp client = start(config -> config.withRoot(new Topic("site-b")));
        client.logIn("ftp");
        client.ok("ALLO 1");

        client.upload("STOR ../sub/f", new byte[] {7});
        assertThat(ftp.spool.content("site-b", "sub/f")).containsExactly(7);
    }

    @Test
    void dataConnectionFromElsewhereIsNotTaken() throws Exception {
        RawFtp client = login();
        client.ok("TYPE I");
        client.ok("ALLO 1");
        int port = client.passivePort();

        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName("127.0.0.2"), 0);
        assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        Socket data = new Socket(InetAddress.getLoopbackAddress(), port);
        client.expect("STOR /t/f", 150);
        data.getOutputStream().write(1);
        data.close();

        client.expect(226);
    }

    @Test
    void dataConnectionThatDoesNotComeEndsTheTransferOnly() throws Exception {
        ftp = FtpFixture.start(config -> config.withDataTime(Duration.ofMillis(300)));
        RawFtp client = RawFtp.login(ftp.port);

        client.expect("STOR /t/f", 425);
        client.ok("EPSV");
        client.expect("STOR /t/f", 150);

        client.expect(425);
        client.ok("NOOP");
        int unused = client.passivePort();
        await().untilAsserted(() -> assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), unused))
                .hasMessageContaining("refused"));
    }

    @Test
    void dataConnectionThatBringsNothingForTooLongIsGivenUp() throws Exception {
        ftp = FtpFixture.start(config -> config.withDataTime(Duration.ofMillis(300)));
        RawFtp client = RawFtp.login(ftp.port);
        Socket data = client.begin("STOR /t/f");

        client.expect(426);
        data.close();
    }

    @Test
    void fullSpoolIsRefusedWithAReplyThatClientsKnow() throws Exception {
        ftp = FtpFixture.start(config -> config, SpoolRig.config(1, 1));
        RawFtp client = RawFtp.login(ftp.port);
        client.ok("MKD /t/first");

        client.ok("EPSV");
        client.expect("STOR /t/f", 452, "No space left on device");
        client.expect("MKD /t/d", 452);
        ftp.spool.finishAll();

        client.ok("MKD /t/d");
    }

    @Test
    void afterEpsvAllOnlyEpsvIsAllowed() throws Exception {
        RawFtp client = login();

        assertThat(client.ok("PASV")).contains("(127,0,0,1,");
        client.expect("EPSV 2", 522);
        client.ok("EPSV ALL");
        client.expect("PASV", 503);
        client.ok("EPSV 1");
    }

    @Test
    void orderlyStopTellsClients() throws Exception {
        RawFtp client = login();

        ftp.server.close();

        client.expect(421);
        assertThatThrownBy(() -> RawFtp.connect(ftp.port)).hasMessageContaining("refused");
    }

    @Test
    void settingsThatAreNotOfferedAreRefused() throws Exception {
        RawFtp client = login();

        client.ok("TYPE A N");
        client.ok("TYPE L 8");
        client.ok("MODE S");
        client.ok("STRU F");
        for (String command : new String[] {"TYPE E", "TYPE A T", "MODE B", "MODE C", "STRU R", "OPTS UTF8 OFF"}) {
            client.expect(command, 504);
        }
        for (String command : new String[] {"REST x", "REST -1", "ALLO", "OPTS NONE", "PORT 1", "EPRT |1|::1|1|"}) {
            client.expect(command, 501);
        }
        client.expect("SMNT x", 502);
        client.expect("STRU", 501);
        client.ok("ALLO 10 R 20");
        client.ok("ALLO 10 r 20");
        client.ok("TYPE A");
        client.expect("SIZE /t/f", 550);
        client.ok("HELP");
        assertThat(client.ok("HELP stor")).contains("STOR file");
        client.ok("ABOR");
    }

    @Test
    void reinBeginsTheSessionAnew() throws Exception {
        RawFtp client = login();
        client.ok("TYPE I");
        client.ok("MODE E");
        client.expect("REST 5", 350);

        client.ok("REIN");

        client.expect("PWD", 530);
        client.expect("USER anonymous", 331);
        client.ok("PASS x");
        assertThat(client.ok("STAT")).contains("TYPE A, MODE S");
        client.ok("PWD");
    }

    @Test
    void clientThatNeverReadsItsRepliesIsClosedAndHarmsNobody() throws Exception {
        ftp = FtpFixture.start(
                config -> config.withDataTime(Duration.ofMillis(300)).withConnections(2, 9, 9));
        RawFtp other = RawFtp.login(ftp.port);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), ftp.port));
            byte[] commands = "HELP\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);

            assertThat(catchThrowable(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            deaf.getOutputStream().write(commands);
                        }
                    }))
                    .as("it is closed in the middle of its commands")
                    .isInstanceOf(java.io.IOException.class);

            other.ok("NOOP");
            await().until(() -> {
                try (RawFtp third = RawFtp.knock(ftp.port)) {
                    return third.reply().startsWith("220"); // its place is free again
                }
            });
        }
    }
}
