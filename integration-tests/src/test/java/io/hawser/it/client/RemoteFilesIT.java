package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFile;
import io.hawser.it.harness.NearEdge;
import io.hawser.ptcp.testkit.Leaks;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agent-a asks of a directory at the far end, through a broker, over sockets. */
class RemoteFilesIT {
    private static final Topic SITE_B = new Topic("site-b");

    @TempDir
    Path directory;

    private LocalChain chain;
    private Path into;
    private NearEdge near;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory);
        into = Files.createDirectories(directory.resolve("into"));
        near = new NearEdge(chain.address());
    }

    @AfterEach
    void stop() {
        near.close();
        chain.close();
        assertThat(near.buffersInUse()).isZero();
        Leaks.assertNone();
    }

    private <T> Outcome<T> ask(NearEdge.Question<T> question) throws Exception {
        return near.ask(question).get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aFileIsReadWholeWhileTheBrokerAndTheFarEdgeStopAndComeBack() throws Exception {
        byte[] bytes = new byte[20 * NearEdge.BLOCK + 4711];
        new Random(20).nextBytes(bytes);
        Files.write(into.resolve("large.bin"), bytes);
        AgentB agent = chain.agentB("site-b", "site-b", into);

        NearEdge.Download download = near.download(SITE_B, "large.bin", bytes.length);
        download.upTo(4);
        await().until(() -> download.blocks() == 4);
        download.upTo(12);
        chain.stopBroker();
        chain.restartBroker();
        await().until(() -> download.blocks() == 12);
        download.upTo(20);
        agent.stop();
        agent = chain.agentB("site-b", "site-b", into);
        download.upTo(21);

        assertThat(download.whole().get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(bytes);
        agent.stop();
    }

    @Test
    void largeDirectoriesAreListedInPages() throws Exception {
        Path many = Files.createDirectories(into.resolve("many"));
        for (int i = 0; i < 10_000; i++) {
            Files.createFile(many.resolve("file-%05d".formatted(i)));
        }
        AgentB agent = chain.agentB("site-b", "site-b", into);

        Outcome<List<RemoteFile>> listing = ask(to -> to.files().list(SITE_B, "many", NearEdge.LOOK, to.done()));
        Outcome<List<RemoteFile>> root = ask(to -> to.files().list(SITE_B, "", NearEdge.LOOK, to.done()));

        assertThat(listing.get()).hasSize(10_000);
        assertThat(listing.get().get(9_999).name()).isEqualTo("file-09999");
        assertThat(root.get()).extracting(RemoteFile::name).containsExactly("many");
        agent.stop();
    }

    @Test
    void questionsAreAnsweredWithWhatIsThere() throws Exception {
        byte[] bytes = "what is there".getBytes(StandardCharsets.UTF_8);
        Files.write(into.resolve("a file"), bytes);
        AgentB agent = chain.agentB("site-b", "site-b", into);

        Outcome<RemoteFile> stat = ask(to -> to.files().stat(SITE_B, "a file", NearEdge.LOOK, to.done()));
        Outcome<RemoteFile> missing = ask(to -> to.files().stat(SITE_B, "no/such", NearEdge.LOOK, to.done()));
        Outcome<String> sum = ask(to ->
                to.files().checksum(SITE_B, "a file", ChecksumAlgorithm.SHA256, 0, -1, NearEdge.PATIENCE, to.done()));
        Outcome<RemoteBlock> tail = read(stat.get().fingerprint());
        Outcome<RemoteBlock> changed = read("another");

        assertThat(stat.get().sizeBytes()).isEqualTo(bytes.length);
        assertThat(missing.refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.NOT_FOUND);
        assertThat(sum.get())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        ByteBuffer read = tail.get().buffer().payload(0, tail.get().length());
        assertThat(StandardCharsets.UTF_8.decode(read).toString()).isEqualTo("there");
        tail.get().buffer().release();
        assertThat(changed.refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.SOURCE_CHANGED);
        agent.stop();
    }

    private Outcome<RemoteBlock> read(String fingerprint) throws Exception {
        return ask(to -> {
            var unused = to.files().read(SITE_B, "a file", fingerprint, 8, 100, NearEdge.PATIENCE, to.done());
        });
    }

    @Test
    void aFarEdgeThatIsAwayIsWaitedForAndThenUnreachable() throws Exception {
        Outcome<RemoteFile> nobody =
                ask(to -> to.files().stat(SITE_B, "", CallTimeouts.whileAway(Duration.ofMillis(300)), to.done()));
        CompletableFuture<Outcome<RemoteFile>> waiting =
                near.ask(to -> to.files().stat(SITE_B, "", NearEdge.LOOK, to.done()));
        AgentB agent = chain.agentB("site-b", "site-b", into);

        assertThat(nobody.refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.UNREACHABLE);
        assertThat(waiting.get(TestTimes.SECONDS, TimeUnit.SECONDS).get().isDirectory())
                .isTrue();
        agent.stop();
    }
}
