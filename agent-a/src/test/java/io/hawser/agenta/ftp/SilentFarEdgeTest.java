package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A far end that is connected, takes questions and answers none: each command has a reply, and nothing is left of the question. */
class SilentFarEdgeTest extends OnFtpServer {
    private static final Duration LOOK_TIME = Duration.ofMillis(300);
    private static final String SAID = "the far end does not answer";

    private void start(Duration lookTime) throws Exception {
        start(lookTime, false);
    }

    private void start(Duration lookTime, boolean partialListings) throws Exception {
        ftp = FtpFixture.start(config -> config.withFarLookTime(lookTime).withPartialListings(partialListings));
        ftp.remote.connect().file("d/f", new byte[6]);
        client = RawFtp.login(ftp.port);
    }

    private void refused(int code, String command) throws Exception {
        client.send(command);
        assertThat(client.expect(code)).as(command).contains(SAID);
    }

    @Test
    void everyQuestionAboutNamesIsGivenUpAfterAWhile() throws Exception {
        start(LOOK_TIME);
        ftp.remote.fallSilent();
        for (String command : new String[] {"SIZE", "MDTM", "MLST", "RETR"}) {
            refused(451, command + " /site-b/d/f");
        }
        for (String command : new String[] {"RNFR", "DELE", "RMD", "SITE CHMOD 600"}) {
            refused(450, command + " /site-b/d/f");
        }
        for (String command : new String[] {"LIST", "NLST", "MLSD"}) {
            client.passivePort();
            refused(451, command + " /site-b/d");
        }
        refused(451, "STAT /site-b/d");
        client.passivePort();
        refused(450, "APPE /site-b/d/f");
        client.ok("CWD /site-b/d");
        client.ok("MKD /site-b/e");
        assertThat(ftp.remote.openQuestions()).isZero();

        ftp.remote.goOn();
        await().untilAsserted(() -> assertThat(client.ok("SIZE /site-b/d/f")).isEqualTo("213 6"));
        assertThat(client.text("NLST /site-b/d")).isEqualTo("f\r\n");
    }

    @Test
    void whatIsKnownHereIsListedIfTheOperatorWantsThat() throws Exception {
        start(LOOK_TIME, true);
        ftp.remote.fallSilent();
        client.upload("STOR /site-b/own/x", new byte[7]);
        assertThat(client.ok("SIZE /site-b/own/x")).isEqualTo("213 7");
        try (Socket data = client.begin("NLST /site-b/own")) {
            assertThat(data.getInputStream().readAllBytes()).asString().isEqualTo("x\r\n");
        }
        assertThat(client.expect(226)).contains("The far end does not answer: only what was uploaded here is listed");
    }

    @Test
    void abortEndsTheWait() throws Exception {
        start(Duration.ofHours(1));
        ftp.remote.fallSilent();
        for (String command :
                new String[] {"SIZE /site-b/d/f", "LIST /site-b/d", "RNFR /site-b/d/f", "STAT /site-b/d"}) {
            client.expect(command + "\r\nSTAT\r\nABOR", 211, "Waiting for what the far end says");
            client.expect(426);
            client.expect(226);
        }
        ftp.remote.goOn(); // the answers come, and are nobody's
        assertThat(client.ok("SIZE /site-b/d/f")).isEqualTo("213 6");
    }

    @Test
    void aClientThatLeavesMeanwhileDisturbsNobody() throws Exception {
        start(LOOK_TIME);
        ftp.remote.fallSilent();
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.send("LIST /site-b/d");
            await().until(() -> ftp.remote.openQuestions() == 1);
        }
        await().until(() -> ftp.remote.openQuestions() == 0);
        ftp.remote.goOn();
        assertThat(client.text("NLST /site-b/d")).isEqualTo("f\r\n");
    }
}
