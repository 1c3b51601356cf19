package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Topic;
import io.hawser.common.remote.ChecksumAlgorithm;
import io.hawser.common.remote.RemoteBlock;
import io.hawser.common.remote.RemoteCalls;
import io.hawser.common.remote.RemoteFile;
import io.hawser.common.remote.RemoteFiles;
import io.hawser.common.transport.AgentNet;
import io.hawser.common.transport.BrokerConnection;
import io.hawser.common.wire.Greeting;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.testkit.Leaks;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the near edge asks of a directory at the far edge, through a broker, over sockets. */
@Timeout(120)
class RemoteFilesIT {
    private static final Topic SITE_B = new Topic("site-b");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BLOCK = 1 << 20;

    @TempDir
    Path directory;

    private final FragmentBufferPool reads = new FragmentBufferPool(BLOCK, 8);
    private final FragmentBufferPool pages = new FragmentBufferPool(BLOCK, 2);
    private LocalChain chain;
    private Path into;
    private AgentNet net;
    private BrokerConnection connection;
    private RemoteFiles files;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory);
        into = Files.createDirectories(directory.resolve("into"));
        net = new AgentNet();
        connection = net.connection(
                List.of(chain.address()),
                PtcpOptions.DEFAULT,
                Greeting.Role.CLIENT,
                new NodeId(1, 2),
                1,
                new FragmentBufferPool(BLOCK, 2),
                new BrokerConnection.Listener() {
                    @Override
                    public void onConnected() {}

                    @Override
                    public void onDisconnected(String reason) {}
                });
        RemoteCalls calls = new RemoteCalls(reads, pages, net.loop(), System::nanoTime);
        files = calls;
        net.onLoop(() -> {
            connection.calls(calls.handler());
            connection.start();
            return true;
        });
    }

    @AfterEach
    void stop() {
        net.hangUp(connection);
        net.close();
        chain.close();
        Leaks.assertNone();
    }

    private <T> Outcome<T> ask(Consumer<Outcome.Callback<T>> question) throws Exception {
        CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
        net.loop().execute(() -> question.accept(answer::complete));
        return answer.get(90, TimeUnit.SECONDS);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void aFileIsReadWholeThroughDeathsOfTheBrokerAndTheFarEdge() throws Exception {
        byte[] bytes = random(20 * BLOCK + 4711);
        Files.write(into.resolve("large.bin"), bytes);
        AgentB agent = chain.agentB("site-b", "site-b", into);
        Download download = new Download(bytes.length);

        net.loop().execute(download::fill);
        await().until(() -> download.blocks.get() >= 4);
        chain.stopBroker();
        int atBrokersDeath = download.blocks.get();
        chain.restartBroker();
        await().until(() -> download.blocks.get() >= Math.min(21, atBrokersDeath + 4));
        agent.stop();
        int atAgentsDeath = download.blocks.get();
        agent = chain.agentB("site-b", "site-b", into);

        assertThat(download.whole.get(90, TimeUnit.SECONDS)).isEqualTo(bytes);
        assertThat(atBrokersDeath).isLessThan(21);
        assertThat(atAgentsDeath).isLessThan(21);
        assertThat(reads.available()).isEqualTo(reads.capacity());
        agent.stop();
    }

    /** Eight blocks under way; each is taken slowly, so that the deaths come in the middle. */
    private final class Download {
        final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        final AtomicInteger blocks = new AtomicInteger();
        private final byte[] bytes;
        private long asked;
        private int underWay;

        Download(int length) {
            bytes = new byte[length];
        }

        void fill() {
            while (underWay < 8 && asked < bytes.length) {
                long offset = asked;
                asked += BLOCK;
                underWay++;
                files.read(SITE_B, "large.bin", "", offset, BLOCK, PATIENCE, block -> net.loop()
                        .schedule(() -> take(offset, block), 100, TimeUnit.MILLISECONDS));
            }
        }

        private void take(long offset, Outcome<RemoteBlock> outcome) {
            underWay--;
            if (outcome.isRefused()) {
                whole.completeExceptionally(new IOException(String.valueOf(outcome.refusal())));
                return;
            }
            RemoteBlock block = outcome.get();
            block.buffer().payload(0, block.length()).get(bytes, (int) offset, block.length());
            block.buffer().release();
            blocks.incrementAndGet();
            fill();
            if (underWay == 0) {
                whole.complete(bytes);
            }
        }
    }

    @Test
    void largeDirectoriesAreListedInPages() throws Exception {
        Path many = Files.createDirectories(into.resolve("many"));
        for (int i = 0; i < 10_000; i++) {
            Files.createFile(many.resolve("file-%05d".formatted(i)));
        }
        AgentB agent = chain.agentB("site-b", "site-b", into);

        Outcome<List<RemoteFile>> listing = ask(done -> files.list(SITE_B, "many", PATIENCE, done));
        Outcome<List<RemoteFile>> root = ask(done -> files.list(SITE_B, "", PATIENCE, done));

        assertThat(listing.get()).hasSize(10_000);
        assertThat(listing.get().get(9_999).name()).isEqualTo("file-09999");
        assertThat(root.get()).extracting(RemoteFile::name).containsExactly("many");
        assertThat(pages.available()).isEqualTo(pages.capacity());
        agent.stop();
    }

    @Test
    void questionsAreAnsweredWithWhatIsThere() throws Exception {
        byte[] bytes = "what is there".getBytes(StandardCharsets.UTF_8);
        Files.write(into.resolve("a file"), bytes);
        AgentB agent = chain.agentB("site-b", "site-b", into);

        Outcome<RemoteFile> stat = ask(done -> files.stat(SITE_B, "a file", PATIENCE, done));
        Outcome<RemoteFile> missing = ask(done -> files.stat(SITE_B, "no/such", PATIENCE, done));
        Outcome<String> sum =
                ask(done -> files.checksum(SITE_B, "a file", ChecksumAlgorithm.SHA256, 0, -1, PATIENCE, done));
        Outcome<RemoteBlock> tail =
                ask(done -> files.read(SITE_B, "a file", stat.get().fingerprint(), 8, 100, PATIENCE, done));
        Outcome<RemoteBlock> changed = ask(done -> files.read(SITE_B, "a file", "another", 0, 100, PATIENCE, done));

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

    @Test
    void aFarEdgeThatIsAwayIsWaitedForAndThenUnreachable() throws Exception {
        Outcome<RemoteFile> nobody = ask(done -> files.stat(SITE_B, "", Duration.ofMillis(300), done));
        CompletableFuture<Outcome<RemoteFile>> waiting = new CompletableFuture<>();
        net.loop().execute(() -> files.stat(SITE_B, "", PATIENCE, waiting::complete));
        AgentB agent = chain.agentB("site-b", "site-b", into);

        assertThat(nobody.refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.UNREACHABLE);
        assertThat(waiting.get(60, TimeUnit.SECONDS).get().isDirectory()).isTrue();
        agent.stop();
    }
}
