package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static io.hawser.broker.store.StoreDriver.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fold of the broker's log: records that come twice, late or of what is gone; an index compared with it. */
class StoreFoldTest {
    private static final String LOG_ID = "0".repeat(32);

    @TempDir
    Path directory;

    private H2Index mine;
    private H2Index theirs;
    private IndexBuilder index;
    private IndexBuilder fold;
    private long sequence;
    private final List<Finding> found = new ArrayList<>();

    @BeforeEach
    void open() {
        mine = H2Index.open(directory.resolve("mine"));
        theirs = H2Index.open(directory.resolve("theirs"));
        index = new IndexBuilder(mine, LOG_ID, LocalStoreConfig.defaults().forgetting());
        fold = new IndexBuilder(theirs, LOG_ID, LocalStoreConfig.defaults().forgetting());
    }

    @AfterEach
    void close() {
        mine.abandon();
        theirs.abandon();
    }

    private LogRecord record(RelayRecord record) {
        return record(record, true, System.currentTimeMillis());
    }

    private LogRecord record(RelayRecord record, boolean fresh, long millis) {
        RecordCodec.Encoded encoded = RecordCodec.encode(record, fresh, millis);
        return record(encoded.kind(), encoded.key(), encoded.body());
    }

    private LogRecord record(int kind, @Nullable TransferKey key, byte[] body) {
        sequence++;
        return LogRecords.of(
                kind, sequence, 1, new LogPosition(1, 4096 + 128 * sequence), 128, key, 0, new byte[32], body, 0, 0);
    }

    private LogRecord fragment(long number, long fragment) {
        sequence++;
        return LogRecords.of(
                RecordKind.FRAGMENT,
                sequence,
                1,
                new LogPosition(1, (1 << 20) + 4096 * sequence),
                4096,
                key(number),
                fragment,
                new byte[32],
                RecordCodec.fragment(1),
                FRAGMENT_BYTES,
                0);
    }

    private void both(LogRecord record) throws StorageException {
        index.apply(record);
        fold.apply(record);
    }

    private void apply(RelayRecord record) throws StorageException {
        fold.apply(record(record));
    }

    private List<String> compared() {
        index.finish();
        fold.finish();
        new IndexComparison(mine, theirs, directory, new Findings(found::add, bytes -> {})).run();
        return found.stream().map(Finding::meaning).toList();
    }

    private long about(String table) {
        return found.stream()
                .filter(each -> each.place().contains("table " + table))
                .count();
    }

    @Test
    void anIndexOfTheSameRecordsHasTheSameRows() throws Exception {
        both(record(new RelayRecord.Subscribed(spec("one", StartAt.NOW), true)));
        both(record(new RelayRecord.Opened(manifest(1, 3L * FRAGMENT_BYTES))));
        both(fragment(1, 0));
        both(fragment(1, 1));
        both(record(new RelayRecord.Cancelled(key(9), "no")));

        assertThat(compared()).isEmpty();
    }

    @Test
    void rowsThatOnlyTheIndexHasAreTwentyAndACount() throws Exception {
        for (int i = 1; i <= 30; i++) {
            index.apply(record(new RelayRecord.Opened(manifest(i, 5))));
        }
        List<String> meanings = compared();

        assertThat(meanings).hasSize(21).endsWith("10 more rows are not what the log says.");
        assertThat(meanings.subList(0, 20)).containsOnly("The log knows nothing of this row.");
    }

    @Test
    void rowsThatAreMissingAreFoundBetweenOthers() throws Exception {
        for (int i = 1; i <= 6; i++) {
            LogRecord opened = record(new RelayRecord.Opened(manifest(i, 5)));
            fold.apply(opened);
            if (i % 2 == 0) {
                index.apply(opened);
            }
        }
        assertThat(compared()).hasSize(3).containsOnly("The row is missing.");
    }

    @Test
    void placesOfFragmentsAreComparedOneByOne() throws Exception {
        for (int i = 1; i <= 3; i++) {
            both(record(new RelayRecord.Opened(manifest(i, 9L * FRAGMENT_BYTES))));
        }
        index.apply(fragment(1, 0));
        fold.apply(fragment(1, 0)); // in another place
        index.apply(fragment(2, 1)); // only here
        fold.apply(fragment(2, 4)); // only there
        fold.apply(fragment(3, 2));
        fold.apply(fragment(3, 7));

        List<String> meanings = compared();

        assertThat(about("fragment_run")).isEqualTo(5);
        assertThat(meanings).contains("The log knows nothing of this row.", "The row is missing.");
        assertThat(meanings).contains("The row is not what the log says.");
    }

