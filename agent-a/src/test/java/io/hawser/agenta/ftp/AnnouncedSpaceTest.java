package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolConfig;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ALLO in front of a spool with a quota. */
class AnnouncedSpaceTest extends OnFtpServer {
    private static final int FRAGMENT_BYTES = FtpFixture.FRAGMENT_BYTES;
    private static final int QUOTA_BYTES = 8 * FRAGMENT_BYTES;

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config, SpoolRig.config().withQuotaBytes(QUOTA_BYTES));
    }

    private RawFtp login() throws Exception {
        RawFtp client = RawFtp.login(ftp.port);
        return client;
    }

    private static String replyToStore(RawFtp client, String path, int bytes) throws Exception {
        client.send("ALLO " + bytes);
        String announced = client.reply();
        client.send("STOR " + path);
        String reply = client.reply();
        assertThat(announced).startsWith(reply.startsWith("150") ? "200" : reply.substring(0, 4) + "ALLO: ");
        return reply;
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatWasAnnouncedIsKeptAndOthersAreRefusedAtOnce() throws Exception {
        try (RawFtp first = login();
                RawFtp second = login()) {
            byte[] bytes = new byte[5 * FRAGMENT_BYTES - 100];
            Socket data = first.passive();
            assertThat(replyToStore(first, "/t/a", bytes.length)).startsWith("150");

            second.passive();
            assertThat(replyToStore(second, "/t/b", bytes.length)).startsWith("452 /t/b: No space left on device");
            second.passive();
            assertThat(replyToStore(second, "/t/b", QUOTA_BYTES + 1)).startsWith("552 /t/b: Disk quota exceeded");

            data.getOutputStream().write(bytes);
            data.close();
            first.expect(226);
            byte[] rest = new byte[3 * FRAGMENT_BYTES - 1];
            Socket fits = second.passive();
            assertThat(replyToStore(second, "/t/b", rest.length)).startsWith("150");
            fits.getOutputStream().write(rest);
            fits.close();
            second.expect(226);
        }
    }

    @Test
    void whoBreaksOffGivesBackWhatWasAnnounced() throws Exception {
        try (RawFtp first = login()) {
            Socket data = first.passive();
            assertThat(replyToStore(first, "/t/a", 7 * FRAGMENT_BYTES)).startsWith("150");
            data.getOutputStream().write(new byte[100]);
            first.abandon(data);
        }
        try (RawFtp second = login()) {
            await().until(() -> {
                second.passive();
                return replyToStore(second, "/t/b", 7 * FRAGMENT_BYTES).startsWith("150");
            });
        }
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void uploadOfUnknownSizeThatCanNeverFitIsEndedAtOnce() throws Exception {
        try (RawFtp client = login();
                Socket data = client.begin("STOR /t/big")) {
            long from = System.nanoTime();
            for (int i = 0; i < 40; i++) {
                data.getOutputStream()
                        .write(new byte[FRAGMENT_BYTES]); // the reply is heard before the connection breaks
            }
            assertThat(client.reply()).startsWith("552 /t/big: Disk quota exceeded");
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isLessThan(SpoolConfig.defaults().space().stallTimeout());
        }
    }
}
