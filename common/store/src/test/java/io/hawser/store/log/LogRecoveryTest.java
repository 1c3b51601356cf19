package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What recovery makes of single, known misfortunes. */
class LogRecoveryTest {
    private static final Path DIRECTORY = Path.of("/data/log");
    private static final Path FIRST = DIRECTORY.resolve("00000000000000000001.log");

    private final FaultyStorage storage = new FaultyStorage();

    private SegmentLog open(long epoch) throws StorageException {
        LogConfig config =
                LogConfig.of(DIRECTORY, epoch, "writer", TestRuntime.threads()).withSegments(256 << 10, 0);
        return SegmentLog.open(storage, config, LogObserver.NONE, cause -> {});
    }

    private static LogPosition append(SegmentLog log, String body) throws Exception {
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        log.append(1, null, 0, body.getBytes(StandardCharsets.UTF_8), LogOnDisk.completing(done));
        return done.get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    private static List<String> bodies(SegmentLog log) throws StorageException {
        List<String> bodies = new ArrayList<>();
        log.replay(LogPosition.START, record -> bodies.add(new String(record.body(), StandardCharsets.UTF_8)));
        return bodies;
    }

    private void overwrite(Path path, long position, byte[] bytes) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(bytes), position);
            file.force(true);
        }
    }

    @Test
    void aTornTailIsCutReportedAndKeptAside() throws Exception {
        SegmentLog log = open(1);
        append(log, "kept");
        LogPosition last = append(log, "torn");
        storage.kill();
        log.close();
        overwrite(FIRST, last.offset() + LogFormat.RECORD_HEADER_BYTES, new byte[] {9, 9});

        try (SegmentLog again = open(2)) {
            assertThat(bodies(again)).containsExactly("kept");
            assertThat(again.damages().all()).isEmpty();
            append(again, "new");
            assertThat(bodies(again)).containsExactly("kept", "new");
        }
        assertThat(storage.list(DIRECTORY)).contains("torn-00000000000000000001-" + last.offset());
    }

    /** A run is killed at any call while a segment gets its name; the next start must not count on a name that may go with the power. */
    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void aSegmentsNameIsDurableBeforeTheListKnowsIt() throws Exception {
        for (int call = 1; call < 40; call++) {
            FaultyStorage disk = new FaultyStorage();
            killedAt(disk, call);
            start(disk, 2).close();
            for (int seed = 0; seed < 8; seed++) { // whatever of the unforced names survives
                disk.kill();
                disk.powerCut(seed);
                start(disk, 3 + seed).close();
            }
        }
    }

    private static SegmentLog start(FaultyStorage disk, long epoch) throws StorageException {
        LogConfig config =
                LogConfig.of(DIRECTORY, epoch, "writer", TestRuntime.threads()).withSegments(32 << 10, 0);
        return SegmentLog.open(disk, config, LogObserver.NONE, cause -> {});
    }

    private static void killedAt(FaultyStorage disk, int call) throws Exception {
        SegmentLog log = start(disk, 1);
        append(log, "first");
        disk.failCall(call, FaultyStorage.Fault.EIO, true);
        for (int i = 0; i < 12; i++) {
            CompletableFuture<LogPosition> done = new CompletableFuture<>();
            log.append(1, null, 0, new byte[9_000], LogOnDisk.completing(done));
            done.handle((position, failure) -> failure).get(TestTimes.SECONDS, TimeUnit.SECONDS);
        }
        disk.kill();
        disk.heal();
        log.close();
    }

    @Test
    void aBadRecordBehindWhichALaterGroupStandsIsDamageAndNothingIsCut() throws Exception {
        SegmentLog log = open(1);
        append(log, "first");
        LogPosition bad = append(log, "second");
        append(log, "third");
        storage.kill();
        log.close();
        overwrite(FIRST, bad.offset() + LogFormat.RECORD_HEADER_BYTES, new byte[] {9, 9});

        try (SegmentLog again = open(2)) {
            assertThat(bodies(again)).containsExactly("first", "third");
            assertThat(again.damages().all()).hasSize(1);
            assertThat(again.damages().all().get(0).position()).isEqualTo(bad);
        }
    }

    @Test
    void theYoungestEpochIsReadFromTheLastSegmentWhoseHeaderIsWhole() throws Exception {
        assertThat(LogEpochReader.youngest(storage, DIRECTORY)).isZero();
        for (long epoch : new long[] {3, 8}) {
            try (SegmentLog log = open(epoch)) {
                append(log, "of epoch " + epoch);
            }
            assertThat(LogEpochReader.youngest(storage, DIRECTORY)).isEqualTo(epoch);
        }
        overwrite(DIRECTORY.resolve("00000000000000000002.log"), SegmentHeader.NUMBER_OFFSET, new byte[] {7});
        assertThat(LogEpochReader.youngest(storage, DIRECTORY)).isEqualTo(3);
    }

    @Test
    void whatWasFoundDoesNotCountTheSealThatTheStartWrites() throws Exception {
        SegmentLog log = open(1);
        append(log, "first");
        append(log, "second");
        long last = log.lastSequence();
        storage.kill();
        log.close();

        try (SegmentLog again = open(2)) {
            assertThat(again.foundSequence()).isBetween(2L, last);
            assertThat(again.lastSequence()).isGreaterThan(again.foundSequence());
        }
        try (SegmentLog third = open(3)) {
            assertThat(third.foundSequence()).isEqualTo(third.lastSequence());
        }
    }

    @Test
    void aDamagedSegmentHeaderDoesNotHideItsRecords() throws Exception {
        try (SegmentLog log = open(1)) {
            append(log, "first");
            append(log, "second");
        }
        overwrite(FIRST, SegmentHeader.NUMBER_OFFSET, new byte[] {7});

        try (SegmentLog log = open(2)) {
            assertThat(bodies(log)).containsExactly("first", "second");
            assertThat(log.damages().all()).hasSize(1);
            append(log, "third");
            assertThat(bodies(log)).containsExactly("first", "second", "third");
        }
    }

    @Test
    void aLogThatIsYoungerThanItsNodeIsRefused() throws Exception {
        try (SegmentLog log = open(5)) {
            append(log, "first");
        }
        assertThatThrownBy(() -> open(4)).isInstanceOf(StorageException.class).hasMessageContaining("epoch 5");
    }

    @Test
    void aFullQueueFailsTheAppendAndTheLogLivesOn() throws Exception {
        LogConfig small = new LogConfig(DIRECTORY, 1, "writer", TestRuntime.threads(), 256 << 10, 0, 1 << 20, 1_000);
        try (SegmentLog log = SegmentLog.open(storage, small, LogObserver.NONE, cause -> {})) {
            CompletableFuture<LogPosition> refused = new CompletableFuture<>();
            log.append(1, null, 0, new byte[2_000], LogOnDisk.completing(refused));

            assertThatThrownBy(refused::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("wait to be written");
            assertThat(log.failure()).isNull();
            append(log, "goes on");
            assertThat(bodies(log)).containsExactly("goes on");
        }
    }

    @Test
    void recordsOfTheLargestSizesAreKept() throws Exception {
        byte[] largest = new byte[SegmentLog.maxBodyBytes()];
        largest[largest.length - 1] = 1;
        try (SegmentLog log = open(1)) {
            for (int less : new int[] {0, 1, 8, 100, 4_000, 5_000}) {
                CompletableFuture<LogPosition> done = new CompletableFuture<>();
                byte[] body = java.util.Arrays.copyOfRange(largest, less, largest.length);
                log.append(1, null, 0, body, LogOnDisk.completing(done));
                LogPosition position = done.get(TestTimes.SECONDS, TimeUnit.SECONDS);
                assertThat(log.read(position).body()).isEqualTo(body);
            }
            assertThatThrownBy(() -> log.append(
                            1,
                            null,
                            0,
                            new byte[SegmentLog.maxBodyBytes() + 1],
                            LogOnDisk.completing(new CompletableFuture<>())))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        try (SegmentLog log = open(2)) {
            assertThat(bodies(log)).hasSize(6);
            assertThat(log.damages().all()).isEmpty();
        }
    }

    /** It was a NumberFormatException. */
    @Test
    void aFileWithANumberThatNoSegmentHasIsToldWithItsName() throws Exception {
        try (SegmentLog log = open(1)) {
            append(log, "first");
        }
        Path strange = DIRECTORY.resolve("99999999999999999999.log");
        storage.replaceAll(strange, new byte[1]);

        assertThatThrownBy(() -> open(2)).isInstanceOf(StorageException.class).hasMessageContaining(strange.toString());
    }
}