    @Test
    void fragmentsThatOnlyTheIndexKnowsAreFound() throws Exception {
        both(record(new RelayRecord.Opened(manifest(1, 9L * FRAGMENT_BYTES))));
        index.apply(fragment(1, 3));
        index.apply(fragment(1, 3)); // again, in a later place: one fragment

        assertThat(compared()).contains("The log knows nothing of this row.");
        assertThat(about("fragment_run")).isEqualTo(1);
    }

    @Test
    void tombstonesAreComparedAsLongAsTheyAreKept() throws Exception {
        long old = System.currentTimeMillis() - LocalStoreConfig.DEFAULT_TOMBSTONE_AGE.toMillis();
        index.apply(record(new RelayRecord.Cancelled(key(1), "no")));
        fold.apply(record(new RelayRecord.Cancelled(key(2), "no")));
        fold.apply(record(new RelayRecord.Cancelled(key(3), "no"), true, old)); // it may be forgotten by now
        both(record(new RelayRecord.Cancelled(key(4), "no")));

        compared();

        List<String> places = found.stream().map(Finding::place).toList();
        assertThat(about("tombstones")).isEqualTo(2);
        assertThat(places).anyMatch(place -> place.endsWith("tombstones row " + key(1)));
        assertThat(places).anyMatch(place -> place.endsWith("tombstones row " + key(2)));
    }

    /** From half of what is kept at most on, some may have been given up for younger ones: what is missing then says nothing. */
    @ParameterizedTest
    @CsvSource({"-1, 2", "0, 0"})
    void tombstonesAreNotMissedWhereSomeMayHaveBeenGivenUp(int difference, long found) throws Exception {
        int many = LocalStoreConfig.DEFAULT_MAX_TOMBSTONES / 2 + difference;
        for (int number = 1; number <= many + 1; number++) {
            LogRecord cancelled = record(new RelayRecord.Cancelled(key(number), "no"));
            if (number > 1) {
                index.apply(cancelled);
            }
            if (number <= many) {
                fold.apply(cancelled);
            }
        }
        compared();

        assertThat(about("tombstones")).isEqualTo(found);
    }

