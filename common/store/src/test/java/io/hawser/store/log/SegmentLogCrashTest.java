package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random appends, then the worst, then a look at what is left: every record that was acked is there with its bytes; what is
 * there is a prefix of what was appended; nothing old comes back. Failing seeds are in the assertion's message.
 */
class SegmentLogCrashTest {
    private static final Path DIRECTORY = Path.of("/data/log");
    private static final long SEGMENT_BYTES = 256 << 10;
    private static final int FRAGMENT_BYTES = 96 << 10;
    /** How many histories; {@code -Dhawser.log.seeds=10000} for a long run. */
    private static final int SEEDS = Integer.getInteger("hawser.log.seeds", 60);

    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 16);

    /** What was appended in one life, in its order, and what of it was acked. */
    private static final class Journal {
        final List<Integer> appended = new ArrayList<>();
        final Map<Integer, LogPosition> acked = new ConcurrentSkipListMap<>();
        final List<StorageException> fatal = new CopyOnWriteArrayList<>();
        /** Everything up to this index of {@code appended} had been accepted by a recovery. */
        int settled;
        /** The log of the life that is about to end. */
        @Nullable
        SegmentLog open;
    }

    @Test
    void everyAckedRecordSurvivesAnyPowerCut() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            manyLives(seed, true);
        }
    }

    /**
     * A start accepts what a killed run had written and not forced, and seals it. If its force fails and the power goes, the seal may be all
     * that is left: it must not prove that what is missing before it was durable.
     */
    @Test
    void aStartThatFailsBeforeItsForceCallsNothingDamagedAfterAPowerCut() throws Exception {
        for (long call = 1; call <= 16; call++) {
            for (long seed = 1; seed <= 40; seed++) {
                FaultyStorage disk = new FaultyStorage();
                SteppedLog first = SteppedLog.open(disk, DIRECTORY, 1);
                first.write(List.of(new byte[3000], new byte[3000], new byte[3000]));
                disk.kill();
                disk.heal();
                disk.failCall(call, Fault.EIO, true);
                try {
                    SteppedLog.open(disk, DIRECTORY, 2);
                } catch (StorageException expected) {
                    assertThat(expected).hasMessageNotContaining("damaged");
                }
                disk.powerCut(seed);
                disk.heal();

                SteppedLog third = SteppedLog.open(disk, DIRECTORY, 3);

                assertThat(third.isDamaged()).as("call %s, seed %s", call, seed).isFalse();
            }
        }
    }

    @Test
    void everyAckedRecordSurvivesAKill() throws Exception {
        for (long seed = 1; seed <= SEEDS / 4; seed++) {
            manyLives(seed, false);
        }
    }

    private void manyLives(long seed, boolean power) throws Exception {
        Random random = new Random(seed);
        FaultyStorage storage = new FaultyStorage();
        storage.directAllowed(seed % 4 > 0); // the first number of Random is much the same for all small seeds
        Journal journal = new Journal();
        int next = 0;
        for (int life = 1; life <= 4; life++) {
            if (random.nextInt(3) == 0) {
                crashDuringRecovery(storage, life, random, power);
            }
            next = oneLife(storage, journal, 10L * life, random, next, seed);
            if (power) {
                storage.powerCut(random.nextLong());
            } else {
                storage.kill();
            }
            Objects.requireNonNull(journal.open).close(); // only its thread is left, and can do nothing any more
        }
        try (SegmentLog log = open(storage, 1000, CrashPoints.NONE, journal)) {
            verify(log, journal, seed);
        }
        assertThat(pool.available()).as("seed %d", seed).isEqualTo(pool.capacity());
    }

    /** Opens the log and lets the power fail at a random call of the recovery. */
    private void crashDuringRecovery(FaultyStorage storage, int life, Random random, boolean power) {
        storage.failCall(1 + random.nextInt(6), Fault.EIO, true);
        try {
            open(storage, 10L * life - 5, CrashPoints.NONE, new Journal()).close();
        } catch (StorageException expected) {
            assertThat(expected).isNotInstanceOf(CorruptRecordException.class);
        }
        storage.heal();
        if (power) {
            storage.powerCut(random.nextLong());
        } else {
            storage.kill();
        }
    }

    private int oneLife(FaultyStorage storage, Journal journal, long epoch, Random random, int first, long seed)
            throws Exception {
        String[] points = {
            "log.before-force", "log.after-force", "log.after-segment-begin", "log.after-segment-end", "none"
        };
        String deadly = points[random.nextInt(points.length)];
        int countdown = 1 + random.nextInt(12);
        int[] left = {countdown};
        CrashPoints crashPoints = point -> {
            if (point.equals(deadly) && --left[0] == 0) {
                throw new IllegalStateException("the end, at " + point);
            }
        };
        int count = random.nextInt(40);
        SegmentLog log = open(storage, epoch, crashPoints, journal);
        verify(log, journal, seed);
        if (random.nextBoolean()) {
            deleteOldest(log, journal);
        }
        CountDownLatch answered = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            append(log, journal, first + i, random, answered);
            if (random.nextInt(10) == 0) {
                log.roll();
            }
        }
        assertThat(answered.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        if (random.nextBoolean()) {
            log.close(); // an orderly end, or none: the process just stops
        }
        journal.open = log;
        return first + count;
    }

    /** Its file is used again, so that later segments have its records behind their end. */
    private static void deleteOldest(SegmentLog log, Journal journal) throws StorageException {
        List<SegmentInfo> segments = log.segments();
        if (segments.size() < 2) {
            return;
        }
        long oldest = segments.get(0).number();
        List<Integer> gone = new ArrayList<>();
        log.replay(LogPosition.START, record -> {
            if (record.position().segment() == oldest) {
                gone.add((int) record.index());
            }
        });
        log.deleteSegment(oldest);
        assertThat(journal.appended.subList(0, gone.size())).isEqualTo(gone);
        journal.appended.subList(0, gone.size()).clear();
        journal.acked.keySet().removeAll(gone);
        journal.settled -= gone.size();
    }

    private void append(SegmentLog log, Journal journal, int number, Random random, CountDownLatch answered) {
        journal.appended.add(number);
        AppendCallback done = new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                journal.acked.put(number, position);
                answered.countDown();
            }

            @Override
            public void failed(StorageException cause) {
                answered.countDown();
            }
        };
        byte[] body = body(number);
        FragmentBuffer buffer = random.nextInt(3) == 0 ? pool.tryAcquire() : null;
        if (buffer == null) {
            log.append(1, KEY, number, body, done);
            return;
        }
        int length = payloadLength(number);
        byte[] payload = payload(number, length);
        buffer.payload(0, length).put(payload);
        CRC32C crc = new CRC32C();
        crc.update(payload);
        log.append(2, new Fragment(KEY, number, length, (int) crc.getValue(), new byte[32], buffer, 0), body, done);
        buffer.release();
    }

    private static byte[] body(int number) {
        return ByteBuffer.allocate(4 + number * 37 % 300).putInt(number).array();
    }

    private static int payloadLength(int number) {
        return number % 2 == 0 ? FRAGMENT_BYTES - number % 5 : 1 + number * 131 % 20_000;
    }

    private static byte[] payload(int number, int length) {
        byte[] bytes = new byte[length];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private void verify(SegmentLog log, Journal journal, long seed) throws StorageException {
        List<Integer> found = new ArrayList<>();
        List<LogRecord> records = new ArrayList<>();
        log.replay(LogPosition.START, record -> {
            found.add(ByteBuffer.wrap(record.body()).getInt());
            records.add(record);
        });
        assertThat(log.damages().all())
                .as("seed %d: damage where there is none", seed)
                .isEmpty();
        assertThat(found).as("seed %d: acked records", seed).containsAll(journal.acked.keySet());
        assertPrefix(found, journal, seed);
        for (LogRecord record : records) {
            int number = (int) record.index();
            assertThat(record.body()).as("seed %d", seed).isEqualTo(body(number));
            if (record.kind() == 2) {
                FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
                log.read(record.position(), payloadLength(number), buffer);
                byte[] bytes = new byte[record.payloadLength()];
                buffer.payload(0, bytes.length).get(bytes);
                buffer.release();
                assertThat(bytes).as("seed %d", seed).isEqualTo(payload(number, payloadLength(number)));
            }
        }
    }

    /** What is there is what was accepted before, and then a prefix of what was appended since. What is lost stays lost. */
    private static void assertPrefix(List<Integer> found, Journal journal, long seed) {
        assertThat(found).as("seed %d: prefix", seed).isEqualTo(journal.appended.subList(0, found.size()));
        assertThat(found.size()).as("seed %d: what a recovery accepted", seed).isGreaterThanOrEqualTo(journal.settled);
        journal.appended.subList(found.size(), journal.appended.size()).clear();
        journal.settled = found.size();
    }

    private static SegmentLog open(FaultyStorage storage, long epoch, CrashPoints points, Journal journal)
            throws StorageException {
        LogConfig config = LogConfig.of(DIRECTORY, epoch, "writer", TestRuntime.threads())
                .withSegments(SEGMENT_BYTES, epoch % 20 == 0 ? 1 : 0)
                .withCrashPoints(points);
        return SegmentLog.open(storage, config, LogObserver.NONE, journal.fatal::add);
    }

    @Test
    void afterAFailedForceNothingIsEverAckedAgain() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        Journal journal = new Journal();
        SegmentLog log = open(storage, 1, CrashPoints.NONE, journal);
        appendAndWait(log, journal, 0);
        storage.failCall(2, Fault.EIO, false); // the write succeeds, the force fails
        appendAndWait(log, journal, 1);
        appendAndWait(log, journal, 2);

        assertThat(journal.acked).containsOnlyKeys(0);
        assertThat(journal.fatal).hasSize(1);
        assertThat(log.failure()).isSameAs(journal.fatal.get(0));
        log.close();
    }

    @Test
    void everyFailingCallIsEitherSurvivedOrFatalAndNeverLosesAnAck() throws Exception {
        for (Fault fault : Fault.values()) {
            for (boolean sticky : new boolean[] {false, true}) {
                sweep(fault, sticky);
            }
        }
    }

    private void sweep(Fault fault, boolean sticky) throws Exception {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            FaultyStorage storage = new FaultyStorage();
            Journal journal = new Journal();
            storage.createDirectories(DIRECTORY);
            storage.failCall(call, fault, sticky);
            long end = storage.calls() + call;
            try (SegmentLog log = open(storage, 1, CrashPoints.NONE, journal)) {
                for (int i = 0; i < 12; i++) {
                    appendAndWait(log, journal, i);
                }
                assertThat(journal.fatal)
                        .allMatch(cause -> fault != Fault.ENOSPC || cause instanceof OutOfSpaceException);
            } catch (StorageException atOpen) {
                assertThat(journal.acked).isEmpty();
            }
            reached = storage.calls() >= end;
            storage.heal();
            storage.powerCut(call);
            try (SegmentLog log = open(storage, 2, CrashPoints.NONE, new Journal())) {
                verify(log, journal, call);
            }
        }
    }

    /** What a start of a log breaks off at. */
    private interface Breaking {
        /** Arms the {@code number}-th call from now on. */
        void arm(FaultyStorage storage, int number);

        /** Calls so far of this sort. */
        long made(FaultyStorage storage);
    }

    private static Breaking looks(boolean sticky) {
        return new Breaking() {
            @Override
            public void arm(FaultyStorage storage, int number) {
                storage.failLook(number, sticky);
            }

            @Override
            public long made(FaultyStorage storage) {
                return storage.looks();
            }
        };
    }

    private static Breaking changes(Fault fault, boolean sticky) {
        return new Breaking() {
            @Override
            public void arm(FaultyStorage storage, int number) {
                storage.failCall(number, fault, sticky);
            }

            @Override
            public long made(FaultyStorage storage) {
                return storage.calls();
            }
        };
    }

    /** A read that fails is no torn end: what is behind it would be cut off. */
    @Test
    void everyFailingCallOfAStartRefusesItOrIsSurvivedAndLosesNothing() throws Exception {
        for (boolean sticky : new boolean[] {false, true}) {
            assertThat(sweepStart(looks(sticky))).as("looks").isGreaterThan(8);
            for (Fault fault : Fault.values()) {
                assertThat(sweepStart(changes(fault, sticky))).as("changes").isGreaterThan(1);
            }
        }
    }

    /** Returns how many starts failed. */
    private int sweepStart(Breaking how) throws Exception {
        boolean reached = true;
        int failed = 0;
        for (int call = 1; reached; call++) {
            FaultyStorage storage = new FaultyStorage();
            Journal journal = new Journal();
            lifeWithATornEnd(storage, journal, call % 2 == 0);
            long end = how.made(storage) + call;
            how.arm(storage, call);
            try (SegmentLog log = open(storage, 11, CrashPoints.NONE, journal)) {
                assertThat(log.damages().all()).as("call %d", call).isEmpty();
                storage.heal();
                verify(log, journal, call);
            } catch (StorageException atOpen) {
                failed++;
                assertThat(atOpen).as("call %d", call).isNotInstanceOf(CorruptRecordException.class);
            }
            reached = how.made(storage) >= end;
            storage.heal();
            if (call % 3 == 0) {
                storage.powerCut(call);
            } else {
                storage.kill();
            }
            try (SegmentLog log = open(storage, 21, CrashPoints.NONE, new Journal())) {
                verify(log, journal, call);
            }
        }
        return failed;
    }

    /** Several segments; the process dies between a write and its force. */
    private void lifeWithATornEnd(FaultyStorage storage, Journal journal, boolean power) throws Exception {
        int[] forces = new int[1];
        CrashPoints deadly = point -> {
            if (point.equals("log.before-force") && ++forces[0] == 14) {
                throw new IllegalStateException("the end");
            }
        };
        SegmentLog log = open(storage, 1, deadly, journal);
        for (int i = 0; i < 14; i++) {
            appendAndWait(log, journal, i);
        }
        assertThat(journal.acked).hasSize(13);
        if (power) {
            storage.powerCut(5);
        } else {
            storage.kill();
        }
        log.close();
    }

    /** Nobody is served anything wrong, and the same record can be read once the disk answers again. */
    @Test
    void aReadThatFailsIsNoDamage() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        Journal journal = new Journal();
        try (SegmentLog log = open(storage, 1, CrashPoints.NONE, journal)) {
            for (int i = 0; i < 6; i++) {
                appendAndWait(log, journal, i);
            }
            for (LogPosition position : journal.acked.values()) {
                storage.failLook(1, false);
                assertThatThrownBy(() -> log.read(position))
                        .isInstanceOf(StorageException.class)
                        .isNotInstanceOf(CorruptRecordException.class)
                        .hasMessageContaining("Input/output error");
            }
            verify(log, journal, 1);
            storage.failLook(3, true);
            assertThatThrownBy(() -> log.replay(LogPosition.START, record -> {}))
                    .isInstanceOf(StorageException.class)
                    .isNotInstanceOf(CorruptRecordException.class);
            storage.heal();
            verify(log, journal, 1);
        }
    }

    private void appendAndWait(SegmentLog log, Journal journal, int number) throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(1);
        append(log, journal, number, new Random(number), answered);
        assertThat(answered.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutForcesTheSameCutsLoseRecords() throws Exception {
        int lost = 0;
        for (long seed = 1; seed <= 20; seed++) {
            FaultyStorage storage = new FaultyStorage();
            storage.createDirectories(DIRECTORY);
            Path file = DIRECTORY.resolve("unforced");
            try (var open = storage.open(
                    file, io.hawser.store.storage.OpenMode.CREATE, io.hawser.store.storage.FileIoMode.PAGE_CACHE)) {
                open.write(ByteBuffer.wrap(payload(1, 8192)), 0);
            }
            storage.powerCut(seed);
            if (storage.facts(file) == null || !java.util.Arrays.equals(storage.readAll(file), payload(1, 8192))) {
                lost++;
            }
        }
        assertThat(lost).as("the cuts are worth something").isGreaterThan(5);
    }
}
