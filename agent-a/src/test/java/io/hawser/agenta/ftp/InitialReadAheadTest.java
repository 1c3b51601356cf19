package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.RawFtp;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RETR of a file of which a client was told before: its blocks are on their way while it is looked whether it is the same. */
class InitialReadAheadTest {
    private static final int BLOCKS = 3;

    private final byte[] bytes = random(1);
    private FtpFixture ftp;
    private RawFtp client;

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config);
        ftp.remote.connect().file("f", bytes);
        client = RawFtp.login(ftp.port);
        client.ok("TYPE I");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        await().until(() -> ftp.remote.buffersOut() == 0);
        ftp.close();
    }

    private static byte[] random(long seed) {
        byte[] content = new byte[BLOCKS * FtpFixture.FRAGMENT_BYTES];
        new Random(seed).nextBytes(content);
        return content;
    }

    private void tellSize() throws IOException {
        client.send("SIZE /site-b/f");
        assertThat(client.expect(213)).contains(Integer.toString(bytes.length));
    }

    /** Begins a download whose look is not answered, and waits until all its blocks have come. */
    private void retrieveAhead(String command) throws IOException {
        ftp.remote.holdLooks();
        client.send(command);
        await().until(() -> ftp.remote.reads.get() == BLOCKS);
    }

    private byte[] rest(Socket data) throws IOException {
        client.expect(150);
        byte[] came = data.getInputStream().readAllBytes();
        client.expect(226);
        return came;
    }

    @Test
    void blocksAreAskedForBeforeTheLookIsAnsweredAndNoneTwice() throws Exception {
        tellSize();
        try (Socket data = client.passive()) {
            retrieveAhead("RETR /site-b/f");
            ftp.remote.goOn();
            assertThat(rest(data)).isEqualTo(bytes);
        }
        assertThat(ftp.remote.reads).hasValue(BLOCKS);
    }

    @Test
    void aListingIsEnoughToBeginAhead() throws Exception {
        try (Socket data = client.passive()) {
            client.send("NLST /site-b");
            client.expect(150);
            assertThat(data.getInputStream().readAllBytes()).isEqualTo("f\r\n".getBytes(StandardCharsets.UTF_8));
            client.expect(226);
        }
        try (Socket data = client.passive()) {
            retrieveAhead("RETR /site-b/f");
            ftp.remote.goOn();
            assertThat(rest(data)).isEqualTo(bytes);
        }
        assertThat(ftp.remote.reads).hasValue(BLOCKS);
    }

    @Test
    void aDownloadThatGoesOnBeginsWhereItGoesOn() throws Exception {
        tellSize();
        client.send("REST 5");
        client.expect(350);
        try (Socket data = client.passive()) {
            retrieveAhead("RETR /site-b/f");
            ftp.remote.goOn();
            assertThat(rest(data)).isEqualTo(Arrays.copyOfRange(bytes, 5, bytes.length));
        }
        assertThat(ftp.remote.reads).hasValue(BLOCKS);
    }

    @Test
    void aFileThatHasChangedSinceIsReadAnew() throws Exception {
        tellSize();
        byte[] newer = random(2);
        try (Socket data = client.passive()) {
            retrieveAhead("RETR /site-b/f");
            ftp.remote.file("f", newer);
            ftp.remote.goOn();
            assertThat(rest(data)).isEqualTo(newer);
        }
    }

    @Test
    void aFileThatHasGoneSinceIsMissing() throws Exception {
        tellSize();
        client.passivePort();
        retrieveAhead("RETR /site-b/f");
        ftp.remote.remove("f");
        ftp.remote.goOn();
        assertThat(client.expect(550)).contains("No such file or directory");
    }

    @Test
    void whatIsNotTakenIsDropped() throws Exception {
        tellSize();
        client.send("REST " + (bytes.length + 1));
        client.expect(350);
        client.passivePort();
        client.send("RETR /site-b/f");
        client.expect(554);
        tellSize();
        client.passivePort();
        retrieveAhead("RETR /site-b/f");
        client.send("ABOR");
        client.expect(426);
        client.expect(226);
        await().until(() -> ftp.remote.buffersOut() == 0);
        ftp.remote.goOn();
        tellSize();
    }

    @Test
    void aClientThatGoesAwayLeavesNothing() throws Exception {
        tellSize();
        client.passivePort();
        retrieveAhead("RETR /site-b/f");

        client.close();

        await().until(() -> ftp.remote.buffersOut() == 0);
    }
}