    /**
     * A start that looked at the names of subscriptions while a damaged index was made again missed some, and called them fresh when
     * their consumers came back. With their first records gone, the next index said that they are owed nothing of what came before.
     */
    @Test
    void aSubscriptionThatIsWronglyCalledFreshIsOwedWhatCameBeforeIt() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, 0)));
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("one")));
        apply(new RelayRecord.Subscribed(spec("one", StartAt.NOW), false));

        assertThat(fold.set().subscription("one")).extracting("owedTransfers").isEqualTo(1L);
        assertThat(fold.set().owed("one", 0, 10))
                .extracting(IndexedTransfer::key)
                .containsExactly(key(1));
        fold.finish();
        assertThat(theirs.subscriptions().all()).singleElement().satisfies(row -> {
            assertThat(row.owedTransfers).as("what its row says").isEqualTo(1);
            assertThat(row.heldTransfers).isEqualTo(1);
        });
    }

    /** A run that begins later may lie earlier: what counts is where a fragment was written last. */
    @Test
    void theLastPlaceOfAFragmentCountsHoweverItsRunsAreCut() throws Exception {
        both(record(new RelayRecord.Opened(manifest(1, 9L * FRAGMENT_BYTES)), true, 1));
        fold.apply(fragment(1, 2));
        both(fragment(1, 1));
        both(fragment(1, 2));

        assertThat(compared()).isEmpty();
    }

    @Test
    void placesOfFragmentsOfDifferentTransfersAreToldApart() throws Exception {
        both(record(new RelayRecord.Opened(manifest(1, 9L * FRAGMENT_BYTES))));
        both(record(new RelayRecord.Opened(manifest(2, 9L * FRAGMENT_BYTES))));
        index.apply(fragment(1, 5));
        fold.apply(fragment(2, 0));
        compared();

        assertThat(found.stream().filter(each -> each.place().contains("fragment_run")))
                .extracting(Finding::meaning)
                .containsExactly("The log knows nothing of this row.", "The row is missing.");
    }

    @Test
    void aNameThatStandsTwiceInADeliverySetIsOwedOnce() throws Exception {
        apply(new RelayRecord.Subscribed(spec("one", StartAt.NOW), true));
        apply(new RelayRecord.Opened(manifest(1, 0)));
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("one", "one")));

        assertThat(fold.set().subscription("one")).extracting("owedTransfers").isEqualTo(1L);
    }

    @Test
    void whatComesOfATransferThatNobodyNeedsAnyMoreIsNotKept() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, FRAGMENT_BYTES)));
        fold.apply(fragment(1, 0));
        apply(new RelayRecord.Committed(key(1), commit(FRAGMENT_BYTES), List.of("one")));
        assertThat(fold.set().keptBytes()).isEqualTo(FRAGMENT_BYTES);
        apply(new RelayRecord.Settled(key(1), "one")); // its receipt is still to come
        fold.apply(fragment(1, 0));

        IndexedTransfer state = fold.set().find(key(1));
        assertThat(state).isNotNull();
        assertThat(fold.set().keptBytes()).isZero();
        assertThat(fold.set().locate(state, 0)).isNull();
    }

    @Test
    void aRecordThatWasAppliedDoesNothingAgain() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, 5)));
        sequence--; // the next one has the number of this one
        apply(new RelayRecord.Cancelled(key(1), "no"));

        assertThat(fold.set().find(key(1))).isNotNull();
        apply(new RelayRecord.Cancelled(key(1), "no"));
        assertThat(fold.set().find(key(1))).isNull();
    }

    @Test
    void whatIsCancelledBeforeItIsKnownIsNeverKnown() throws Exception {
        apply(new RelayRecord.Cancelled(key(1), "no"));
        apply(new RelayRecord.Cancelled(key(1), "no"));
        apply(new RelayRecord.Opened(manifest(1, 5)));
        fold.apply(fragment(1, 0));

        assertThat(fold.set().find(key(1))).isNull();
        assertThat(fold.set().tombstones().contains(key(1))).isTrue();
    }

    @Test
    void recordsOfTransfersThatAreNotKnownChangeNothing() throws Exception {
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("one")));
        apply(new RelayRecord.Settled(key(1), "one"));
        apply(new RelayRecord.ReceiptKept(new Receipt(key(1), "one", ReceiptStatus.DELIVERED, "", 5)));
        apply(new RelayRecord.ReceiptAcked(key(1), "one"));
        apply(new RelayRecord.Forgotten(key(1), "no"));
        apply(new RelayRecord.Expired(key(1), "no", 5));
        apply(new RelayRecord.Recalled(key(1), "no", List.of("one"), 5));
        apply(new RelayRecord.Steered(key(1), true, 9));
        apply(new RelayRecord.Unsubscribed("one", spec("one", StartAt.NOW).topic(), 5));

        assertThat(fold.set().find(key(1))).isNull();
        assertThat(fold.set().tombstones().contains(key(1))).isFalse();
        assertThat(fold.set().keptBytes()).isZero();
    }

    @Test
    void aCancelIsOwedToThoseWithoutAFinalWordAndEndsWhatAnOperatorSet() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, 0)));
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("one", "two", "three")));
        apply(new RelayRecord.Settled(key(1), "two")); // it has the bytes, and has not said what became of them
        apply(new RelayRecord.ReceiptKept(new Receipt(key(1), "one", ReceiptStatus.DELIVERED, "", 5)));
        apply(new RelayRecord.Steered(key(1), true, 9));
        IndexedTransfer state = fold.set().find(key(1));
        assertThat(state.held).isTrue();
        assertThat(state.priority).isEqualTo(9);

        apply(new RelayRecord.Recalled(key(1), "not needed", List.of("one", "two", "foreign"), 6));

        assertThat(state.recall).isEqualTo("not needed");
        assertThat(state.owed).containsExactlyInAnyOrder("two", "three");
        assertThat(state.held).isFalse();
        assertThat(state.priority).isEqualTo(HopSender.USUAL_PRIORITY);
        apply(new RelayRecord.Steered(key(1), true, 9));
        apply(new RelayRecord.Recalled(key(1), "another reason", List.of("one"), 7));
        assertThat(state.held).isFalse();
        assertThat(state.recall).isEqualTo("not needed");
        assertThat(state.owed).doesNotContain("one");
    }

    @Test
    void aCancelOfWhatNobodyIsOwedIsItsOwnReceipt() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, 0)));
        apply(new RelayRecord.Recalled(key(1), "too early", List.of(), 5));
        apply(new RelayRecord.Steered(key(1), true, 9));
        IndexedTransfer state = fold.set().find(key(1));
        assertThat(state.recall).as("it is not committed").isNull();
        assertThat(state.held).isFalse();
        apply(new RelayRecord.Committed(key(1), commit(0), List.of()));

        apply(new RelayRecord.Recalled(key(1), "not needed", List.of(), 6));

        assertThat(state.deliverySet).containsExactly(Receipt.NOBODY);
        assertThat(state.receipts.get(Receipt.NOBODY).receipt())
                .isEqualTo(new Receipt(key(1), Receipt.NOBODY, ReceiptStatus.CANCELLED, "not needed", 6));
        assertThat(fold.set().keptBytes()).isZero();
    }

    @Test
    void theFirstCommitAndTheFirstAckCount() throws Exception {
        apply(new RelayRecord.Opened(manifest(1, 0)));
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("one", "two")));
        apply(new RelayRecord.Committed(key(1), commit(0), List.of("three")));
        IndexedTransfer state = fold.set().find(key(1));
        assertThat(state.deliverySet).containsExactly("one", "two");
        apply(new RelayRecord.Settled(key(1), "three")); // which it is not owed
        assertThat(state.owed).containsExactly("one", "two");

        apply(new RelayRecord.ReceiptKept(new Receipt(key(1), "one", ReceiptStatus.FAILED, "why", 5)));
        apply(new RelayRecord.ReceiptAcked(key(1), "one"));
        apply(new RelayRecord.ReceiptKept(new Receipt(key(1), "one", ReceiptStatus.DELIVERED, "", 6)));
        assertThat(state.receipts).isEmpty();
        assertThat(state.acknowledgedFailures).containsOnlyKeys("one");
        assertThat(state.owed).containsExactly("two");

        apply(new RelayRecord.Settled(key(1), "two"));
        apply(new RelayRecord.ReceiptAcked(key(1), "two"));
        assertThat(fold.set().find(key(1))).isNull(); // all are done with it
        assertThat(fold.set().tombstones().contains(key(1))).isTrue();
    }

    @Test
    void aSubscriptionsLaterOwnerReplacesTheEarlierOne() throws Exception {
        fold.apply(record(new RelayRecord.Subscribed(spec("one", StartAt.NOW), true), false, 1));
        assertThat(fold.set().subscription("one")).isNull(); // its state comes later, carried forward
        apply(new RelayRecord.Subscribed(spec("one", StartAt.NOW), true));
        apply(new RelayRecord.Subscribed(spec("one", StartAt.EARLIEST), false));

        assertThat(fold.set().subscription("one").spec.startAt()).isEqualTo(StartAt.EARLIEST);
    }

    @Test
    void anIndexIsBelievedOnlyWhereTheLogGoesOnFromIt() {
        LogPosition end = new LogPosition(4, 8192);
        List<SegmentInfo> segments = List.of(new SegmentInfo(3, 50, 4096, true), new SegmentInfo(4, 80, 4096, false));
        assertThat(IndexLifecycle.doubt(null, 90, end, segments)).contains("not of this log");
        assertThat(doubt(91, new LogPosition(4, 8192), end, segments)).isEqualTo(IndexLifecycle.AHEAD);
        assertThat(doubt(90, new LogPosition(4, 8320), end, segments)).isEqualTo(IndexLifecycle.AHEAD);
        assertThat(doubt(48, new LogPosition(2, 8192), end, segments)).contains("older");
        assertThat(doubt(49, new LogPosition(2, 8192), end, segments)).isEmpty();
        assertThat(doubt(48, new LogPosition(3, 4096), end, segments)).isEmpty();
        assertThat(doubt(90, end, end, segments)).isEmpty();
        assertThat(doubt(90, new LogPosition(1, 4096), end, List.of())).isEmpty();
    }

    private static String doubt(long sequence, LogPosition next, LogPosition end, List<SegmentInfo> segments) {
        return IndexLifecycle.doubt(new AppliedPosition(sequence, next, 0, 0), 90, end, segments);
    }
}
