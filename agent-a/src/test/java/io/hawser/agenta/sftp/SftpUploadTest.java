package io.hawser.agenta.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.SftpFixture;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.sftp.client.RawSftpClient;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.Handle;
import org.apache.sshd.sftp.client.SftpClient.OpenMode;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHFsyncExtension;
import org.apache.sshd.sftp.common.SftpConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are written over SFTP. */
class SftpUploadTest {
    private static final Set<OpenMode> NEW = EnumSet.of(OpenMode.Write, OpenMode.Create, OpenMode.Truncate);
    private static final Set<OpenMode> UNCUT = EnumSet.of(OpenMode.Write, OpenMode.Create);
    private static final int FRAGMENT = FtpFixture.FRAGMENT_BYTES;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // by start
    private SftpFixture sftp;

    @SuppressWarnings("NullAway.Init") // by start
    private ClientSession session;

    @SuppressWarnings("NullAway.Init") // by start
    private SftpClient client;

    private void start() throws IOException {
        start(config -> config);
    }

    private void start(UnaryOperator<FtpSettings> config) throws IOException {
        sftp = SftpFixture.start(directory, config);
        sftp.ftp.remote.connect();
        login();
    }

    private void login() throws IOException {
        session = sftp.login("anonymous", "x");
        client = SftpFixture.client(session);
    }

    @AfterEach
    void stop() {
        sftp.close();
    }

    private byte[] spooled(String name) {
        byte[] content = sftp.ftp.spool.content("site-b", name);
        assertThat(content).as(name).isNotNull();
        return content == null ? new byte[0] : content;
    }

