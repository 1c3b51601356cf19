package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.FarServerFixture;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.agentb.files.ServedFiles;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.core.remote.RunningChecksum;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is true of reading from every kind of server. */
abstract class FarFilesContract extends FarServerFixture {
    private static final int BLOCK = 256 << 10;
    static final int SIZE = 12 * BLOCK + 77;
    private static final long MODIFIED_MILLIS = 1_600_000_000_000L;
    private static final long DAY_MILLIS = 86_400_000L;

    @SuppressWarnings("NullAway.Init") // see start
    FarFiles files;

    @SuppressWarnings("NullAway.Init") // see start
    byte[] bytes;

    /** A name that not every program takes as it is. */
    String oddName() {
        return "-dé *[\u20ac] x.bin";
    }

    /** Whether a listing tells seconds. */
    boolean listsSeconds() {
        return true;
    }

    @BeforeEach
    void start() throws Exception {
        bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        write("big", bytes);
        write("sub dir/" + oddName(), Arrays.copyOf(bytes, 1000));
        write(".dot", new byte[1]);
        write(".hawser-00000000000000030000000000000001", new byte[1]);
        Files.createDirectories(there("empty"));
        Files.write(server.root().resolve("outside"), new byte[5]);
        files = open(4);
    }

    FarFiles open(int connections) throws IOException {
        FarOptions options = FarOptions.with(new Secret("a@b"))
                .withParallelism(new Parallelism(connections, 0, Parallelism.DEFAULT.streams()))
                .withTimeouts(Timeouts.DEFAULT.withSilence(Duration.ofSeconds(5)));
        return FarFiles.create(new DiskStorage(), FarServer.parse(url()), adapted(options));
    }

    /** What this kind of server needs besides. */
    FarOptions adapted(FarOptions usual) {
        return usual;
    }

    @AfterEach
    void stop() {
        if (files != null) {
            files.close();
        }
    }

    private Path there(String name) {
        return server.root().resolve("in").resolve(name);
    }

    void write(String name, byte[] content) throws IOException {
        Files.createDirectories(there(name).getParent());
        Files.write(there(name), content);
        Files.setLastModifiedTime(there(name), FileTime.fromMillis(MODIFIED_MILLIS));
    }

    private static @Nullable ErrorCode code(Outcome<?> outcome) {
        Refusal refusal = outcome.refusal();
        return refusal == null ? null : refusal.code();
    }

    private Outcome<RemoteFile> read(String name, String fingerprint, long offset, ByteBuffer into) {
        return files.read(new Question.Read(name, fingerprint, offset, into.remaining()), into);
    }

    /** Bytes of {@code big}, asked for again as long as the server cannot be reached. */
    private byte[] block(String fingerprint, long offset) {
        ByteBuffer into = ByteBuffer.allocate(BLOCK);
        Outcome<RemoteFile> outcome = Awaitility.await()
                .atMost(TestTimes.LIMIT)
                .until(
                        () -> read("big", fingerprint, offset, into.clear()),
                        answer -> code(answer) != ErrorCode.UNREACHABLE);
        assertThat(outcome.refusal()).isNull();
        return Arrays.copyOf(into.array(), into.position());
    }

    private byte[] part(long offset) {
        return Arrays.copyOfRange(bytes, (int) offset, (int) Math.min(SIZE, offset + BLOCK));
    }

    List<RemoteFile> list(String name, int pageBytes) {
        List<RemoteFile> all = new ArrayList<>();
        String after = "";
        do {
            ByteBuffer page = ByteBuffer.allocate(pageBytes);
            Outcome<String> next = files.list(name, after, page);
            assertThat(next.refusal()).isNull();
            all.addAll(RemoteFileCodec.getAll(page.flip()));
            after = next.get();
        } while (!after.isEmpty());
        return all;
    }

