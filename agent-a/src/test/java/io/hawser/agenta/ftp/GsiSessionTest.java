package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.GsiClient;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GSI on the control connection and on data connections, said by a client that says exactly what a test wants. */
class GsiSessionTest extends OnFtpServer {
    @TempDir
    static Path grid;

    private static GridPki pki;
    private static Credential anna;
    private static Credential ben;
    private static GsiFiles files;
    private static TrustDirectory trust;

    @BeforeAll
    static void grid() throws Exception {
        pki = GridPki.in(grid);
        anna = pki.proxy(pki.user("Anna"), ProxyForm.FULL);
        ben = pki.proxy(pki.user("Ben"), ProxyForm.FULL);
        Path host = pki.write("host.pem", pki.host());
        files = GsiFiles.open(host, host, pki.trustDirectory(), pki.map(anna, "anna,guest"), false);
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
    }

    private void start() throws Exception {
        start(config -> config);
    }

    private void start(UnaryOperator<FtpSettings> more) throws Exception {
        ftp = FtpFixture.start(config -> more.apply(config.withGsi(files)));
    }

    private GsiClient client(Credential who, Delegation delegation) throws Exception {
        return GsiClient.connect(ftp.gridftpPort(), who, trust, delegation);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "USER anonymous",
                "PASS x",
                "FEAT",
                "PWD",
                "STOR /t/f",
                "REIN",
                "ENC AAAA",
                "DCAU N",
                "NONSENSE x"
            })
    void nothingIsAnsweredBeforeTheExchange(String command) throws Exception {
        start();
        try (RawFtp client = RawFtp.connect(ftp.gridftpPort())) {
            client.send(command);
            assertThat(client.reply()).startsWith("5").doesNotStartWith("500 Features");
            client.expect("AUTH GSSAPI", 334);
            client.send("PWD");
            assertThat(client.reply()).startsWith("530 Must perform GSSAPI authentication");
            client.expect("QUIT", 221);
        }
    }

    @Test
    void otherDoorsAreAsBefore() throws Exception {
        start();
        try (RawFtp client = RawFtp.login(ftp.port)) {
            client.ok("PWD");
            client.expect("AUTH GSSAPI", 504);
            client.expect("ADAT AAAA", 503);
        }
    }

    @Test
    void malformedTokensAreRefusedAndTheClientMayTryAgain() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED)) {
            client.clear.expect("AUTH TLS", 504);
            client.clear.expect("ADAT AAAA", 503);
            client.clear.expect("AUTH GSSAPI", 334);
            client.clear.expect("ADAT ***", 501);
            client.clear.send(
                    "ADAT " + Base64.getEncoder().encodeToString("no TLS at all".getBytes(StandardCharsets.US_ASCII)));
            client.clear.expect(535);
            client.authenticate();
            client.ok("NOOP");
        }
    }

    @Test
    void exchangesThatAreBegunAndLeftCountAsFailedLogins() throws Exception {
        start();
        for (int i = 0; i < FtpLimits.defaults().login().maxFailuresOfAddress(); i++) {
            client(anna, Delegation.LIMITED).leaveInTheMiddle(i % 2 == 0);
        }
        await().untilAsserted(() -> {
            try (RawFtp late = RawFtp.connect(ftp.gridftpPort())) {
                late.expect("AUTH GSSAPI", 421);
            }
        });
    }

    @Test
    void certificateIsMappedToTheFirstAccountOrToOneThatItAsksFor() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            assertThat(client.ok("STAT")).contains("Logged in as anna").contains("Control connection: TLS");
            client.expect("USER guest", 331);
            client.expect("PASS x", 230);
            assertThat(client.ok("STAT")).contains("Logged in as guest");
            client.expect("USER root", 331);
            client.send("PASS x");
            assertThat(client.reply()).startsWith("530 Login incorrect: your certificate is not mapped");
        }
    }

    @Test
    void accountsOfTheServerBoundTheMap() throws Exception {
        start(config -> config.withAccounts(Accounts.of("guest", "secret")));
        try (GsiClient client = client(anna, Delegation.LIMITED).authenticate()) {
            client.expect("USER :globus-mapping:", 331);
            client.expect("PASS x", 530);
            client.expect("USER guest", 331);
            client.expect("PASS whatever", 230);
        }
    }

    @Test
    void whoIsNotMappedStaysOutside() throws Exception {
        start();
        try (GsiClient client = client(ben, Delegation.LIMITED).authenticate()) {
            client.expect("USER anna", 331);
            client.expect("PASS x", 530);
            client.expect("PWD", 530);
        }
    }

    @Test
    void eachLineOfAReplyIsWrappedByItself() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.send("FEAT");
            String features = client.reply();
            assertThat(features).startsWith("211-").contains("\r\n DCAU\r\n").endsWith("\r\n211 End\r\n");
        }
    }

    @Test
    void otherWrappingsAndMissingLineEndsAreTaken() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.send("MIC", "PWD\r\n");
            client.expect(257);
            client.send("CONF", "PWD");
            client.expect(257);
            client.send("ENC", "PWD\r\n\0");
            client.expect(257);
            client.ok("NOOP");
        }
    }

    /** What it held is lost, and with it the place of all that follows. */
    @Test
    void lineBeyondTheLimitEndsTheSession() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.send("PWD " + "x".repeat(60_000));
            assertThat(saidUntilTheEnd(client)).doesNotStartWith("2");
        }
    }

    /** Its end may be a reset, since the line has not been read to its end. */
    private static String saidUntilTheEnd(GsiClient client) throws Exception {
        try {
            String said = client.reply();
            assertThat(client.clear.reply()).isEmpty();
            return said;
        } catch (IOException e) {
            return "";
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PWD", "ENC AAAA", "ENC ***", "ENC", "ADAT AAAA"})
    void whatComesInClearEndsTheSession(String command) throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.clear.send(command);
            assertThat(client.reply()).startsWith("53");
            assertThat(client.clear.reply()).isEmpty();
        }
    }

    @Test
    void severalCommandsInOneWrappingAreRefused() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.send("ENC", "PWD\r\nDELE /t/f\r\n");
            client.expect(535);
        }
    }

    /** Somebody between both ends may add to what is clear; it must not be run for whom it came before. */
    @Test
    void whatWasSentInClearBehindTheLastTokenIsNotRunAfterIt() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED)) {
            String last = client.lastToken();
            client.clear.expect(last + "\r\nUSER :globus-mapping:\r\nPASS x\r\nMKD /t/made", 535);
            client.clear.expect(530);
            client.clear.expect(530);
            client.clear.expect(530);
            assertThat(ftp.spool.all()).isEmpty();
        }
    }

    @Test
    void uploadOverAnAuthenticatedConnection() throws Exception {
        start();
        byte[] bytes = "the content".getBytes(StandardCharsets.US_ASCII);
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.ok("TYPE I");
            Socket data = client.begin("STOR /t/f");
            client.authenticate(data, anna);
            data.getOutputStream().write(bytes);
            data.close();
            client.expect(226);
        }
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void anotherUsersDataConnectionIsRefused() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            Socket data = client.begin("STOR /t/f");
            assertThatThrownBy(() -> {
                        client.authenticate(data, ben);
                        assertThat(data.getInputStream().read()).isNegative();
                        throw new IOException("closed");
                    })
                    .isInstanceOf(Exception.class);
            assertThat(client.reply())
                    .startsWith("425")
                    .contains("authenticated as")
                    .contains("/CN=Ben");
        }
        assertThat(ftp.spool.all()).allMatch(state -> state.commit() == null);
    }

    @Test
    void dcauNamesWhoElseMayBeAtTheOtherEnd() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.ok("TYPE I");
            client.ok("DCAU S " + ben.identity());
            Socket data = client.begin("STOR /t/f");
            client.authenticate(data, ben);
            data.getOutputStream().write(7);
            data.close();
            client.expect(226);

            client.expect("DCAU S", 501);
            client.expect("DCAU S nobody", 501);
            client.expect("DCAU A /CN=x", 501);
            client.expect("DCAU X", 504);
        }
    }

    @Test
    void withoutDelegationOnlyUnauthenticatedDataConnectionsCanBe() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.NONE).logIn()) {
            client.ok("TYPE I");
            Socket data = client.passive();
            client.expect("STOR /t/f", 425, "DCAU N");
            data.close();
            client.ok("DCAU N");
            client.upload("STOR /t/f", new byte[] {7});
        }
        assertThat(ftp.spool.content("t", "f")).containsExactly(7);
    }

    @Test
    void protectionNeedsAuthentication() throws Exception {
        start();
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            client.expect("PROT P", 503);
            assertThat(client.ok("PBSZ 1048576")).startsWith("200 PBSZ=1048576");
            client.ok("PROT S");
            client.expect("DCAU N", 503);
            client.ok("PROT C");
            client.ok("DCAU N");
            client.expect("PROT P", 536);
            client.expect("PROT E", 536);
            client.expect("CCC", 502);
        }
    }

    @Test
    void silentDataConnectionIsGivenUp() throws Exception {
        start(config -> config.withDataTime(Duration.ofMillis(500)));
        try (GsiClient client = client(anna, Delegation.LIMITED).logIn()) {
            Socket data = client.begin("STOR /t/f");
            assertThat(client.reply()).startsWith("425").contains("took too long");
            data.close();
        }
    }

    @Test
    void doorWithGsiMayBeOpenToOtherMachinesWithoutAccounts() throws Exception {
        FtpSettings anonymous = FtpSettings.anonymous();
        InetSocketAddress everywhere = new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0);

        assertThat(anonymous.withGsi(files).withGridftp(everywhere).config().gridftp())
                .isEqualTo(everywhere);
        assertThatThrownBy(() -> anonymous.withGridftp(everywhere)).hasMessageContaining("needs accounts");
    }
}
