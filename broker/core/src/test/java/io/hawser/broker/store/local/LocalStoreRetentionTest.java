package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.content;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LocalStoreRetentionTest extends LocalStoreOnDisk {
    private static final long SEGMENT_BYTES = 512 << 10;
    private static final int MAX_TOMBSTONES = 50;

    private final LocalStoreConfig config = new LocalStoreConfig(
            new LocalStoreConfig.Segments(SEGMENT_BYTES, 1),
            new LocalStoreConfig.Space(LocalStoreConfig.NO_QUOTA, 1 << 20),
            new LocalStoreConfig.Forgetting(Duration.ofHours(1), MAX_TOMBSTONES),
            LocalStoreConfig.defaults().fewChanges());

    @Override
    protected LocalStoreConfig config() {
        return config;
    }

    private void putAndFinish(int from, int to) {
        for (int i = from; i <= to; i++) {
            driver.put(i, 2L * FRAGMENT_BYTES, "one");
            driver.finish(key(i), "one");
        }
    }

    @Test
    void segmentsThatNobodyNeedsAreDeleted() {
        driver.subscribe("one", StartAt.NOW, true);
        putAndFinish(1, 40);

        await().untilAsserted(() -> assertThat(store.sizes().segments()).isLessThanOrEqualTo(2));
        assertThat(store.sizes().usedBytes()).isZero();
        assertThat(store.sizes().logBytes()).isLessThan(4 * SEGMENT_BYTES);
    }

    @Test
    void whatIsStillNeededIsCarriedForwardAndSurvivesTheLossOfTheIndex() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("slow", StartAt.NOW, false);
        driver.put(1, 2L * FRAGMENT_BYTES, "one", "slow");
        driver.putSmall(2, 5_000, "slow");
        driver.append(new RelayRecord.Opened(manifest(3, 3L * FRAGMENT_BYTES)));
        driver.fragment(3, 1, FRAGMENT_BYTES);
        driver.put(4, 1_000, "one");
        driver.receipt(key(4), "one", ReceiptStatus.DELIVERED);
        driver.append(new RelayRecord.Cancelled(key(5), "not wanted"));
        putAndFinish(100, 140);

        await().untilAsserted(() -> assertThat(store.sizes().segments()).isLessThanOrEqualTo(8));
        for (int life = 0; life < 2; life++) {
            assertThat(driver.owed("slow")).containsExactly(key(1), key(2));
            assertThat(driver.owed("one")).containsExactly(key(1));
            assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
            assertThat(driver.read(key(2), 0)).isEqualTo(content(2, 0, 5_000));
            assertThat(driver.read(key(3), 1)).isEqualTo(content(3, 1, FRAGMENT_BYTES));
            assertThat(driver.lookup(key(3)).state()).isEqualTo(StoredTransfer.State.OPEN);
            assertThat(driver.receipts()).hasSize(1);
            assertThat(store.sizes().usedBytes()).isEqualTo(3L * FRAGMENT_BYTES + 5_000);
            assertThat(store.sizes().reservedBytes()).isEqualTo(2L * FRAGMENT_BYTES);
            reopenWithoutIndex();
        }
    }

    @Test
    void tombstonesAreBoundedAndTheYoungestStay() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        for (int i = 1; i <= 2 * MAX_TOMBSTONES; i++) {
            driver.putSmall(i, 100, "one");
            driver.finish(key(i), "one");
        }
        reopen();

        assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.ABSENT);
        for (int i = MAX_TOMBSTONES + 1; i <= 2 * MAX_TOMBSTONES; i++) {
            assertThat(driver.lookup(key(i)).state()).as("transfer %d", i).isEqualTo(StoredTransfer.State.GONE);
        }
    }

    @Test
    void aFlippedBitInTheLogIsDetectedReportedAndNeverServed() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 2L * FRAGMENT_BYTES, "one");
        store.close();
        Path segment = directory.resolve("log/00000000000000000001.log");
        Damage.flip(segment, Damage.find(segment, content(1, 1, 64)) + 1_000);
        open();

        assertThat(driver.read(key(1), 0)).isEqualTo(content(1, 0, FRAGMENT_BYTES));
        for (int time = 0; time < 3; time++) {
            assertThat(driver.whyUnreadable(key(1), 1)).isEqualTo(ErrorCode.STORAGE_FAILED);
        }
        assertThat(store.sizes().damagedPlaces())
                .as("one place, however often it is read")
                .isOne();

        driver.fragment(1, 1, FRAGMENT_BYTES); // its sender has a good copy and sends it again
        assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
    }

    @Test
    void whatIsOwedOutlivesADamagedRowThatHidesItsSegment() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("slow", StartAt.NOW, false);
        driver.put(1, 2L * FRAGMENT_BYTES, "slow");
        store.close();
        IndexDamage.change(directory, "UPDATE fragment_run SET segment = segment + 1048576");
        open();
        putAndFinish(100, 140);

        await().until(() -> Files.notExists(directory.resolve("log/00000000000000000001.log")));
        assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
    }

    /** An index that is made from the log cannot know of that fragment; its publisher can. */
    @Test
    void aFragmentWhoseRecordIsDamagedBesideALostIndexIsAskedForAgain() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 2L * FRAGMENT_BYTES, "one");
        damageRecordOf(1, 1);
        reopenWithoutIndex();

        assertThat(driver.owed("one")).containsExactly(key(1));
        assertThat(driver.whyUnreadable(key(1), 1)).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(store.sizes().damagedPlaces()).isOne();

        driver.fragment(1, 1, FRAGMENT_BYTES);
        assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
    }

    /** A state that was carried forward outlives the records that it speaks of. */
    @Test
    void aFragmentThatTheLogHasLostIsNotCalledDurable() throws Exception {
        driver.subscribe("one", StartAt.NOW, true);
        driver.append(new RelayRecord.Opened(manifest(1, 3L * FRAGMENT_BYTES)));
        driver.fragment(1, 1, FRAGMENT_BYTES);
        driver.fragment(1, 2, FRAGMENT_BYTES);
        putAndFinish(100, 140);
        await().until(() -> Files.notExists(directory.resolve("log/00000000000000000001.log")));
        damageRecordOf(1, 1);
        reopenWithoutIndex();

        assertThat(driver.lookup(key(1)).transfer().durable()).isEqualTo(FragmentRanges.of(2, 3));
        assertThat(store.sizes().usedBytes()).isEqualTo(FRAGMENT_BYTES);
        assertThat(store.sizes().reservedBytes()).isEqualTo(2L * FRAGMENT_BYTES);

        driver.fragment(1, 1, FRAGMENT_BYTES);
        assertThat(driver.lookup(key(1)).transfer().durable()).isEqualTo(FragmentRanges.of(1, 3));
        assertThat(driver.read(key(1), 1)).isEqualTo(content(1, 1, FRAGMENT_BYTES));
        assertThat(store.sizes().usedBytes()).isEqualTo(2L * FRAGMENT_BYTES);
    }

    /** Flips a bit in the record of a fragment, wherever it lies, and not in its payload. */
    private void damageRecordOf(long number, long index) throws IOException {
        store.close();
        byte[] payload = content(number, index, 64);
        for (Path segment : segments()) {
            byte[] bytes = Files.readAllBytes(segment);
            for (int at = indexOf(bytes, payload, 0); at >= 0; at = indexOf(bytes, payload, at + 1)) {
                bytes[lastIndexOf(bytes, H2Index.bytes(key(number)), at)] ^= 4;
            }
            Files.write(segment, bytes);
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("log"))) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    private static int lastIndexOf(byte[] bytes, byte[] wanted, int before) {
        for (int i = before - wanted.length; i >= 0; i--) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new AssertionError("not in the file");
    }

    private static int indexOf(byte[] bytes, byte[] wanted, int from) {
        for (int i = from; i < bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }
}
