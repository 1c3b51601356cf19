package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarOptions.Tls;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.agentb.deliver.ftp.VsftpdTls;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.store.storage.DiskStorage;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading from a real vsftpd that speaks only TLS and demands that data connections resume the control connection's session. */
class VsftpdTlsFilesTest {
    private static final int HALF = 1_000_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @Test
    void filesAreListedAndReadBehindTls() throws Exception {
        byte[] bytes = new byte[2 * HALF];
        new Random(1).nextBytes(bytes);
        try (FarServerProcess server = VsftpdTls.start(directory);
                FarFiles files = FarFiles.create(
                        new DiskStorage(),
                        FarServer.parse("ftps://127.0.0.1:" + server.port() + "/in"),
                        FarOptions.with(new Secret("a@b"))
                                .withTimeouts(Timeouts.DEFAULT.withSilence(Duration.ofSeconds(10)))
                                .withTls(new Tls(false, Optional.of(directory.resolve("cert.pem")), false)))) {
            Files.createDirectories(server.root().resolve("in"));
            Files.write(server.root().resolve("in/x"), bytes);

            ByteBuffer page = ByteBuffer.allocate(10_000);
            assertThat(files.list("", "", page).refusal()).isNull();
            assertThat(RemoteFileCodec.getAll(page.flip()))
                    .extracting(RemoteFile::name)
                    .containsExactly("x");

            ByteBuffer into = ByteBuffer.allocate(bytes.length);
            String fingerprint = files.stat("x").get().fingerprint();
            for (int offset : new int[] {0, HALF}) {
                into.limit(offset + HALF);
                assertThat(files.read(new Question.Read("x", fingerprint, offset, HALF), into)
                                .refusal())
                        .isNull();
            }
            assertThat(into.array()).isEqualTo(bytes);
            assertThat(files.streamsBegun()).isEqualTo(1);
        }
    }
}