    @Test
    void whatStandsThereIsTold() {
        RemoteFile big = files.stat("big").get();
        assertThat(big.sizeBytes()).isEqualTo(SIZE);
        assertThat(big.modifiedMillis()).isEqualTo(MODIFIED_MILLIS);
        assertThat(big.isDirectory()).isFalse();
        assertThat(big.name()).isEqualTo("big");
        assertThat(files.stat("").get().isDirectory()).isTrue();
        assertThat(files.stat("sub dir").get().isDirectory()).isTrue();
        assertThat(files.stat("sub dir/" + oddName()).get().sizeBytes()).isEqualTo(1000);
        assertThat(code(files.stat("none"))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(code(files.stat("sub dir/none/x"))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void nothingOutsideAndNothingOfOursIsThere() {
        for (String name :
                new String[] {"..", "../outside", "sub dir/../../outside", "..\\outside", "a//b", "x\r\nDELE big"}) {
            assertThat(code(files.stat(name))).as(name).isEqualTo(ErrorCode.BAD_NAME);
            assertThat(code(read(name, "", 0, ByteBuffer.allocate(5)))).as(name).isEqualTo(ErrorCode.BAD_NAME);
            assertThat(code(files.list(name, "", ByteBuffer.allocate(BLOCK))))
                    .as(name)
                    .isEqualTo(ErrorCode.BAD_NAME);
        }
        assertThat(code(files.stat(".hawser-00000000000000030000000000000001"))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void directoriesAreListedAlsoInSeveralPages() throws Exception {
        for (int pageBytes : new int[] {BLOCK, RemoteFileCodec.MAX_LENGTH_BYTES / 10}) {
            List<RemoteFile> root = list("", pageBytes);
            assertThat(root).extracting(RemoteFile::name).containsExactly(".dot", "big", "empty", "sub dir");
            RemoteFile big = root.get(1);
            assertThat(big.sizeBytes()).isEqualTo(SIZE);
            assertThat(big.modifiedMillis() / DAY_MILLIS).isEqualTo(MODIFIED_MILLIS / DAY_MILLIS);
            if (listsSeconds()) {
                assertThat(big.fingerprint()).isEqualTo(files.stat("big").get().fingerprint());
            }
        }
        assertThat(list("sub dir", BLOCK)).extracting(RemoteFile::name).containsExactly(oddName());
        assertThat(list("empty", BLOCK)).isEmpty();
        assertThat(code(files.list("none", "", ByteBuffer.allocate(BLOCK)))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(code(files.list("big", "", ByteBuffer.allocate(BLOCK)))).isEqualTo(ErrorCode.NOT_DIRECTORY);
    }

    @Test
    void aFileIsReadInOneStreamAlsoWhenItsReadersOvertakeEachOther() throws Exception {
        String fingerprint = files.stat("big").get().fingerprint();
        ExecutorService readers = Executors.newFixedThreadPool(4);
        try {
            List<Future<byte[]>> blocks = new ArrayList<>();
            for (long offset = 0; offset < SIZE; offset += BLOCK) {
                long here = offset;
                blocks.add(readers.submit(() -> block(fingerprint, here)));
            }
            for (int i = 0; i < blocks.size(); i++) {
                assertThat(blocks.get(i).get(TestTimes.SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(part((long) i * BLOCK));
            }
        } finally {
            readers.shutdownNow();
        }
        assertThat(files.streamsBegun()).isLessThan(SIZE / BLOCK / 2);
    }

    @Test
    void readersAtSeveralPlacesGetOnWithFewConnections() throws Exception {
        files.close();
        files = open(3); // two to read
        long half = 6L * BLOCK;
        for (int i = 0; i < 3; i++) {
            long offset = (long) i * BLOCK;
            assertThat(block("", offset)).isEqualTo(part(offset));
            assertThat(block("", half + offset)).isEqualTo(part(half + offset));
        }
        assertThat(block("", SIZE - 5)).isEqualTo(part(SIZE - 5));
        assertThat(block("", SIZE)).isEmpty();
        ByteBuffer odd = ByteBuffer.allocate(BLOCK);
        assertThat(read("sub dir/" + oddName(), "", 10, odd).refusal()).isNull();
        assertThat(Arrays.copyOf(odd.array(), odd.position())).isEqualTo(Arrays.copyOfRange(bytes, 10, 1000));
        assertThat(code(read("empty", "", 0, odd.clear()))).isEqualTo(ErrorCode.IS_DIRECTORY);
        assertThat(code(read("none", "", 0, odd.clear()))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        String fingerprint = files.stat("big").get().fingerprint();
        assertThat(block(fingerprint, 0)).isEqualTo(part(0));
        write("big", new byte[SIZE]);
        Files.setLastModifiedTime(there("big"), FileTime.fromMillis(MODIFIED_MILLIS + 5_000));

        boolean refused = false;
        for (long offset = BLOCK; offset < SIZE && !refused; offset += BLOCK) {
            // It may also end early, since writing anew begins with nothing.
            refused =
                    read("big", fingerprint, offset, ByteBuffer.allocate(BLOCK)).isRefused();
        }

        assertThat(refused).as("at the end at the latest").isTrue();
        assertThat(code(read("big", fingerprint, 0, ByteBuffer.allocate(BLOCK))))
                .isEqualTo(ErrorCode.SOURCE_CHANGED);
    }

    @Test
    void readingGoesOnAfterTheServersDeath() throws Exception {
        String fingerprint = files.stat("big").get().fingerprint();
        assertThat(block(fingerprint, 0)).isEqualTo(part(0));
        server.kill();
        // What is on its way in sockets may still come; behind that nobody answers.
        Awaitility.await("a refusal")
                .until(() -> code(read("big", fingerprint, 3L * BLOCK, ByteBuffer.allocate(BLOCK)))
                        == ErrorCode.UNREACHABLE);
        assertThat(files.problem()).contains("127.0.0.1");
        server.restart();
        for (long offset = BLOCK; offset < SIZE; offset += BLOCK) {
            assertThat(block(fingerprint, offset)).isEqualTo(part(offset));
        }
        assertThat(files.problem()).isEmpty();
    }

    @Test
    void checksumsAreAskedForOrComputed() {
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            assertThat(checksum(algorithm, 0, -1)).as("%s", algorithm).isEqualTo(expected(algorithm, 0, SIZE));
            assertThat(checksum(algorithm, 1000, 5000)).isEqualTo(expected(algorithm, 1000, 5000));
            assertThat(checksum(algorithm, 1000, -1)).isEqualTo(expected(algorithm, 1000, SIZE - 1000));
        }
        assertThat(code(files.checksum(new Question.Checksum("empty", ChecksumAlgorithm.MD5, 0, -1))))
                .isEqualTo(ErrorCode.IS_DIRECTORY);
    }

    private String checksum(ChecksumAlgorithm algorithm, long offset, long length) {
        Outcome<ServedFiles.SlicedChecksum> begun =
                files.checksum(new Question.Checksum("big", algorithm, offset, length));
        assertThat(begun.refusal()).isNull();
        String hex = "";
        while (hex.isEmpty()) {
            Outcome<String> slice = begun.get().nextSlice();
            assertThat(slice.refusal()).isNull();
            hex = slice.get();
        }
        return hex;
    }

    private String expected(ChecksumAlgorithm algorithm, int offset, int length) {
        RunningChecksum sum = RunningChecksum.of(algorithm);
        sum.update(ByteBuffer.wrap(bytes, offset, length));
        return sum.hex();
    }
}