    private void write(Handle file, long position, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += 30_000) {
            client.write(file, position + at, bytes, at, Math.min(30_000, bytes.length - at));
        }
    }

    private void put(String path, byte[] bytes) throws IOException {
        try (CloseableHandle file = client.open(path, NEW)) {
            write(file, 0, bytes);
        }
    }

    private void awaitPhase(SpoolPhase phase) {
        await().until(() -> sftp.ftp.spool.newest().phase() == phase);
    }

    /** Sends CLOSE and does not wait for its answer. */
    private void sendClose(Handle file) throws IOException {
        Buffer packet = new ByteArrayBuffer();
        packet.putBytes(file.getIdentifier());
        ((RawSftpClient) client).send(SftpConstants.SSH_FXP_CLOSE, packet);
    }

    @Test
    void filesOfAllSizesAreDurableWhenCloseIsAnswered() throws Exception {
        start();
        for (int length : new int[] {0, 1, FRAGMENT - 1, FRAGMENT, FRAGMENT + 1, 1_000_001}) {
            byte[] bytes = RandomBytes.of(length);

            put("/site-b/d/f" + length, bytes);

            assertThat(spooled("d/f" + length)).isEqualTo(bytes);
        }
    }

    @Test
    void writesInAnyOrderMakeOneFile() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(300_000);
        try (CloseableHandle file = client.open("/site-b/f", NEW)) {
            for (int at : new int[] {270_000, 30_000, 90_000, 0, 60_000, 240_000, 120_000, 210_000, 150_000, 180_000}) {
                client.write(file, at, bytes, at, 30_000);
            }
            client.write(file, 30_000, bytes, 30_000, 30_000); // again, the same
        }

        assertThat(spooled("f")).isEqualTo(bytes);
    }

    @Test
    void fileWithAHoleIsRefusedAndKeptIncomplete() throws Exception {
        start();
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(100_000));
        write(file, 100_001, RandomBytes.of(10));

        assertThatThrownBy(file::close).hasMessageContaining("the bytes at 100000 never came");
        assertThat(sftp.ftp.spool.newest().phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    @Test
    void bytesThatContradictEarlierOnesAreRefused() throws Exception {
        start();
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(1000));

        assertThatThrownBy(() -> {
                    write(file, 10, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
                    file.close();
                })
                .hasMessageContaining("differ");
        assertThat(sftp.ftp.spool.newest().commit()).isNull();
    }

    @Test
    void lostConnectionLeavesWhatCameToBeContinued() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(5 * FRAGMENT + 1000);
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, Arrays.copyOf(bytes, 4 * FRAGMENT + 500));
        session.close(true).await(Duration.ofSeconds(10));
        awaitPhase(SpoolPhase.INCOMPLETE);

        login();
        long size = client.stat("/site-b/f").getSize();
        assertThat(size).isEqualTo(4 * FRAGMENT + 499); // so that one byte is left to send
        try (CloseableHandle again = client.open("/site-b/f", UNCUT)) {
            write(again, size, Arrays.copyOfRange(bytes, (int) size, bytes.length));
        }

        assertThat(spooled("f")).isEqualTo(bytes);
        assertThat(sftp.ftp.spool.all()).hasSize(1);
    }

    @Test
    void uploadThatIsContinuedIsNotCompleteBeforeWhatWasHere() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(4 * FRAGMENT);
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, Arrays.copyOf(bytes, 3 * FRAGMENT));
        session.close(true).await(Duration.ofSeconds(10));
        awaitPhase(SpoolPhase.INCOMPLETE);

        login();
        CloseableHandle again = client.open("/site-b/f", UNCUT);
        write(again, FRAGMENT, Arrays.copyOfRange(bytes, FRAGMENT, FRAGMENT + 10));

        assertThatThrownBy(again::close).hasMessageContaining("is not complete");
        awaitPhase(SpoolPhase.INCOMPLETE);
    }

    /** paramiko closes its files when it is torn down, and is gone. */
    @Test
    void closeOfAClientThatIsGoneAtOnceCommitsNothing() throws Exception {
        start(config -> config.withEvidenceWindow(Duration.ofSeconds(30)));
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(3 * FRAGMENT));
        sendClose(file);
        session.close(true).await(Duration.ofSeconds(10));

        awaitPhase(SpoolPhase.INCOMPLETE);
    }

    @Test
    void nextRequestIsEvidenceThatTheClientHasOutlivedClose() throws Exception {
        start(config -> config.withEvidenceWindow(Duration.ofHours(1)));
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(1000));
        sendClose(file);

        client.canonicalPath(".");

        awaitPhase(SpoolPhase.SPOOLED);
    }

    @Test
    void fileThatIsDeletedRightAfterCloseIsDropped() throws Exception {
        start(config -> config.withEvidenceWindow(Duration.ofHours(1)));
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(3 * FRAGMENT));
        sendClose(file);

        client.remove("/site-b/f");

        assertThat(sftp.ftp.spool.all())
                .extracting(TransferSnapshot::phase)
                .doesNotContain(SpoolPhase.SPOOLED, SpoolPhase.RECEIVING, SpoolPhase.INCOMPLETE);
    }

    @Test
    void requestsAfterCloseSeeTheFileWithoutWaitingForTheAnswer() throws Exception {
        start();
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(1000));
        sendClose(file);

        client.rename("/site-b/f", "/site-b/g");

        assertThat(client.stat("/site-b/g").getSize()).isEqualTo(1000);
    }

    @Test
    void fsyncMakesDurableWhatCameSoFar() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(FRAGMENT + 2000);
        CloseableHandle file = client.open("/site-b/f", NEW);
        OpenSSHFsyncExtension fsync = client.getExtension(OpenSSHFsyncExtension.class);
        write(file, 0, Arrays.copyOf(bytes, FRAGMENT + 1000));
        fsync.fsync(file);

        assertThat(sftp.ftp.spool.newest().durableBytes()).isEqualTo(FRAGMENT + 1000);

        write(file, FRAGMENT + 1000, Arrays.copyOfRange(bytes, FRAGMENT + 1000, FRAGMENT + 2000));
        fsync.fsync(file);
        assertThat(sftp.ftp.spool.newest().durableBytes()).isEqualTo(FRAGMENT + 2000);
        file.close();
        assertThat(spooled("f")).isEqualTo(bytes);
    }

    @Test
    void fsyncOfASmallFileKeepsItsFirstBytes() throws Exception {
        start();
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 0, RandomBytes.of(10));
        client.getExtension(OpenSSHFsyncExtension.class).fsync(file);

        assertThat(sftp.ftp.spool.newest().durableBytes()).isEqualTo(10);
    }

    @Test
    void fsyncWithAHoleIsRefused() throws Exception {
        start();
        CloseableHandle file = client.open("/site-b/f", NEW);
        write(file, 5, RandomBytes.of(10));

        assertThatThrownBy(
                        () -> client.getExtension(OpenSSHFsyncExtension.class).fsync(file))
                .hasMessageContaining("the bytes at 0 have not come");
    }

    /** Whether the file ends there or continues as the one that broke off did, only CLOSE says. */
    @Test
    void fsyncOfAFileThatIsComparedIsAnsweredInTime() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(3 * FRAGMENT + 1000);
        CloseableHandle broken = client.open("/site-b/f", NEW);
        write(broken, 0, bytes);
        session.close(true).await(Duration.ofSeconds(10));
        awaitPhase(SpoolPhase.INCOMPLETE);

        login();
        try (CloseableHandle file = client.open("/site-b/f", NEW)) {
            write(file, 0, Arrays.copyOf(bytes, FRAGMENT + 500));
            assertThatThrownBy(() ->
                            client.getExtension(OpenSSHFsyncExtension.class).fsync(file))
                    .hasMessageContaining("not all that came is durable yet");
        }

        assertThat(spooled("f")).isEqualTo(Arrays.copyOf(bytes, FRAGMENT + 500));
    }

    /** OpenSSH's scp writes over what is there, and cuts it at its end. */
    @Test
    void fileThatIsCutAtItsEndReplacesALongerOne() throws Exception {
        start();
        sftp.ftp.remote.file("f", RandomBytes.of(5000));
        byte[] bytes = RandomBytes.of(1000);
        try (CloseableHandle file = client.open("/site-b/f", UNCUT)) {
            write(file, 0, bytes);
            client.setStat(file, new SftpClient.Attributes().size(1000));
        }

        assertThat(spooled("f")).isEqualTo(bytes);
        assertThat(sftp.ftp.spool.newest().manifest().attributes()).doesNotContainKey("offset");
    }

    @Test
    void fileThatIsNotCutDoesNotReplaceALongerOne() throws Exception {
        start();
        sftp.ftp.remote.file("f", RandomBytes.of(5000));
        CloseableHandle file = client.open("/site-b/f", UNCUT);
        write(file, 0, RandomBytes.of(1000));

        assertThatThrownBy(file::close).hasMessageContaining("the file that is there is longer");
        assertThat(sftp.ftp.spool.content("site-b", "f")).isNull();
    }

    /** What an editor does that opens a file, cuts it and writes it. */
    @Test
    void fileThatIsCutToNothingAfterItWasOpenedIsReplaced() throws Exception {
        start();
        sftp.ftp.remote.file("f", RandomBytes.of(5000));
        byte[] bytes = RandomBytes.of(1000);
        for (Set<OpenMode> mode : List.of(UNCUT, EnumSet.of(OpenMode.Write))) {
            try (CloseableHandle file = client.open("/site-b/f", mode)) {
                client.setStat(file, new SftpClient.Attributes().size(0));
                write(file, 500, Arrays.copyOfRange(bytes, 500, 1000));
                write(file, 0, Arrays.copyOf(bytes, 500));
            }

            assertThat(spooled("f")).isEqualTo(bytes);
            assertThat(sftp.ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.FILE);
        }
    }

    @Test
    void partOfAFileDoesNotShortenIt() throws Exception {
        start();
        sftp.ftp.remote.file("f", RandomBytes.of(5000));
        try (CloseableHandle file = client.open("/site-b/f", UNCUT)) {
            write(file, 100, new byte[] {1, 2, 3});

            assertThatThrownBy(() -> client.setStat(file, new SftpClient.Attributes().size(103)))
                    .hasMessageContaining("other sizes cannot be set");
        }
    }

    @Test
    void bytesAfterTheEndOfAFileAreAppendedToIt() throws Exception {
        start();
        sftp.ftp.remote.file("f", RandomBytes.of(5000));
        try (CloseableHandle file = client.open("/site-b/f", UNCUT)) {
            assertThat(client.stat(file).getSize()).isEqualTo(5000);
            write(file, 5000, new byte[] {1, 2, 3});
        }

        assertThat(sftp.ftp.spool.newest().manifest().attributes())
                .containsAllEntriesOf(Map.of("offset", "5000", "base-size", "5000"));
        assertThat(spooled("f")).containsExactly(1, 2, 3);
    }

    @Test
    void uploadNeedsNoFarEnd() throws Exception {
        start();
        sftp.ftp.remote.disconnect();
        try (CloseableHandle file = client.open("/site-b/f", UNCUT)) {
            write(file, 0, RandomBytes.of(10));
            client.setStat(file, new SftpClient.Attributes().size(10));
        }
        put("/site-b/g", RandomBytes.of(20));

        assertThat(spooled("f")).hasSize(10);
        assertThat(spooled("g")).hasSize(20);
    }

    @Test
    void modeAndTimeOfOpenFilesFollowTheFile() throws Exception {
        start();
        try (CloseableHandle file = client.open("/site-b/f", NEW)) {
            write(file, 0, RandomBytes.of(10));
            SftpClient.Attributes attributes = new SftpClient.Attributes();
            attributes.perms(0600);
            attributes.modifyTime(1_000_000_000);
            attributes.accessTime(1_000_000_000);
            client.setStat(file, attributes);
        }

        assertThat(sftp.ftp.spool.all())
                .extracting(state -> state.manifest().kind().name())
                .containsExactly("FILE", "SET_MODE", "SET_TIME");
    }

    @Test
    void directoriesCannotBeWritten() throws Exception {
        start();
        for (String path : new String[] {"/", "/site-b", "/site-b/"}) {
            assertThatThrownBy(() -> client.open(path, NEW)).hasMessageContaining("Is a directory");
        }
    }
}
