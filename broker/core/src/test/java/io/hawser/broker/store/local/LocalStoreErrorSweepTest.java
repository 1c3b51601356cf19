package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static io.hawser.broker.store.StoreDriver.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.MemoryStore;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The N-th call that changes the log's disk fails, N = 1, 2, … until the story makes fewer: with EIO, ENOSPC or after half of the bytes,
 * once or from then on. What was acked before is there after the next start, nothing is acked after it, and the node is told. So do the
 * calls of a start, also those that only look.
 */
class LocalStoreErrorSweepTest {
    /** Every how many calls a sweep visits; {@code -Dhawser.sweep.stride=1} visits all. The kinds of faults begin at different ones. */
    private static final int STRIDE = Integer.getInteger("hawser.sweep.stride", 3);

    /** The same of the calls of a start, which are fewer. */
    private static final int START_STRIDE = Math.min(STRIDE, 5);

    private static final int MIN_CALLS = 40;
    private static final int TRANSFERS = 5;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();
    private int runs;

    @AfterEach
    void end() {
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
    private List<StoreAnswers> expectations() {
        MemoryStore model = new MemoryStore(pool, loop);
        StoreDriver driver = new StoreDriver(model, pool);
        List<StoreAnswers> answers = new ArrayList<>();
        answers.add(StoreAnswers.of(model, driver, TRANSFERS));
        for (Consumer<StoreDriver> step : story()) {
            step.accept(driver);
            answers.add(StoreAnswers.of(model, driver, TRANSFERS));
        }
        return answers;
    }

    private LocalStore open(FaultyStorage storage, Path data, long epoch) throws StorageException {
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(256 << 10, 0).withHeadRoom(1 << 20);
        return LocalStore.open(
                TestStorage.withIndexOnDisk(storage, data.resolve("index")),
                data,
                epoch,
                config,
                pool,
                loop,
                fatal::add);
    }

    @Test
    void noFailingCallLosesWhatWasAckedAndNothingIsAckedAfterIt() throws Exception {
        List<StoreAnswers> expected = expectations();
        int offset = 0;
        for (Fault fault : Fault.values()) {
            for (boolean sticky : new boolean[] {false, true}) {
                sweep(expected, fault, sticky, 1 + 3 * offset++ % STRIDE);
            }
        }
    }

    private void sweep(List<StoreAnswers> expected, Fault fault, boolean sticky, int first) throws Exception {
        int number = first;
        while (visit(expected, fault, sticky, number)) {
            number += STRIDE;
        }
        assertThat(number).as("calls of the story").isGreaterThan(MIN_CALLS);
    }

    /** The N-th call of a start, one that changes the disk or one that only looks, and of the reads after it. */
    @Test
    void noFailingCallOfAStartLosesWhatWasAckedAndNothingWrongIsRead() throws Exception {
        StoreAnswers expected = expectations().get(story().size());
        int offset = 0;
        for (boolean sticky : new boolean[] {false, true}) {
            sweepStart(expected, null, sticky, 1 + 2 * offset++ % START_STRIDE);
            for (Fault fault : Fault.values()) {
                sweepStart(expected, fault, sticky, 1 + 2 * offset++ % START_STRIDE);
            }
        }
    }

    /** @param fault null for a call that only looks */
    private void sweepStart(StoreAnswers expected, @Nullable Fault fault, boolean sticky, int first) throws Exception {
        int number = first;
        while (visitStart(expected, fault, sticky, number)) {
            number += START_STRIDE;
        }
        assertThat(number).as("calls of a start").isGreaterThan(fault == null ? 8 : 3);
    }

    private boolean visitStart(StoreAnswers expected, @Nullable Fault fault, boolean sticky, int number)
            throws Exception {
        String when = (fault == null ? "look" : fault.name()) + (sticky ? " from " : " at ") + number + " of a start";
        FaultyStorage storage = new FaultyStorage();
        Path data = directory.resolve("run" + runs++);
        fatal.clear();
        try (LocalStore store = open(storage, data, 1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            story().forEach(step -> step.accept(driver));
            die(storage, number); // before the log is sealed
        }
        if (number % 3 == 0) {
            deleteIndex(data);
        }
        long before = fault == null ? storage.looks() : storage.calls();
        if (fault == null) {
            storage.failLook(number, sticky);
        } else {
            storage.failCall(number, fault, sticky);
        }
        try (LocalStore store = open(storage, data, 2)) {
            assertThat(StoreAnswers.of(store, new StoreDriver(store, pool), TRANSFERS)
                            .lookups())
                    .as(when)
                    .noneMatch(answer -> answer.contains("WRONG"));
        } catch (StorageException refused) {
            assertThat(refused).as(when).isNotInstanceOf(CorruptRecordException.class);
        }
        boolean reached = (fault == null ? storage.looks() : storage.calls()) >= before + number;
        storage.heal();
        die(storage, number + 1);
        try (LocalStore store = open(storage, data, 3)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(StoreAnswers.of(store, driver, TRANSFERS)).as(when).isEqualTo(expected);
            driver.append(new RelayRecord.Opened(manifest(9, 1)));
        }
        return reached;
    }

    private static void die(FaultyStorage storage, int number) {
        if (number % 2 == 0) {
            storage.powerCut(number);
        } else {
            storage.kill();
        }
    }

    /** Returns whether there was such a call. */
    private boolean visit(List<StoreAnswers> expected, Fault fault, boolean sticky, int number) throws Exception {
        String when = fault + (sticky ? " from call " : " at call ") + number;
        FaultyStorage storage = new FaultyStorage();
        Path data = directory.resolve("run" + runs++);
        fatal.clear();
        storage.failCall(number, fault, sticky);
        int acked = live(storage, data, expected.size() - 1, when);
        boolean reached = storage.calls() >= number;
        storage.heal();
        die(storage, number);
        if (number % 3 == 0) {
            deleteIndex(data);
        }
        try (LocalStore store = open(storage, data, 2)) {
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
    private int live(FaultyStorage storage, Path data, int records, String when) throws IOException {
        int acked = 0;
        int refused = 0;
        try (LocalStore store = open(storage, data, 1)) {
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

    private static void deleteIndex(Path data) throws IOException {
        Path index = data.resolve("index").resolve(IndexFiles.FILE_NAME + IndexFiles.FILE_SUFFIX);
        Files.deleteIfExists(index);
    }
}
