package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Commands that clients send by the way. */
class SmallCommandsTest extends OnUsualFtpServer {

    @Test
    void stouStoresUnderNamesOfItsOwn() throws Exception {
        client.ok("CWD /t/d");
        for (String command : new String[] {"STOU", "STOU report.txt", "STOU"}) {
            try (Socket data = client.passive()) {
                client.send(command);
                String name = client.expect(150).replace("150 FILE: ", "");
                data.getOutputStream().write(7);
                data.shutdownOutput();
                client.expect(226);
                assertThat(name).startsWith("/t/d/");
                assertThat(ftp.spool.content("t", name.substring(3))).containsExactly(7);
            }
        }
        assertThat(ftp.spool.all().stream().map(t -> t.manifest().name()).distinct())
                .hasSize(3)
                .anyMatch(name -> name.startsWith("d/report.txt."));
    }

    @Test
    void statTellsTheSessionAlsoInTheMiddleOfATransfer() throws Exception {
        assertThat(client.ok("STAT")).contains("Logged in as anonymous").contains("TYPE I");
        try (Socket data = client.begin("STOR /t/f")) {
            data.getOutputStream().write(new byte[1000]);
            await().untilAsserted(() -> {
                client.expect("STAT", 211, "Uploading /t/f: 1000 bytes received");
            });
        }
        client.expect(226);
    }

    /** They are answered ahead of the transfer, but not beyond what the client reads. */
    @Test
    void clientThatAsksAndDoesNotReadIsToldToGo() throws Exception {
        int asked = 100_000;
        try (Socket data = client.begin("STOR /t/f")) {
            data.getOutputStream().write(1);
            client.sendRaw("STAT\r\n".repeat(asked).getBytes(StandardCharsets.US_ASCII));
            try (RawFtp other = RawFtp.login(ftp.port)) {
                for (int i = 0; i < 50; i++) { // the server has come to all of it then
                    other.ok("NOOP");
                }
            }
            int answers = 0;
            String reply = client.reply();
            while (reply.startsWith("211")) {
                answers++;
                reply = client.reply();
            }
            assertThat(reply).startsWith("421");
            assertThat(answers).isLessThan(asked);
        }
    }

    @Test
    void buffersAreSetWithinBounds() throws Exception {
        assertThat(client.ok("SITE STORBUFSIZE 1048576")).contains("1048576");
        assertThat(client.ok("SITE sbufsiz 1")).contains("16384");
        assertThat(client.ok("SBUF 99999999999")).contains("16777216");
        client.ok("SITE RETRBUFSIZE 0");
        client.expect("SBUF x", 501);
        client.ok("SITE BUFSIZE 65536");
        client.upload("STOR /t/f", new byte[] {1});
    }

    @Test
    void helpOfSiteNamesWhatClientsLookFor() throws Exception {
        for (String command : new String[] {"SITE HELP", "HELP SITE"}) {
            assertThat(client.ok(command))
                    .contains("STORBUFSIZE")
                    .contains("RETRBUFSIZE")
                    .contains("RECEIPT");
        }
        client.ok("SITE CLIENTINFO scheme=ftp;appname=\"globus-url-copy\";appver=\"10\";");
        client.expect("SITE EXEC rm", 504);
        client.expect("SITE", 504);
    }

    @Test
    void acctAndLangAreAnswered() throws Exception {
        client.expect("ACCT x", 202);
        client.ok("LANG");
        client.ok("LANG EN");
        client.ok("LANG en-US");
        client.expect("LANG de", 504);
    }

    @Test
    void commandsBeforeTheirRepliesAreAnsweredInOrder() throws Exception {
        client.send("NOOP\r\nPWD\r\nSYST\r\nXYZZY\r\nTYPE A\r\nNOOP");
        for (int code : new int[] {200, 257, 215, 500, 200, 200}) {
            client.expect(code);
        }
    }

    @Test
    void aborWithTelnetSynchEndsTheTransferAtOnce() throws Exception {
        try (Socket data = client.begin("STOR /t/f")) {
            data.getOutputStream().write(new byte[1000]);

            // As lftp does it: IAC IP IAC DM, the last byte as urgent data, which never appears in the stream.
            client.sendRaw(new byte[] {(byte) 0xFF, (byte) 0xF4, (byte) 0xFF});
            client.socket().sendUrgentData(0xF2);
            client.expect("ABOR", 426);
            client.expect(226);
        }
        client.ok("NOOP");
    }

    @Test
    void optionsThatAreRefusedChangeNothing() throws Exception {
        client.ok("OPTS RETR Parallelism=4,4,4;");
        for (String nonsense : new String[] {"foo", "Parallelism=8;foo", "Parallelism=0;", "Parallelism", "a=b"}) {
            client.expect("OPTS RETR " + nonsense, 501);
        }
        assertThat(client.ok("OPTS RETR StripeLayout=Blocked;BlockSize=1048576;"))
                .contains("4 connections");
    }

    @Test
    void lineThatIsTooLongIsAnsweredBeforeItEnds() throws Exception {
        byte[] part = new byte[128 << 10];
        Arrays.fill(part, (byte) 'x');
        client.sendRaw(part);
        assertThat(client.expect(500)).contains("at most 65536 bytes");
        client.sendRaw(part);
        client.send("");
        client.ok("NOOP");
    }

    @Test
    void lineThatNeverEndsEndsTheConnection() throws Exception {
        byte[] part = new byte[1 << 20];
        client.sendRaw(part);
        client.expect(500);
        for (int i = 0; i < 15; i++) {
            client.sendRaw(part);
        }
        client.sendRaw(
                Arrays.copyOf(part, 64 << 10)); // to the limit exactly: a close with bytes left unread is a reset
        client.expect(421);
        assertThat(client.reply()).isEmpty();
    }
}
