package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RETR of a file of which a client was told before: its blocks are on their way while it is looked whether it is the same. */
class InitialReadAheadTest extends OnUsualFtpServer {
    private static final int BLOCKS = 3;

    private final byte[] bytes = RandomBytes.of(BLOCKS * FtpFixture.FRAGMENT_BYTES);

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect().file("f", bytes);
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    private void tellSize() throws IOException {
        assertThat(client.expect("SIZE /site-b/f", 213)).contains(Integer.toString(bytes.length));
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
        try (Socket data = client.begin("NLST /site-b")) {
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
        client.expect("REST 5", 350);
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
        byte[] newer = Arrays.copyOf(RandomBytes.of(bytes.length + 1), bytes.length);
        assertThat(newer).isNotEqualTo(bytes);
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
        client.expect("REST " + (bytes.length + 1), 350);
        client.passivePort();
        client.expect("RETR /site-b/f", 554);
        tellSize();
        client.passivePort();
        retrieveAhead("RETR /site-b/f");
        client.abort();
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
