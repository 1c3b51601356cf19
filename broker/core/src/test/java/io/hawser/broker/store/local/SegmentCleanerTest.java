package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordLog;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import io.hawser.store.testkit.TestRuntime;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No segment is deleted because a row that holds it cannot be found. */
class SegmentCleanerTest {
    private static final String LOG_ID = "0".repeat(32);
    private static final long RECORD_BYTES = 8_192;

    @TempDir
    Path data;

    private final List<LogRecord> records = new ArrayList<>();
    private final List<Long> deleted = new ArrayList<>();
    private final RecordLog log = (RecordLog) Proxy.newProxyInstance(
            RecordLog.class.getClassLoader(),
            new Class<?>[] {RecordLog.class},
            (proxy, method, arguments) -> logged(method.getName(), arguments));
    private final AtomicLong nanos = new AtomicLong();
    private final StoreRuntime runtime = TestRuntime.threads().withClocks(InstantSource.system(), nanos::get);
    private final FragmentLoader loader =
            new FragmentLoader(log, new FragmentBufferPool(FRAGMENT_BYTES, 1), runtime.disk());
    private final SegmentCleaner cleaner = new SegmentCleaner(
            log,
            loader,
            new RecordRelocator(log, new IndexThread(runtime, failure -> {}), task -> {}),
            LocalStoreConfig.defaults(),
            runtime);
    private final BlockingQueue<String> owedChecked = new LinkedBlockingQueue<>();
    private final BlockingQueue<Runnable> placesChecked = new LinkedBlockingQueue<>();

    @SuppressWarnings("NullAway.Init") // see begin
    private IndexLifecycle store;

    @BeforeEach
    void begin() {
        store = fresh();
    }

    @AfterEach
    void end() {
        store.close();
        runtime.disk().close();
    }

    private IndexLifecycle fresh() {
        return new IndexLifecycle(
                new IndexFiles(new DiskStorage(), data.resolve("index")), log, LocalStoreConfig.defaults(), runtime);
    }

    /** A log that has the records. */
    private Object logged(String method, Object[] arguments) throws StorageException {
        LogRecord last = records.get(records.size() - 1);
        return switch (method) {
            case "id" -> LOG_ID;
            case "foundSequence" -> last.sequence();
            case "end" -> RecordApplier.after(last);
            case "segments" -> segments(last.position().segment());
            case "replay" -> {
                for (LogRecord record : records) {
                    ((RecordVisitor) arguments[1]).record(record);
                }
                yield "";
            }
            case "deleteSegment" -> deleted.add((Long) arguments[0]);
            default -> throw new AssertionError(method);
        };
    }

    private static List<SegmentInfo> segments(long last) {
        List<SegmentInfo> segments = new ArrayList<>();
        for (long number = 1; number <= last; number++) {
            segments.add(new SegmentInfo(number, number, RECORD_BYTES, number < last));
        }
        return segments;
    }

    private void record(long segment, int kind, TransferKey key, byte[] body, int payloadBytes) {
        long sequence = records.size() + 1L;
        LogPosition position = new LogPosition(segment, sequence * RECORD_BYTES);
        records.add(
                LogRecords.of(kind, sequence, 1, position, RECORD_BYTES, key, 0, new byte[32], body, payloadBytes, 0));
    }

    private void record(long segment, RelayRecord record) {
        RecordCodec.Encoded encoded = RecordCodec.encode(record, true, 1);
        record(segment, encoded.kind(), encoded.key(), encoded.body(), 0);
    }

    private void openedWithAFragment(long segment) {
        record(segment, new RelayRecord.Opened(manifest(1, 2L * FRAGMENT_BYTES)));
        record(segment, RecordKind.FRAGMENT, key(1), RecordCodec.fragment(1), FRAGMENT_BYTES);
    }

    /** Makes the index, and opens it once more as the next run does. */
    private void reopen() throws StorageException {
        store.open();
        store.close();
        store = fresh();
        store.open();
        store.startCheck(
                failure -> owedChecked.add(String.valueOf(failure)),
                (check, failure) -> placesChecked.add(() -> store.guard().ended(check, failure)));
    }

    private void checkRows() throws Exception {
        assertThat(owedChecked.poll(60, TimeUnit.SECONDS)).isEqualTo("null");
        store.checked();
        placesAreChecked();
    }

    private void placesAreChecked() throws InterruptedException {
        placesChecked.poll(60, TimeUnit.SECONDS).run();
    }

    @Test
    void nothingIsDeletedBeforeTheRowsAreKnownNorLongAfter() throws Exception {
        record(1, new RelayRecord.Forgotten(key(1), "was not here"));
        record(2, new RelayRecord.Opened(manifest(2, 0)));
        reopen();
        cleaner.step(store);
        assertThat(deleted).isEmpty();

        checkRows();
        cleaner.step(store);
        assertThat(deleted).containsExactly(1L);

        nanos.addAndGet(DeletionGuard.INTERVAL_NANOS);
        cleaner.step(store);
        cleaner.step(store);
        assertThat(deleted).containsExactly(1L);
        placesAreChecked();
        cleaner.step(store);
        assertThat(deleted).containsExactly(1L, 1L);
        assertThat(placesChecked).isEmpty();
    }

    @Test
    void aDamagedIndexIsSeenBeforeTheFirstDeletion() throws Exception {
        openedWithAFragment(1);
        record(2, new RelayRecord.Opened(manifest(2, 0)));
        store.open();
        IndexDamage.change(data, "DELETE FROM fragment_run");
        reopen();
        assertThatThrownBy(this::checkRows).isInstanceOf(IndexFailedException.class);
        cleaner.step(store);
        assertThat(deleted).isEmpty();
    }

    /** Damage that came after the check. */
    @Test
    void aPlaceOfATransferThatIsNotFoundIsNotUnneeded() throws Exception {
        openedWithAFragment(1);
        record(2, new RelayRecord.Opened(manifest(2, 0)));
        reopen();
        checkRows();
        IndexDamage.change(data, "DELETE FROM transfer");
        assertThatThrownBy(() -> cleaner.step(store))
                .isInstanceOf(IndexFailedException.class)
                .hasMessageContaining(key(1).toString());
        assertThat(deleted).isEmpty();
    }

    /** Its rows are deleted when the changes of a later segment are written. */
    @Test
    void aPlaceOfATransferThatHasEndedIsUnneeded() throws Exception {
        openedWithAFragment(1);
        IndexedTransfer state = new IndexedTransfer(manifest(1, 2L * FRAGMENT_BYTES), 1);
        state.durable = FragmentRanges.of(0, 1);
        record(2, RecordKind.TRANSFER_CARRIED, key(1), state.toBytes(), 0);
        reopen();
        checkRows();
        record(3, new RelayRecord.Cancelled(key(1), "not wanted"));
        store.apply(List.of(records.get(records.size() - 1)));
        cleaner.step(store);
        assertThat(deleted).containsExactly(1L);
    }
}
