package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static io.hawser.broker.store.StoreDriver.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import io.hawser.store.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The N-th call that changes the log's disk fails, N = 1, 2, … until the story makes fewer: with EIO, ENOSPC or after half of the bytes,
 * once or from then on. What was acked before is there after the next start, nothing is acked after it, and the node is told. So do the
 * calls of a start, also those that only look. What should be there is what a store says on a disk that is well.
 */
class LocalStoreErrorSweepTest {
    /** Every how many calls a sweep visits; {@code -Dhawser.sweep.stride=1} visits all. The kinds of faults begin at different ones. */
    private static final int STRIDE = Integer.getInteger("hawser.sweep.stride", 3);

    /** The same of the calls of a start, which are fewer. */
    private static final int START_STRIDE = Math.min(STRIDE, 5);

    private static final int MIN_CALLS = 40;
    private static final int TRANSFERS = 5;

    private static final Path DIRECTORY = Path.of("/broker");

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    /** Of the run that is made now. */
    private FaultyStorage storage = new FaultyStorage();

    private MemoryIndex index = new MemoryIndex();

    @AfterEach
    void end() {
        index.close();
        loop.shutdown();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    /** One record each: the answers are known after each of them. */
    private static List<Consumer<StoreDriver>> story() {
        List<Consumer<StoreDriver>> story = new ArrayList<>();
        story.add(driver -> driver.append(new RelayRecord.Subscribed(spec("one", StartAt.NOW), true)));
        long large = 2 * FRAGMENT_BYTES + 77;
        story.add(driver -> driver.append(new RelayRecord.Opened(manifest(1, large))));
        story.add(driver -> driver.fragment(1, 0, FRAGMENT_BYTES));
        story.add(driver -> driver.fragment(1, 2, 77));
        story.add(driver -> driver.fragment(1, 1, FRAGMENT_BYTES));
        story.add(driver -> driver.append(new RelayRecord.Committed(key(1), commit(large), List.of("one"))));
        story.add(driver -> driver.putSmall(2, 900, "one"));
        story.add(driver -> driver.append(new RelayRecord.Opened(manifest(3, 3 * FRAGMENT_BYTES))));
        story.add(driver -> driver.fragment(3, 1, FRAGMENT_BYTES));
        story.add(driver -> driver.append(new RelayRecord.Settled(key(1), "one")));
        story.add(driver -> driver.append(
                new RelayRecord.ReceiptKept(new Receipt(key(1), "one", ReceiptStatus.DELIVERED, "", 99))));
        story.add(driver -> driver.append(new RelayRecord.Subscribed(spec("two", StartAt.NOW), false)));
        story.add(driver -> driver.fragment(3, 0, FRAGMENT_BYTES));
        story.add(driver -> driver.append(new RelayRecord.ReceiptAcked(key(1), "one")));
        story.add(driver -> driver.putSmall(4, 5_000, "one", "two"));
        story.add(driver -> driver.append(new RelayRecord.Cancelled(key(3), "not wanted")));
        story.add(driver -> driver.append(new RelayRecord.Settled(key(4), "one")));
        story.add(driver -> driver.append(new RelayRecord.Opened(manifest(5, 1))));
        return story;
    }

    /** What a store must say after so many records of the story. */
    private List<StoreAnswers> expectations() throws StorageException {
        List<StoreAnswers> answers = new ArrayList<>();
        fresh();
        try (LocalStore store = open(1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            answers.add(StoreAnswers.of(store, driver, TRANSFERS));
            for (Consumer<StoreDriver> step : story()) {
                step.accept(driver);
                answers.add(StoreAnswers.of(store, driver, TRANSFERS));
            }
        }
        return answers;
    }

    /** A new machine. */
    private void fresh() {
        index.close();
        index = new MemoryIndex();
        storage = new FaultyStorage();
        fatal.clear();
    }

    private LocalStore open(long epoch) throws StorageException {
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(256 << 10, 0).withHeadRoom(1 << 20);
        return LocalStore.open(storage, DIRECTORY, epoch, config, TestRuntime.threads(), index, pool, loop, fatal::add);
    }

    private interface Visit {
        /** Lets that call fail, and returns whether there was one. */
        boolean of(int number) throws Exception;
    }

    private static void sweep(int first, int stride, int atLeast, Visit visit) throws Exception {
        int number = first;
        while (visit.of(number)) {
            number += stride;
        }
        assertThat(number).as("calls").isGreaterThan(atLeast);
    }

    @Test
    void noFailingCallLosesWhatWasAckedAndNothingIsAckedAfterIt() throws Exception {
        List<StoreAnswers> expected = expectations();
        int offset = 0;
        for (Fault fault : Fault.values()) {
            for (boolean sticky : new boolean[] {false, true}) {
                int first = 1 + 3 * offset++ % STRIDE;
                sweep(first, STRIDE, MIN_CALLS, number -> visit(expected, fault, sticky, number));
            }
        }
    }

    /** The N-th call of a start, one that changes the disk or one that only looks, and of the reads after it. */
    @Test
    void noFailingCallOfAStartLosesWhatWasAckedAndNothingWrongIsRead() throws Exception {
        StoreAnswers expected = expectations().get(story().size());
        int offset = 0;
        for (boolean sticky : new boolean[] {false, true}) {
            for (@Nullable Fault fault : new Fault[] {null, Fault.EIO, Fault.ENOSPC, Fault.SHORT}) {
                int first = 1 + 2 * offset++ % START_STRIDE;
                int atLeast = fault == null ? 8 : 3;
                sweep(first, START_STRIDE, atLeast, number -> visitStart(expected, fault, sticky, number));
            }
        }
    }

    /** @param fault null for a call that only looks */
    private boolean visitStart(StoreAnswers expected, @Nullable Fault fault, boolean sticky, int number)
            throws Exception {
        String when = (fault == null ? "look" : fault.name()) + (sticky ? " from " : " at ") + number + " of a start";
        fresh();
        try (LocalStore store = open(1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            story().forEach(step -> step.accept(driver));
            die(number); // before the log is sealed
        }
        loseIndex(number);
        long before = fault == null ? storage.looks() : storage.calls();
        if (fault == null) {
            storage.failLook(number, sticky);
        } else {
            storage.failCall(number, fault, sticky);
        }
        try (LocalStore store = open(2)) {
            assertThat(StoreAnswers.of(store, new StoreDriver(store, pool), TRANSFERS)
                            .lookups())
                    .as(when)
                    .noneMatch(answer -> answer.contains("WRONG"));
        } catch (StorageException refused) {
            assertThat(refused).as(when).isNotInstanceOf(CorruptRecordException.class);
        }
        boolean reached = (fault == null ? storage.looks() : storage.calls()) >= before + number;
        storage.heal();
        die(number + 1);
        try (LocalStore store = open(3)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(StoreAnswers.of(store, driver, TRANSFERS)).as(when).isEqualTo(expected);
            driver.append(new RelayRecord.Opened(manifest(9, 1)));
        }
        return reached;
    }

    private void die(int number) {
        if (number % 2 == 0) {
            storage.powerCut(number);
        } else {
            storage.kill();
        }
    }

    /** Returns whether there was such a call. */
    private boolean visit(List<StoreAnswers> expected, Fault fault, boolean sticky, int number) throws Exception {
        String when = fault + (sticky ? " from call " : " at call ") + number;
        fresh();
        storage.failCall(number, fault, sticky);
        int acked = live(expected.size() - 1, when);
        boolean reached = storage.calls() >= number;
        storage.heal();
        die(number);
        loseIndex(number);
        try (LocalStore store = open(2)) {
            StoreDriver driver = new StoreDriver(store, pool);
            // The record that was refused may have got there all the same.
            assertThat(StoreAnswers.of(store, driver, TRANSFERS))
                    .as(when)
                    .isIn(expected.subList(acked, Math.min(acked + 2, expected.size())));
            driver.append(new RelayRecord.Opened(manifest(9, 1)));
        }
        return reached;
    }

    /** One life; returns how many records of the story were acked. */
    private int live(int records, String when) {
        int acked = 0;
        int refused = 0;
        try (LocalStore store = open(1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            for (Consumer<StoreDriver> step : story()) {
                if (accepts(driver, step)) {
                    assertThat(refused).as(when + ": acked after a failure").isZero();
                    acked++;
                } else {
                    refused++;
                }
            }
        } catch (StorageException atOpen) {
            assertThat(acked).as(when).isZero();
            return 0;
        }
        assertThat(acked + refused).isEqualTo(records);
        // What the store writes by itself may fail when the story is over.
        assertThat(fatal).as(when + ": the node is told").hasSizeBetween(refused > 0 ? 1 : 0, 1);
        return acked;
    }

    /** A refused small object or fragment gives its buffer back as an accepted one does. */
    private boolean accepts(StoreDriver driver, Consumer<StoreDriver> step) {
        try {
            step.accept(driver);
            return true;
        } catch (StoreDriver.RefusedException e) {
            return false;
        }
    }

    private void loseIndex(int number) {
        if (number % 3 == 0) {
            index.lose();
        }
    }

    @Test
    void afterAFailedForceEveryAppendIsRefusedAndTheNodeIsTold() throws Exception {
        try (LocalStore store = open(1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.append(new RelayRecord.Opened(manifest(1, 1000)));
            storage.failCall(2, Fault.EIO, false);
            for (int i = 2; i < 6; i++) {
                long number = i;
                assertThat(accepts(driver, each -> each.append(new RelayRecord.Opened(manifest(number, 1000)))))
                        .isFalse();
            }
            assertThat(fatal).hasSize(1);
        }
        storage.powerCut(7);
        try (LocalStore store = open(2)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(driver.lookup(key(1)).transfer()).isNotNull();
            assertThat(driver.lookup(key(3)).transfer()).isNull();
        }
    }

    @Test
    void appendsInFlightWhenTheDiskDiesAreAllAnsweredAndTheirBuffersComeBack() throws Exception {
        CountDownLatch answered = new CountDownLatch(6);
        try (LocalStore store = open(1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.append(new RelayRecord.Opened(manifest(1, 6L * FRAGMENT_BYTES)));
            storage.failCall(3, Fault.SHORT, true);
            for (int i = 0; i < 6; i++) {
                Fragment fragment = driver.newFragment(1, i, FRAGMENT_BYTES);
                store.appendFragment(fragment, outcome -> answered.countDown());
                fragment.buffer().release();
            }
            assertThat(answered.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
