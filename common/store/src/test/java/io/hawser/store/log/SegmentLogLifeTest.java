package io.hawser.store.log;

import static io.hawser.store.log.LogOnDisk.DIRECTORY;
import static io.hawser.store.log.LogOnDisk.append;
import static io.hawser.store.log.LogOnDisk.bodies;
import static io.hawser.store.log.LogOnDisk.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import io.hawser.store.testkit.Interposed;
import io.hawser.store.testkit.TestRuntime;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a log begins and ends, what it refuses, and the files that it uses again. */
class SegmentLogLifeTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private final LogOnDisk disk = new LogOnDisk();

    @ParameterizedTest
    @ValueSource(ints = {0, -1, LogRecord.MAX_KIND + 1})
    void kindsThatAreNotTheUsersAreRefused(int kind) throws Exception {
        try (SegmentLog log = disk.open(1)) {
            assertThatThrownBy(() ->
                            log.append(kind, null, 0, new byte[1], LogOnDisk.completing(new CompletableFuture<>())))
                    .isInstanceOf(IllegalArgumentException.class);
            append(log, "goes on");
            assertThat(bodies(log)).containsExactly("goes on");
        }
    }

    /** Offset in the buffer, payload, body. */
    @ParameterizedTest
    @CsvSource({"0, 65537, 3969", "0, 67108865, 1", "1, 65537, 1044352", "0, 10, 1044350"})
    void aFragmentWithABodyThatFitsNowhereIsRefusedAndItsBufferNotKept(int offset, int payload, int body)
            throws Exception {
        FragmentBuffer buffer = Objects.requireNonNull(new FragmentBufferPool(1 << 20, 1).tryAcquire());
        Fragment fragment = new Fragment(KEY, 0, payload, 0, new byte[32], buffer, offset);
        try (SegmentLog log = disk.open(1)) {
            assertThatThrownBy(() ->
                            log.append(1, fragment, new byte[body], LogOnDisk.completing(new CompletableFuture<>())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(body + " bytes with a payload of " + payload);
        }
        assertThat(buffer.refCnt()).isEqualTo(1);
    }

    @Test
    void whatIsStillWrittenToOrIsNotThereIsNotDeleted() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "kept");
            log.deleteSegment(1);
            log.deleteSegment(99);

            assertThat(bodies(log)).containsExactly("kept");
            assertThat(log.segments()).extracting(SegmentInfo::number).containsExactly(1L);
        }
    }

    @Test
    void theCallbackOfAnAppendMayCloseTheLog() throws Exception {
        SegmentLog log = disk.open(1);
        CompletableFuture<LogPosition> closed = new CompletableFuture<>();
        AppendCallback closing = new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                log.close();
                closed.complete(position);
            }

            @Override
            public void failed(StorageException cause) {
                closed.completeExceptionally(cause);
            }
        };
        log.append(1, null, 0, "last".getBytes(java.nio.charset.StandardCharsets.UTF_8), closing);

        assertThat(closed.get(TestTimes.SECONDS, TimeUnit.SECONDS).segment()).isEqualTo(1);
        log.close(); // waits for the writer
        try (SegmentLog again = disk.open(2)) {
            assertThat(bodies(again)).containsExactly("last");
        }
    }

    @Test
    void whoClosesMayBeInterruptedAndWhatWaitsIsWritten() throws Exception {
        SegmentLog log = disk.open(1);
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        for (int i = 0; i < 100; i++) {
            log.append(1, null, i, new byte[50], LogOnDisk.completing(done));
        }
        Thread.currentThread().interrupt();
        log.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).isCompleted();
        try (SegmentLog again = disk.open(2)) {
            assertThat(bodies(again)).hasSize(100);
        }
    }

    @Test
    void aCopyOfASegmentUnderAnotherNumberIsRefusedByName() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
        }
        disk.storage.replaceAll(segment(2), disk.storage.readAll(segment(1)));

        assertThatThrownBy(() -> disk.open(2))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(segment(2) + " belongs to segment 1");
        assertThat(disk.storage.delete(segment(2))).isTrue();
        try (SegmentLog log = disk.open(3)) {
            assertThat(bodies(log)).containsExactly("first");
        }
    }

    @Test
    void anIdThatIsNoneIsRefused() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
        }
        disk.storage.replaceAll(DIRECTORY.resolve("log.id"), new byte[] {'a', 'b'});

        assertThatThrownBy(() -> disk.open(2))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("32 hex digits");
    }

    @Test
    void onlyTheLastEightTornTailsAreKept() throws Exception {
        for (int i = 1; i <= 11; i++) {
            SegmentLog log = disk.open(i);
            append(log, "kept " + i);
            LogPosition torn = append(log, "torn");
            disk.storage.kill();
            log.close();
            disk.overwrite(segment(i), torn.offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 9);
        }
        try (SegmentLog log = disk.open(20)) {
            assertThat(bodies(log)).hasSize(11).allMatch(body -> body.startsWith("kept"));
        }
        List<String> copies = disk.storage.list(DIRECTORY).stream()
                .filter(name -> name.startsWith("torn-"))
                .map(name -> name.substring(0, 25))
                .toList();
        assertThat(copies).hasSize(8).startsWith("torn-00000000000000000004").endsWith("torn-00000000000000000011");
    }

    /**
     * What a start shows is durable from then on, also where the life before it ended with a force that failed: the kernel then
     * shows what the disk does not have.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatARecoveryShowedSurvivesThePowerCutBehindIt(boolean direct) throws Exception {
        int shownBehindAFailedForce = 0;
        for (long seed = 1; seed <= 40; seed++) {
            LogOnDisk each = new LogOnDisk();
            FaultyStorage storage = each.storage;
            storage.directAllowed(direct);
            SegmentLog log = each.open(1);
            append(log, "acked");
            storage.failCall(2, Fault.EIO, false); // the write succeeds, its force does not
            CompletableFuture<LogPosition> failed = new CompletableFuture<>();
            log.append(
                    1,
                    null,
                    0,
                    "not acked".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    LogOnDisk.completing(failed));
            assertThat(failed).failsWithin(20, TimeUnit.SECONDS);
            storage.kill();
            log.close();

            SegmentLog second = each.open(2);
            List<String> shown = bodies(second);
            storage.powerCut(seed);
            second.close();

            try (SegmentLog third = each.open(3)) {
                assertThat(bodies(third)).as("seed %d", seed).isEqualTo(shown).contains("acked");
                assertThat(third.damages().all()).isEmpty();
            }
            shownBehindAFailedForce += shown.size() - 1;
        }
        assertThat(shownBehindAFailedForce).as("else nothing was at stake").isEqualTo(direct ? 0 : 40);
    }

    /** A file that held another segment: what it held is neither shown nor taken for a torn tail. */
    @Test
    void aSpareWithOldRecordsIsUsedAgainWithoutThem() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            for (int i = 0; i < 5; i++) {
                append(log, "old" + "x".repeat(5_000));
            }
        }
        byte[] old = Arrays.copyOf(disk.storage.readAll(segment(1)), LogOnDisk.SEGMENT_BYTES);
        disk.storage.replaceAll(DIRECTORY.resolve("spare-4"), old);
        disk.storage.replaceAll(DIRECTORY.resolve("spare-5"), new byte[LogOnDisk.SEGMENT_BYTES]); // one too many
        disk.storage.replaceAll(DIRECTORY.resolve("spare-6"), new byte[4096]); // of another size

        SegmentLog log = LogOnDisk.open(disk.storage, 2, 1);
        assertThat(disk.storage.list(DIRECTORY)).contains("spare-4").doesNotContain("spare-5", "spare-6");
        assertThat(log.spareBytes()).isEqualTo(LogOnDisk.SEGMENT_BYTES);
        append(log, "new");
        assertThat(log.spareBytes()).isZero();
        assertThat(disk.header(2).recycled()).isTrue();
        assertThat(disk.storage.facts(segment(2)).sizeBytes()).isEqualTo(LogOnDisk.SEGMENT_BYTES);
        disk.storage.kill();
        log.close();

        try (SegmentLog again = LogOnDisk.open(disk.storage, 3, 1)) {
            assertThat(bodies(again)).hasSize(6).endsWith("new");
            assertThat(again.damages().all()).isEmpty();
        }
        assertThat(disk.storage.list(DIRECTORY)).noneMatch(name -> name.startsWith("torn-"));
    }

    @Test
    void aSpareThatSomebodyDeletedOrCutIsSkipped() throws Exception {
        disk.storage.createDirectories(DIRECTORY);
        for (int i = 1; i <= 3; i++) {
            disk.storage.replaceAll(DIRECTORY.resolve("spare-" + i), new byte[LogOnDisk.SEGMENT_BYTES]);
        }
        try (SegmentLog log = LogOnDisk.open(disk.storage, 1, 3)) {
            disk.storage.delete(DIRECTORY.resolve("spare-1"));
            disk.cut(DIRECTORY.resolve("spare-2"), 100);
            append(log, "in the third");
            log.roll();
            append(log, "in a fresh one");

            assertThat(disk.header(1).recycled()).isTrue();
            assertThat(disk.header(2).recycled()).isFalse();
            assertThat(bodies(log)).containsExactly("in the third", "in a fresh one");
        }
    }

    @Test
    void nothingTouchesTheDirectoryOfAClosedLog() throws Exception {
        CountDownLatch filling = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        Storage storage = Interposed.before(disk.storage, (method, arguments, real) -> {
            if (method.equals("usableSpaceBytes")) { // the first that is asked for a new spare
                filling.countDown();
                closing.await();
            }
            return real.call();
        });
        LogConfig config = LogConfig.of(DIRECTORY, 1, "soon-closed", TestRuntime.threads())
                .withSegments(LogOnDisk.SEGMENT_BYTES, 1);
        SegmentLog log = SegmentLog.open(storage, config, LogObserver.NONE, cause -> {});
        append(log, "asks for a spare");
        assertThat(filling.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        closing.countDown();

        log.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(each -> each.getName().equals("soon-closed-spare"));
        assertThat(disk.storage.list(DIRECTORY)).noneMatch(name -> name.endsWith(".tmp"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "forceDirectory"})
    void aSegmentIsBegunWhenAFileDescriptorIsFreeAgain(String lacking) throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        Storage storage = Interposed.before(disk.storage, (method, arguments, real) -> {
            if (method.equals(lacking) && refusals.getAndDecrement() > 0) {
                throw new CannotOpenNowException("too many open files", new IOException());
            }
            return real.call();
        });
        try (SegmentLog log = LogOnDisk.open(storage, 1, 0)) {
            refusals.set(3);
            append(log, "later");
            assertThat(refusals.get()).isNotPositive();

            log.roll();
            refusals.set(Integer.MAX_VALUE);
            assertThatThrownBy(() -> append(log, "never")).hasRootCauseInstanceOf(IOException.class);
        }
    }

    /** A segment that was a spare has a segment's length, so its file is kept when it is deleted; a shorter one goes. */
    @Test
    void theFileOfADeletedSegmentIsKeptIfItHasASegmentsLength() throws Exception {
        disk.storage.createDirectories(DIRECTORY);
        disk.storage.replaceAll(DIRECTORY.resolve("spare-1"), new byte[LogOnDisk.SEGMENT_BYTES]);
        disk.storage.replaceAll(DIRECTORY.resolve("spare-named-by-hand"), new byte[LogOnDisk.SEGMENT_BYTES]);
        try (SegmentLog log = LogOnDisk.open(disk.storage, 1, 2)) {
            append(log, "in a spare");
            log.roll();
            append(log, "in the other");
            log.roll();
            append(log, "in a fresh one");
            log.roll();
            append(log, "last");
            assertThat(log.spareBytes()).isZero();

            log.deleteSegment(3); // it has only grown as far as it was written
            assertThat(log.spareBytes()).isZero();
            log.deleteSegment(1);
            assertThat(log.spareBytes()).isEqualTo(LogOnDisk.SEGMENT_BYTES);
            assertThat(disk.storage.list(DIRECTORY))
                    .noneMatch(name -> name.endsWith("1.log") || name.endsWith("3.log"));
            log.roll();
            append(log, "in the spare again");
            assertThat(log.spareBytes()).isZero();
            assertThat(bodies(log)).containsExactly("in the other", "last", "in the spare again");
        }
    }

    @Test
    void aLogThatIsClosedKeepsNoSpareAndMakesNone() throws Exception {
        LogConfig config =
                LogConfig.of(DIRECTORY, 1, "writer", TestRuntime.threads()).withSegments(LogOnDisk.SEGMENT_BYTES, 1);
        disk.storage.createDirectories(DIRECTORY);
        disk.storage.replaceAll(DIRECTORY.resolve("spare-1"), new byte[LogOnDisk.SEGMENT_BYTES]);
        disk.storage.replaceAll(segment(7), new byte[LogOnDisk.SEGMENT_BYTES]);
        SpareSegments spares = new SpareSegments(new SegmentFiles(disk.storage, DIRECTORY), config);

        spares.recycle(segment(7), LogOnDisk.SEGMENT_BYTES); // it has as many as it may have
        assertThat(disk.storage.list(DIRECTORY)).containsExactly("spare-1");

        spares.stop();
        assertThat(spares.take()).isEqualTo(DIRECTORY.resolve("spare-1"));
        disk.storage.replaceAll(segment(8), new byte[LogOnDisk.SEGMENT_BYTES]);
        spares.recycle(segment(8), LogOnDisk.SEGMENT_BYTES);
        assertThat(disk.storage.list(DIRECTORY)).containsExactly("spare-1");
        assertThat(spares.take()).isNull();
        assertThat(spares.sizeBytes()).isZero();
    }
}
