package io.hawser.agenta.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.testkit.Program;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.testkit.FaultyStorage;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upload that was refused for now and comes again from the same account. */
class RefusedUploadsTest extends OnUsualFtpServer {
    @TempDir
    private Path directory;

    private final byte[] bytes = RandomBytes.of(1_000_000);

    @BeforeEach
    void prepare() throws Exception {
        ftp.spool.hold(Lane.CONTENT);
    }

    /** The disk is full when what has come is written, and no longer afterwards. */
    private void refuseWhatComes() {
        await().until(() -> ftp.pool.available() <= ftp.pool.capacity() / 2);
        assertThat(ftp.spool.all()).hasSize(1); // the journal has it
        ftp.spool.disk.failCall(1, FaultyStorage.Fault.ENOSPC, false);
        ftp.spool.release();
    }

    private void storeRefused(RawFtp client) throws IOException {
        try (Socket data = client.begin("STOR /site-b/f")) {
            data.getOutputStream().write(bytes);
            refuseWhatComes();
        }
        client.expect(452);
    }

    private static String store(RawFtp client, byte[] content, int reply) throws IOException {
        try (Socket data = client.begin("STOR /site-b/f")) {
            data.getOutputStream().write(content);
        }
        return client.expect(reply);
    }

    @Test
    void aRepetitionThatEndsEarlierIsNotBelievedOnce() throws Exception {
        try (RawFtp client = RawFtp.login(ftp.port)) {
            storeRefused(client);
            byte[] cut = Arrays.copyOf(bytes, 196_608);

            assertThat(store(client, cut, 550)).contains("/site-b/f: it ended after 196608 bytes", "upload it again");
            assertThat(ftp.spool.content("site-b", "f")).isNull();

            store(client, cut, 226);
            assertThat(ftp.spool.content("site-b", "f")).isEqualTo(cut);
        }
    }

    @Test
    void aWholeRepetitionIsTaken() throws Exception {
        try (RawFtp client = RawFtp.login(ftp.port)) {
            storeRefused(client);

            store(client, bytes, 226);

            assertThat(ftp.spool.content("site-b", "f")).isEqualTo(bytes);
        }
    }

    @Test
    void whatAlloAnnouncedIsWholeHoweverShort() throws Exception {
        try (RawFtp client = RawFtp.login(ftp.port)) {
            storeRefused(client);
            client.ok("ALLO 3");

            store(client, new byte[3], 226);

            assertThat(ftp.spool.content("site-b", "f")).hasSize(3);
        }
    }

    /** It would send 192 KiB of it and report success. */
    @Test
    void lftpIsToldThatItsUploadFailed() throws Exception {
        Program.needs("lftp");
        Path file = Files.write(directory.resolve("f"), bytes);
        ftp.remote.connect();
        String commands = "set net:reconnect-interval-base 1; cd site-b; put " + file + " -o f";

        CompletableFuture<Void> refused = CompletableFuture.runAsync(this::refuseWhatComes);
        Program.Result result = Program.run(directory, "lftp", "-c", "open -p " + ftp.port + " 127.0.0.1; " + commands);

        refused.join();
        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("upload it again");
        assertThat(ftp.spool.content("site-b", "f")).isNull();
    }
}
