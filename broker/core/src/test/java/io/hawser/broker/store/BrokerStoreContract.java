package io.hawser.broker.store;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.await;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.content;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NamePattern;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.space.SpaceAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every broker store does, whatever it keeps its records in. */
public abstract class BrokerStoreContract {
    protected static final int POOL_CAPACITY = 8;

    protected FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, POOL_CAPACITY);
    protected ExecutorService loop = Executors.newSingleThreadExecutor(task -> new Thread(task, "test-loop"));

    @SuppressWarnings("NullAway.Init")
    protected BrokerStore store;

    @SuppressWarnings("NullAway.Init")
    protected StoreDriver driver;

    /** Opens the store over what earlier ones of the same test have left. */
    protected abstract BrokerStore openStore() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        open();
    }

    @AfterEach
    void end() {
        store.close();
        loop.shutdown();
        assertThat(pool.available()).as("buffers that came back").isEqualTo(POOL_CAPACITY);
    }

    protected void open() throws Exception {
        store = openStore();
        driver = new StoreDriver(store, pool);
    }

    protected void reopen() throws Exception {
        store.close();
        open();
    }

    @Test
    void whatWasNeverSeenIsAbsent() {
        assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.ABSENT);
        assertThatThrownBy(() -> driver.read(key(1), 0)).isInstanceOf(StoreDriver.RefusedException.class);
    }

    @Test
    void anOpenTransferShowsItsDurableFragmentsAlsoAfterARestart() throws Exception {
        driver.append(new RelayRecord.Opened(manifest(1, Manifest.UNKNOWN_SIZE)));
        driver.fragment(1, 0, FRAGMENT_BYTES);
        driver.fragment(1, 2, FRAGMENT_BYTES);

        FragmentRanges expected = FragmentRanges.of(0, 1);
        expected.add(2);
        for (int life = 0; life < 2; life++) {
            RelayStore.Lookup lookup = driver.lookup(key(1));
            assertThat(lookup.state()).isEqualTo(StoredTransfer.State.OPEN);
            KeptTransfer kept = Objects.requireNonNull(lookup.transfer());
            assertThat(kept.durable()).isEqualTo(expected);
            assertThat(kept.manifest()).isEqualTo(manifest(1, Manifest.UNKNOWN_SIZE));
            assertThat(kept.commit()).isNull();
            assertThat(driver.read(key(1), 2)).isEqualTo(content(1, 2, FRAGMENT_BYTES));
            reopen();
        }
    }

    @Test
    void aCommittedTransferIsOwedToItsDeliverySetInTheOrderOfCommits() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        TransferKey large = driver.put(1, 3L * FRAGMENT_BYTES + 17, "one", "two");
        TransferKey small = driver.putSmall(2, 4096, "one");
        TransferKey empty = driver.putSmall(3, 0, "one");

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("one")).containsExactly(large, small, empty);
            assertThat(driver.owed("two")).containsExactly(large);
            KeptTransfer kept = Objects.requireNonNull(driver.lookup(large).transfer());
            assertThat(kept.deliverySet()).isEqualTo(Set.of("one", "two"));
            assertThat(kept.durable()).isEqualTo(FragmentRanges.of(0, 4));
            assertThat(driver.read(large, 3)).isEqualTo(content(1, 3, 17));
            assertThat(driver.read(small, 0)).isEqualTo(content(2, 0, 4096));
            reopen();
        }
    }

    @Test
    void owedGoesOnBehindACommitSequence() {
        driver.subscribe("one", StartAt.NOW, true);
        for (int i = 1; i <= 5; i++) {
            driver.putSmall(i, 10, "one");
        }
        List<KeptTransfer> first = await(done -> store.owed("one", 0, 2, done));
        List<KeptTransfer> rest = await(done -> store.owed("one", first.get(1).commitSequence(), 10, done));

        assertThat(first).extracting(transfer -> transfer.manifest().number()).containsExactly(1L, 2L);
        assertThat(rest).extracting(transfer -> transfer.manifest().number()).containsExactly(3L, 4L, 5L);
        List<KeptTransfer> none = await(done -> store.owed("one", rest.get(2).commitSequence(), 10, done));
        assertThat(none).isEmpty();
    }

    @Test
    void aFragmentReadHasItsLeafAndChecksum() {
        driver.put(1, FRAGMENT_BYTES, "one");
        Fragment written = driver.newFragment(1, 0, FRAGMENT_BYTES);

        Fragment read = await(done -> store.read(key(1), 0, done));

        assertThat(read.leaf()).isEqualTo(written.leaf());
        assertThat(read.crc32c()).isEqualTo(written.crc32c());
        read.buffer().release();
        written.buffer().release();
    }

    @Test
    void theFirstSubscriptionClaimsWhatWaited() throws Exception {
        TransferKey early = driver.put(1, 1000);
        reopen();
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("one")).containsExactly(early);
            assertThat(driver.owed("two")).isEmpty();
            assertThat(Objects.requireNonNull(driver.lookup(early).transfer()).deliverySet())
                    .containsExactly("one");
            reopen();
        }
    }

    @Test
    void aJoinerThatStartsAtTheEarliestIsOwedWhatIsKeptOutsideTheDeliverySets() {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey kept = driver.put(1, 1000, "one");
        TransferKey done = driver.put(2, 1000, "one");
        driver.append(new RelayRecord.Settled(done, "one"));

        driver.subscribe("late", StartAt.EARLIEST, false);

        assertThat(driver.owed("late")).containsExactly(kept);
        assertThat(Objects.requireNonNull(driver.lookup(kept).transfer()).deliverySet())
                .containsExactly("one");
        driver.append(new RelayRecord.Unsubscribed("late", StoreDriver.TOPIC, 4711));
        assertThat(driver.receipts()).isEmpty();
        assertThat(driver.owed("one")).containsExactly(kept);
    }

    @Test
    void aSettledTransferIsNoLongerOwedAndItsBytesAreReleased() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        TransferKey key = driver.put(1, 2L * FRAGMENT_BYTES, "one", "two");
        driver.append(new RelayRecord.Settled(key, "one"));
        driver.append(new RelayRecord.Settled(key, "one"));
        assertThat(driver.owed("one")).isEmpty();
        assertThat(driver.owed("two")).containsExactly(key);
        assertThat(driver.read(key, 1)).hasSize(FRAGMENT_BYTES);

        driver.append(new RelayRecord.Settled(key, "two"));

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("two")).isEmpty();
            assertThatThrownBy(() -> driver.read(key, 1)).isInstanceOf(StoreDriver.RefusedException.class);
            assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.COMMITTED);
            assertThat(store.sizes().usedBytes()).isZero();
            reopen();
        }
    }

    @Test
    void aReceiptIsKeptUntilItsPublisherHasIt() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey key = driver.put(1, 1000, "one");
        driver.receipt(key, "one", ReceiptStatus.LANDED);
        assertThat(driver.owed("one")).containsExactly(key);
        driver.receipt(key, "one", ReceiptStatus.DELIVERED);

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("one")).isEmpty();
            assertThat(driver.receipts())
                    .extracting(kept -> kept.receipt().status())
                    .containsExactly(ReceiptStatus.DELIVERED);
            reopen();
        }
        driver.append(new RelayRecord.ReceiptAcked(key, "one"));
        assertThat(driver.receipts()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aReceiptOfAJoinerIsKeptUntilItsPublisherHasItWhateverTheDeliverySetSaid() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey key = driver.put(1, 1000, "one");
        driver.subscribe("late", StartAt.EARLIEST, false);
        driver.append(new RelayRecord.Settled(key, "late"));
        Receipt late = driver.receipt(key, "late", ReceiptStatus.FAILED);
        driver.finish(key, "one");

        for (int life = 0; life < 2; life++) {
            assertThat(driver.receipts())
                    .extracting(RelayStore.KeptReceipt::receipt)
                    .containsExactly(late);
            assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.COMMITTED);
            assertThat(store.sizes().usedBytes()).isZero();
            reopen();
        }
        driver.append(new RelayRecord.ReceiptAcked(key, "late"));
        assertThat(driver.receipts()).isEmpty();
        assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    /** What is not final may be its last word for ever: the consumer, or the subscription, may be gone. */
    @Test
    void aJoinerThatOnlyHasATransferHoldsNothing() {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey key = driver.put(1, 1000, "one");
        driver.subscribe("late", StartAt.EARLIEST, false);
        driver.append(new RelayRecord.Settled(key, "late"));
        driver.receipt(key, "late", ReceiptStatus.LANDED);

        driver.finish(key, "one");

        assertThat(driver.receipts()).isEmpty();
        assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    @Test
    void aFinishedTransferLeavesATombstone() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey key = driver.put(1, 1000, "one");
        driver.finish(key, "one");

        for (int life = 0; life < 2; life++) {
            assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
            reopen();
        }
        driver.append(new RelayRecord.Opened(manifest(1, 1000)));
        assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    @Test
    void aCancelledTransferLeavesATombstoneAndNoBytes() throws Exception {
        driver.append(new RelayRecord.Opened(manifest(1, 10L * FRAGMENT_BYTES)));
        driver.fragment(1, 0, FRAGMENT_BYTES);
        driver.append(new RelayRecord.Cancelled(key(1), "no longer wanted"));

        for (int life = 0; life < 2; life++) {
            assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.GONE);
            assertThat(store.sizes().usedBytes()).isZero();
            assertThat(store.sizes().reservedBytes()).isZero();
            reopen();
        }
    }

    @Test
    void aTransferThatWasForgottenMayComeAgain() throws Exception {
        driver.append(new RelayRecord.Opened(manifest(1, 2L * FRAGMENT_BYTES)));
        driver.fragment(1, 0, FRAGMENT_BYTES);
        driver.append(new RelayRecord.Forgotten(key(1), "another waits for room"));
        for (int life = 0; life < 2; life++) {
            assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.ABSENT);
            assertThatThrownBy(() -> driver.read(key(1), 0)).isInstanceOf(StoreDriver.RefusedException.class);
            assertThat(store.sizes().usedBytes()).isZero();
            assertThat(store.sizes().reservedBytes()).isZero();
            reopen();
        }

        driver.append(new RelayRecord.Opened(manifest(1, 2L * FRAGMENT_BYTES)));
        driver.fragment(1, 1, FRAGMENT_BYTES);
        for (int life = 0; life < 2; life++) {
            assertThat(Objects.requireNonNull(driver.lookup(key(1)).transfer())
                            .durable()
                            .runs())
                    .containsExactly(new FragmentRange(1, 2));
            assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
            assertThatThrownBy(() -> driver.read(key(1), 0)).isInstanceOf(StoreDriver.RefusedException.class);
            reopen();
        }
    }

    @Test
    void whatIsCommittedIsNotForgotten() throws Exception {
        driver.put(1, 1000, "one");
        driver.append(new RelayRecord.Forgotten(key(1), "another waits for room"));

        assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.COMMITTED);
        assertThat(driver.read(key(1), 0)).isEqualTo(content(1, 0, 1000));
    }

    @Test
    void aSubscriptionThatWasRemovedIsOwedNothingAndThePublisherIsTold() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        TransferKey both = driver.put(1, 1000, "one", "two");
        TransferKey only = driver.put(2, 2L * FRAGMENT_BYTES, "one");
        TransferKey settled = driver.put(3, 1000, "one");
        driver.append(new RelayRecord.Settled(settled, "one"));
        TransferKey finished = driver.put(4, 1000, "one", "two");
        driver.finish(finished, "one");

        driver.append(new RelayRecord.Unsubscribed("one", StoreDriver.TOPIC, 4711));

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("one")).isEmpty();
            assertThat(driver.owed("two")).containsExactly(both, finished);
            assertThat(driver.read(both, 0)).isEqualTo(content(1, 0, 1000));
            assertThatThrownBy(() -> driver.read(only, 1)).isInstanceOf(StoreDriver.RefusedException.class);
            assertThat(store.sizes().usedBytes()).isEqualTo(2000);
            assertThat(driver.receipts())
                    .extracting(RelayStore.KeptReceipt::receipt)
                    .containsExactly(gone(both), gone(only), gone(settled));
            assertThat(StoreDriver.<List<SubscriptionStatus>>await(done -> store.subscriptionStatus(done)))
                    .extracting(status -> status.spec().name())
                    .containsExactly("two");
            reopen();
        }
        for (TransferKey key : List.of(both, only, settled)) {
            driver.append(new RelayRecord.ReceiptAcked(key, "one"));
        }
        assertThat(driver.receipts()).isEmpty();
        assertThat(driver.lookup(only).state()).isEqualTo(StoredTransfer.State.GONE);
        assertThat(driver.lookup(settled).state()).isEqualTo(StoredTransfer.State.GONE);
        assertThat(driver.lookup(both).state()).isEqualTo(StoredTransfer.State.COMMITTED);
    }

    private static Receipt gone(TransferKey key) {
        return new Receipt(key, "one", ReceiptStatus.EXPIRED, "the operator removed subscription one", 4711);
    }

    @Test
    void aSubscriptionThatIsMadeAgainUnderTheNameOfARemovedOneIsOwedNothingOfTheOld() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        TransferKey old = driver.put(1, 1000, "one");
        driver.append(new RelayRecord.Unsubscribed("one", StoreDriver.TOPIC, 4711));
        TransferKey between = driver.put(2, 1000);

        driver.subscribe("one", StartAt.EARLIEST, true);

        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("one")).containsExactly(between);
            assertThat(driver.receipts())
                    .extracting(RelayStore.KeptReceipt::receipt)
                    .containsExactly(gone(old));
            reopen();
        }
    }

    @Test
    void twoRemovedSubscriptionsOfOneTransferAreToldSeparately() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        TransferKey key = driver.put(1, 1000, "one", "two");
        driver.append(new RelayRecord.Unsubscribed("one", StoreDriver.TOPIC, 1));
        driver.append(new RelayRecord.Unsubscribed("two", StoreDriver.TOPIC, 2));
        assertThat(driver.receipts()).hasSize(2);
        driver.append(new RelayRecord.ReceiptAcked(key, "one"));

        assertThat(driver.receipts())
                .extracting(kept -> kept.receipt().subscription())
                .containsExactly("two");
        driver.append(new RelayRecord.ReceiptAcked(key, "two"));
        assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    private Set<NodeId> receiptsMade() {
        return StoreDriver.await(done -> store.receiptsMade(done));
    }

    @Test
    void thePublishersOfReceiptsThatOtherRecordsMadeAreNamedOnce() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        TransferKey delivered = driver.put(1, 1000, "one");
        driver.finish(delivered, "one");
        assertThat(receiptsMade()).as("a receipt's own record").isEmpty();

        driver.put(2, 1000, "one");
        driver.append(new RelayRecord.Unsubscribed("two", StoreDriver.TOPIC, 1));
        assertThat(receiptsMade()).as("it was owed nothing").isEmpty();
        driver.append(new RelayRecord.Unsubscribed("one", StoreDriver.TOPIC, 2));
        assertThat(receiptsMade()).containsExactly(StoreDriver.PUBLISHER);
        assertThat(receiptsMade()).isEmpty();

        driver.append(new RelayRecord.Expired(driver.put(3, 1000), "nobody came", 3));
        assertThat(receiptsMade()).containsExactly(StoreDriver.PUBLISHER);
    }

    @Test
    void whatNobodyClaimedExpiresAndItsSpaceIsFree() throws Exception {
        TransferKey key = driver.put(1, 2L * FRAGMENT_BYTES);
        long later = System.currentTimeMillis() + 10_000;
        assertThat(unclaimedSince(later)).containsExactly(key);
        assertThat(unclaimedSince(1)).isEmpty();

        driver.append(new RelayRecord.Expired(key, "nobody came", 4711));
        driver.subscribe("late", StartAt.EARLIEST, true);

        for (int life = 0; life < 2; life++) {
            assertThat(unclaimedSince(later)).isEmpty();
            assertThat(driver.owed("late")).isEmpty();
            assertThat(store.sizes().usedBytes()).isZero();
            assertThat(driver.receipts())
                    .extracting(RelayStore.KeptReceipt::receipt)
                    .containsExactly(new Receipt(key, Receipt.NOBODY, ReceiptStatus.EXPIRED, "nobody came", 4711));
            reopen();
        }
        driver.append(new RelayRecord.ReceiptAcked(key, Receipt.NOBODY));
        assertThat(driver.lookup(key).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    @Test
    void whatWasClaimedInTimeDoesNotExpire() {
        TransferKey key = driver.put(1, 1000);
        driver.subscribe("one", StartAt.NOW, true);

        driver.append(new RelayRecord.Expired(key, "nobody came", 4711));

        assertThat(driver.owed("one")).containsExactly(key);
        assertThat(driver.receipts()).isEmpty();
    }

    private List<TransferKey> unclaimedSince(long epochMillis) {
        return StoreDriver.<List<TransferKey>>await(done -> store.unclaimedSince(epochMillis, false, 10, done));
    }

    @Test
    void repliesThatNobodyClaimedAreFoundWithoutTheRest() throws Exception {
        driver.put(1, 1000);
        long later = System.currentTimeMillis() + 10_000;

        assertThat(StoreDriver.<List<TransferKey>>await(done -> store.unclaimedSince(later, true, 10, done)))
                .isEmpty();
        TransferKey reply = driver.putTo(Topic.repliesTo(new NodeId(7, 7)), 2, 1000);
        assertThat(StoreDriver.<List<TransferKey>>await(done -> store.unclaimedSince(later, true, 10, done)))
                .containsExactly(reply);
        assertThat(unclaimedSince(later)).hasSize(2);
    }

    private List<TransferKey> awaitingWord(String subscription) {
        return StoreDriver.<List<TransferKey>>await(done -> store.awaitingWord(subscription, 10, done));
    }

    @Test
    void whatEveryConsumerHasAwaitsTheirWords() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, true);
        driver.put(1, 10, "one", "two");
        driver.put(2, 10, "one");
        for (int life = 0; life < 2; life++) {
            assertThat(awaitingWord("one")).isEmpty();
            reopen();
        }

        driver.append(new RelayRecord.Settled(key(1), "one"));
        driver.append(new RelayRecord.Settled(key(2), "one"));
        assertThat(awaitingWord("one")).containsExactly(key(2));
        driver.append(new RelayRecord.Settled(key(1), "two"));
        driver.receipt(key(2), "one", ReceiptStatus.LANDED);

        for (int life = 0; life < 2; life++) {
            assertThat(awaitingWord("one")).containsExactlyInAnyOrder(key(1), key(2));
            assertThat(awaitingWord("two")).containsExactly(key(1));
            assertThat(awaitingWord("three")).isEmpty();
            reopen();
        }
        driver.receipt(key(1), "one", ReceiptStatus.DELIVERED);
        driver.receipt(key(2), "one", ReceiptStatus.FAILED);
        driver.append(new RelayRecord.ReceiptAcked(key(1), "one"));
        for (int life = 0; life < 2; life++) {
            assertThat(awaitingWord("one")).isEmpty();
            assertThat(awaitingWord("two")).containsExactly(key(1));
            reopen();
        }
    }

    /** Names that a transfer is not for must not fill its row. */
    @Test
    void anAckOfAReceiptThatNobodyWasToSendChangesNothing() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 10, "one");

        driver.append(new RelayRecord.ReceiptAcked(key(1), "nobody's"));
        driver.receipt(key(1), "one", ReceiptStatus.DELIVERED);
        driver.append(new RelayRecord.ReceiptAcked(key(1), "nobody's"));

        StoredTransferStatus status = await(done -> store.transfer(key(1), done));
        assertThat(status.acknowledged()).isEmpty();
        assertThat(status.receipts()).containsOnlyKeys("one");
    }

    @Test
    void statusTellsLagAndAge() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 1000, "one");
        driver.put(2, 500, "one");

        List<SubscriptionStatus> lags = await(done -> store.subscriptionStatus(done));
        List<StoredTransferStatus> transfers = await(done -> store.transfers(10, done));
        StoredTransferStatus first = await(done -> store.transfer(key(1), done));

        assertThat(lags).singleElement().satisfies(lag -> {
            assertThat(lag.owedTransfers()).isEqualTo(2);
            assertThat(lag.owedBytes()).isEqualTo(1500);
            assertThat(lag.oldestOwedEpochMillis()).isEqualTo(key(1).id().epochMillis());
        });
        assertThat(transfers).hasSize(2);
        assertThat(first.durableBytes()).isEqualTo(1000);
        assertThat(first.openedEpochMillis()).isPositive();
        assertThat(store.sizes().usedBytes()).isEqualTo(1500);
    }

    private List<String> searchInPagesOf(int rows, Predicate<Manifest> wanted) {
        List<String> names = new ArrayList<>();
        int searched = 0;
        TransferSearchPage.Start next = TransferSearchPage.Start.NEWEST;
        while (next != null) {
            TransferSearchPage.Start start = next;
            TransferSearchPage page =
                    StoreDriver.<TransferSearchPage>await(done -> store.search(wanted, start, rows, done));
            page.found().forEach(each -> names.add(each.transfer().manifest().name()));
            searched += page.searched();
            next = page.next();
        }
        assertThat(searched).isEqualTo(7);
        return names;
    }

    @Test
    void aSearchLooksAtAllTransfersHoweverLongItsPagesAre() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        for (int number = 1; number <= 7; number++) {
            driver.put(number, 0, "one");
        }
        for (int life = 0; life < 2; life++) {
            for (int rows : new int[] {1, 2, 3, 7, 100}) {
                assertThat(searchInPagesOf(rows, manifest -> manifest.name().endsWith("4")))
                        .containsExactly("dir/file 4");
                assertThat(searchInPagesOf(rows, manifest -> true)).hasSize(7).doesNotHaveDuplicates();
                assertThat(searchInPagesOf(rows, manifest -> false)).isEmpty();
            }
            reopen();
        }
    }

    /** What is owed to one subscription alone is what its absence costs. */
    @Test
    void statusTellsWhatIsKeptForASubscriptionAlone() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        long before = System.currentTimeMillis();
        driver.put(1, 1000, "one", "two");
        driver.put(2, 500, "two");
        long after = System.currentTimeMillis();

        assertThat(held()).containsExactly("one 0 0", "two 1 500");

        driver.append(new RelayRecord.Settled(key(1), "one"));
        assertThat(held()).containsExactly("one 0 0", "two 2 1500");
        List<SubscriptionStatus> lags = await(done -> store.subscriptionStatus(done));
        assertThat(lags)
                .extracting(SubscriptionStatus::oldestCommittedEpochMillis)
                .satisfiesExactly(none -> assertThat(none).isZero(), two -> assertThat(two)
                        .isBetween(before, after));

        driver.subscribe("three", StartAt.EARLIEST, false);
        assertThat(held()).containsExactly("one 0 0", "three 0 0", "two 0 0");

        driver.append(new RelayRecord.Unsubscribed("two", StoreDriver.TOPIC, 88));
        assertThat(held()).containsExactly("one 0 0", "three 2 1500");
        driver.finish(key(1), "three");
        driver.finish(key(2), "three");
        assertThat(held()).containsExactly("one 0 0", "three 0 0");
    }

    /** What others still wait for may be had by who comes afterwards, narrowed by the time of its commit and by its name. */
    @Test
    void aSubscriptionThatComesAfterwardsGetsOfWhatIsKeptWhatItsTermsName() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 10, "one");
        Thread.sleep(2); // the clock that commits bear has milliseconds
        long between = System.currentTimeMillis();
        driver.put(2, 10, "one");
        driver.put(11, 10, "one");

        replay("all", ReplayFilter.ALL);
        replay("since", new ReplayFilter(between, Optional.empty()));
        replay("named", new ReplayFilter(0, Optional.of(new NamePattern("dir/* 1*"))));
        replay("both", new ReplayFilter(between, Optional.of(new NamePattern("dir/* 1*"))));
        replay("future", new ReplayFilter(SubscriptionTerms.MAX_VALUE, Optional.empty()));

        assertThat(driver.owed("all")).containsExactly(key(1), key(2), key(11));
        assertThat(driver.owed("since")).containsExactly(key(2), key(11));
        assertThat(driver.owed("named")).containsExactly(key(1), key(11));
        assertThat(driver.owed("both")).containsExactly(key(11));
        assertThat(driver.owed("future")).isEmpty();
    }

    private void replay(String name, ReplayFilter replay) {
        SubscriptionSpec plain = StoreDriver.spec(name, StartAt.EARLIEST);
        driver.append(new RelayRecord.Subscribed(
                new SubscriptionSpec(
                        name,
                        plain.topic(),
                        plain.owner(),
                        plain.startAt(),
                        plain.ackLevel(),
                        new SubscriptionTerms(0, 0, replay)),
                false));
    }

    @Test
    void whoOwnsASubscriptionIsKnownAlsoAfterARestart() throws Exception {
        SubscriptionSpec owned = StoreDriver.spec("one", StartAt.NOW)
                .with(Ownership.of("CN=berlin,OU=agent-b").since(7));
        SubscriptionSpec released = owned.with(owned.ownership().release());
        driver.append(new RelayRecord.Subscribed(owned, true));
        for (int life = 0; life < 2; life++) {
            List<SubscriptionSpec> specs = await(done -> store.subscriptions(done));
            assertThat(specs).containsExactly(owned);
            reopen();
        }
        driver.append(new RelayRecord.Subscribed(released, false));
        for (int life = 0; life < 2; life++) {
            List<SubscriptionSpec> specs = await(done -> store.subscriptions(done));
            assertThat(specs).containsExactly(released);
            reopen();
        }
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void whoOfAGroupMayDeliverATransferIsKnownAsLongAsItIsOwedAlsoAfterARestart() throws Exception {
        NodeId one = new NodeId(7, 1);
        NodeId two = new NodeId(7, 2);
        GroupRoster roster = GroupRoster.NONE
                .with("w1", new GroupRoster.Member(one, "CN=w1"))
                .with("w2", new GroupRoster.Member(two, ""));
        SubscriptionSpec shared = StoreDriver.spec("group", StartAt.NOW).with(roster);
        driver.append(new RelayRecord.Subscribed(shared, true));
        driver.subscribe("other", StartAt.NOW, false);
        driver.put(1, 10, "group", "other");
        driver.put(2, 10, "group");
        assertThat(permits("group")).containsExactly("1 {}", "2 {}");

        driver.append(new RelayRecord.Permitted(key(1), "group", one));
        driver.append(new RelayRecord.Permitted(key(2), "group", one));
        driver.append(new RelayRecord.Permitted(key(2), "group", two));
        driver.append(new RelayRecord.Permitted(key(2), "other", one)); // which is not owed it
        driver.append(new RelayRecord.Subscribed(shared.with(roster.withLost("w1")), false));

        for (int life = 0; life < 2; life++) {
            assertThat(permits("group")).containsExactly("1 {group=" + one + "}", "2 {group=" + two + "}");
            assertThat(permits("other")).containsExactly("1 {group=" + one + "}");
            List<SubscriptionSpec> specs = await(done -> store.subscriptions(done));
            assertThat(specs).contains(shared.with(roster.withLost("w1")));
            reopen();
        }

        driver.receipt(key(1), "group", ReceiptStatus.DELIVERED);
        assertThat(permits("other")).containsExactly("1 {}");
        assertThat(permits("group")).containsExactly("2 {group=" + two + "}");
    }

    private List<String> permits(String subscription) {
        List<KeptTransfer> owed = await(done -> store.owed(subscription, 0, 10, done));
        return owed.stream()
                .map(each -> each.manifest().key().id().low() + " " + each.permits())
                .toList();
    }

    @Test
    void whatASubscriptionIsOwedAndWasCommittedBeforeATimeIsOverdue() {
        driver.subscribe("one", StartAt.NOW, true);
        long before = System.currentTimeMillis();
        driver.put(1, 1000, "one");
        driver.put(2, 500, "one", "two");
        long after = System.currentTimeMillis() + 1;

        assertThat(overdue("one", before, 10)).isEmpty();
        assertThat(overdue("one", after, 10)).containsExactly(key(1), key(2));
        assertThat(overdue("one", after, 1)).containsExactly(key(1));
        assertThat(overdue("three", after, 10)).isEmpty();

        Receipt expired = new Receipt(key(1), "one", ReceiptStatus.EXPIRED, "too late", 99);
        driver.append(new RelayRecord.ReceiptKept(expired));
        assertThat(overdue("one", after, 10)).containsExactly(key(2));
        assertThat(driver.receipts())
                .extracting(RelayStore.KeptReceipt::receipt)
                .containsExactly(expired);
        assertThat(store.sizes().usedBytes()).isEqualTo(500); // nobody else was owed it
    }

    private List<TransferKey> overdue(String subscription, long committedBeforeMillis, int limit) {
        return StoreDriver.<List<TransferKey>>await(
                done -> store.overdue(subscription, committedBeforeMillis, limit, done));
    }

    private List<String> held() {
        List<SubscriptionStatus> all = await(done -> store.subscriptionStatus(done));
        return all.stream()
                .map(each -> each.spec().name() + " " + each.heldTransfers() + " " + each.heldBytes())
                .toList();
    }

    @Test
    void openTransfersThatWereLastWrittenBeforeATimeAreFound() {
        driver.append(new RelayRecord.Opened(manifest(1, 1000)));
        driver.put(2, 1000, "one");
        driver.append(new RelayRecord.Opened(manifest(3, Manifest.UNKNOWN_SIZE)));
        driver.fragment(3, 0, FRAGMENT_BYTES);

        long later = System.currentTimeMillis() + 10_000;
        List<TransferKey> old = await(done -> store.openSince(later, 10, done));
        List<TransferKey> one = await(done -> store.openSince(later, 1, done));
        List<TransferKey> older = await(done -> store.openSince(1, 10, done));

        assertThat(old).containsExactlyInAnyOrder(key(1), key(3));
        assertThat(one).hasSize(1);
        assertThat(older).isEmpty();
    }

    @Test
    void whoMayGiveWayIsFoundBehindHoweverManyWhoMayNot() {
        for (int number = 1; number <= 5; number++) {
            driver.append(new RelayRecord.Opened(manifest(number, 3L * FRAGMENT_BYTES)));
            driver.fragment(number, 0, FRAGMENT_BYTES);
        }
        driver.append(new RelayRecord.Opened(manifest(6, Manifest.UNKNOWN_SIZE)));
        driver.append(new RelayRecord.Opened(manifest(7, Manifest.UNKNOWN_SIZE)));
        driver.fragment(7, 0, FRAGMENT_BYTES);

        List<TransferKey> found = await(done -> store.openWithUnknownSize(SpaceAnswer.NODE, 2, done));

        assertThat(found).containsExactly(key(7)); // 6 keeps nothing
    }

    @Test
    void recordsOfTransfersThatAreNotKnownChangeNothing() {
        driver.append(new RelayRecord.Settled(key(9), "one"));
        driver.append(new RelayRecord.ReceiptAcked(key(9), "one"));
        driver.receipt(key(9), "one", ReceiptStatus.DELIVERED);
        driver.fragment(9, 0, 100);

        assertThat(driver.lookup(key(9)).state()).isEqualTo(StoredTransfer.State.ABSENT);
        assertThat(driver.receipts()).isEmpty();
        assertThat(store.sizes().usedBytes()).isZero();
    }

    @Test
    void whoHasAFileIsRememberedBeyondItsTransfer() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        driver.put(1, 300, "one", "two");
        driver.receipt(key(1), "two", ReceiptStatus.LANDED);
        assertThat(driver.replicas("dir/file 1")).isEmpty();
        driver.receipt(key(1), "one", ReceiptStatus.DELIVERED); // and once more below
        driver.finish(key(1), "one");
        driver.finish(key(1), "two");
        assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.GONE);
        driver.putSmall(2, 200, "one");
        driver.finish(key(2), "one");

        for (int life = 0; life < 2; life++) {
            assertThat(driver.replicas("dir/file 1"))
                    .extracting(Replica::subscription)
                    .containsExactly("one", "two");
            assertThat(driver.replicas("dir/file 2"))
                    .containsExactly(new Replica(
                            StoreDriver.TOPIC,
                            "one",
                            key(2),
                            "dir/file 2",
                            200,
                            commit(200).digest(),
                            99));
            assertThat(driver.replicas("dir")).isEmpty();
            reopen();
        }
    }

    @Test
    void whatIsDeletedOrRenamedLaterIsNoLongerThere() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 300, "one");
        driver.finish(key(1), "one");
        driver.put(2, 200, "one");
        driver.finish(key(2), "one");

        driver.published(3, TransferKind.RENAME, "dir", Map.of(Attributes.RENAMED_TO, "new/dir"), "one");
        driver.published(4, TransferKind.RENAME, "new/dir/file 1", Map.of(Attributes.RENAMED_TO, "f"), "one");
        driver.published(5, TransferKind.DELETE, "new/dir/file 2", Map.of(), "one");
        driver.published(6, TransferKind.MAKE_DIRECTORY, "empty", Map.of(), "one");

        assertThat(driver.replicas("dir/file 1")).isEmpty();
        assertThat(driver.replicas("new/dir/file 1")).isEmpty();
        assertThat(driver.replicas("new/dir/file 2")).isEmpty();
        assertThat(driver.replicas("empty")).isEmpty();
        assertThat(driver.replicas("f")).extracting(Replica::key).containsExactly(key(1));
        driver.published(7, TransferKind.PATCH, "f", Map.of(), "one");
        assertThat(driver.replicas("f")).singleElement().satisfies(patched -> {
            assertThat(patched.digest()).isNull();
            assertThat(patched.sizeBytes()).isEqualTo(-1);
        });
    }

    @Test
    void manyTransfersAreKeptOwedAndFinished() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        for (int i = 1; i <= 700; i++) {
            driver.putSmall(i, i, "one");
        }
        reopen();
        assertThat(driver.owed("one")).hasSize(700);
        for (int i = 1; i <= 700; i++) {
            assertThat(driver.read(key(i), 0)).isEqualTo(content(i, 0, i));
            driver.finish(key(i), "one");
        }
        assertThat(driver.owed("one")).isEmpty();
        assertThat(store.sizes().usedBytes()).isZero();
    }
}
