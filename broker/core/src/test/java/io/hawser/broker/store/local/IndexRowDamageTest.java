package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row of the index that is not what was written, as a flipped bit leaves it: H2 sees nothing, and no answer may depend on it. */
class IndexRowDamageTest extends LocalStoreOnDisk {
    private static final int TRANSFERS = 5;

    @BeforeEach
    void fill() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("two", StartAt.NOW, false);
        driver.put(1, 2 * FRAGMENT_BYTES + 5, "one", "two");
        driver.putSmall(2, 500, "one");
        driver.put(3, FRAGMENT_BYTES, "two");
        driver.receipt(key(1), "one", ReceiptStatus.DELIVERED);
        driver.append(new RelayRecord.Opened(manifest(4, 9 * FRAGMENT_BYTES)));
        driver.putSmall(5, 100, "two");
        driver.finish(key(5), "two"); // a tombstone
        store.close();
    }

    /** What a store says that is opened, and closed again. */
    private StoreAnswers answers() throws StorageException {
        open();
        StoreAnswers answers = StoreAnswers.of(store, driver, TRANSFERS);
        store.close();
        return answers;
    }

    private void damage(String sql) throws SQLException {
        IndexDamage.change(directory, sql);
    }

    /** What an index that was seen to be damaged is kept as. */
    private Path bad() {
        return directory.resolve("index/index.mv.db.bad");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE owed SET k = (SELECT k FROM owed WHERE subscription = 'two' LIMIT 1) WHERE subscription = 'one' LIMIT 1",
                "UPDATE owed SET seq = seq + 1048576 WHERE subscription = 'one' LIMIT 1",
                "UPDATE owed SET subscription = 'onf' WHERE subscription = 'one' LIMIT 1",
                "DELETE FROM owed WHERE subscription = 'one' LIMIT 1",
                "UPDATE receipt SET seq = seq + 1048576",
                "UPDATE receipt SET publisher = CAST(X'00' AS BINARY(16))",
                "UPDATE receipt SET k = (SELECT k FROM owed ORDER BY seq DESC LIMIT 1)",
                "UPDATE subscription SET owed_bytes = owed_bytes + 4 WHERE name = 'one'",
                "UPDATE subscription SET owed = owed - 1 WHERE name = 'one'",
                "UPDATE subscription SET last_owed = 0",
                "UPDATE deliveries SET segment = segment + 4",
                "UPDATE deliveries SET body = X'01'",
                "UPDATE subscription SET name = 'onf' WHERE name = 'one'",
                "UPDATE fragment_run SET k = CAST(X'00' AS BINARY(32))",
                "UPDATE fragment_run SET first = first + 1024",
                "UPDATE fragment_run SET cnt = 0",
                "UPDATE fragment_run SET segment = segment + 1048576",
                "UPDATE transfer SET topic = 'site-c'",
                "UPDATE transfer SET state = 4",
                "UPDATE transfer SET seq = seq + 1048576",
                "UPDATE transfer SET first_segment = first_segment + 4"
            })
    void aRowWithAFlippedBitChangesNoAnswer(String damage) throws Exception {
        StoreAnswers before = answers();
        damage(damage);
        assertThat(answers()).isEqualTo(before);
        assertThat(bad()).exists(); // it was seen
    }

    /** No answer depends on it, but a segment would be taken for unneeded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM fragment_run LIMIT 1",
                "UPDATE fragment_run SET segment = segment + 4 LIMIT 1",
                "UPDATE fragment_run SET pos = pos + 4096 LIMIT 1",
                "UPDATE fragment_run SET runs = X'01' LIMIT 1",
                "UPDATE fragment_run SET k = CAST(X'00' AS BINARY(32)) LIMIT 1",
                "UPDATE transfer SET k = CAST(X'00' AS BINARY(32)) LIMIT 1",
                "UPDATE transfer SET first_segment = first_segment + 4 LIMIT 1"
            })
    void aRowThatHoldsASegmentIsLookedAt(String damage) throws Exception {
        StoreAnswers before = answers();
        damage(damage);
        open();
        await().until(() -> Files.exists(bad()));
        assertThat(StoreAnswers.of(store, driver, TRANSFERS)).isEqualTo(before);
    }

    /** Its checksum is right. */
    @Test
    void aRowThatOwesToASubscriptionThatIsNotThereIsSeen() throws Exception {
        StoreAnswers before = answers();
        try (Connection connection = IndexDamage.connect(directory);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT seq, k FROM owed LIMIT 1");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO owed(subscription, seq, k, chk) VALUES(?, ?, ?, ?)")) {
            assertThat(row.next()).isTrue();
            insert.setString(1, "nobody");
            insert.setLong(2, row.getLong(1));
            insert.setBytes(3, row.getBytes(2));
            insert.setInt(
                    4,
                    TransferTable.owedChecksum("nobody", row.getLong(1), row.getBytes(2))
                            .value());
            assertThat(insert.executeUpdate()).isOne();
        }
        assertThat(answers()).isEqualTo(before);
        assertThat(bad()).exists();
    }

    @Test
    void nobodyIsToldWhatIsOwedBeforeAllRowsWereLookedAt() throws Exception {
        open();
        loop.submit(() -> {
                    for (int number = 10; number < 2_000; number++) {
                        store.append(new RelayRecord.Opened(manifest(number, 0)), outcome -> {});
                        store.append(new RelayRecord.Committed(key(number), commit(0), List.of("one")), outcome -> {});
                    }
                })
                .get();
        driver.put(2_000, 0, "one");
        store.close();
        damage("DELETE FROM owed WHERE subscription = 'one' AND seq ="
                + " (SELECT MIN(seq) FROM owed WHERE subscription = 'one')");
        open();
        assertThat(driver.owed("one")).startsWith(key(2), key(10), key(11));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anIndexThatLosesPlacesIsMadeAgainOnceInARun() throws Exception {
        open();
        damage("DELETE FROM fragment_run");
        assertThat(driver.read(key(1), 1)).hasSize(FRAGMENT_BYTES);
        damage("DELETE FROM fragment_run");
        assertThat(driver.whyUnreadable(key(1), 1)).isEqualTo(ErrorCode.STORAGE_FAILED);
        driver.fragment(1, 1, FRAGMENT_BYTES); // its publisher sends it again
        assertThat(driver.read(key(1), 1)).hasSize(FRAGMENT_BYTES);
    }

    @Test
    void aWholeIndexIsNotMadeAgain() throws Exception {
        assertThat(answers()).isEqualTo(answers());
        assertThat(bad()).doesNotExist();
    }

    @Test
    void aFlippedBitInAnyByteOfASubscriptionIsSeen() throws Exception {
        flipEach("subscription", "spec", "name = 'two'");
    }

    @Test
    void aFlippedBitInATombstoneIsSeen() throws Exception {
        flipEach("tombstones", "body", "TRUE");
        open();
        assertThat(driver.lookup(key(5)).state()).isEqualTo(StoredTransfer.State.GONE);
    }

    @Test
    void aFlippedBitInWhatFarEndsHavePublishedIsSeen() throws Exception {
        flipEach("deliveries", "body", "TRUE");
    }

    private void flipEach(String table, String column, String where) throws Exception {
        StoreAnswers before = answers();
        int length = 1;
        for (int at = 0; at < length; at += 7) {
            try (Connection connection = IndexDamage.connect(directory);
                    Statement query = connection.createStatement();
                    ResultSet row = query.executeQuery("SELECT " + column + " FROM " + table + " WHERE " + where)) {
                assertThat(row.next()).isTrue();
                byte[] bytes = row.getBytes(1);
                length = bytes.length;
                bytes[at] ^= 4;
                try (PreparedStatement update = connection.prepareStatement(
                        "UPDATE " + table + " SET " + column + " = ? WHERE " + where + " LIMIT 1")) {
                    update.setBytes(1, bytes);
                    assertThat(update.executeUpdate()).isOne();
                }
            }
            assertThat(answers()).as("byte %d", at).isEqualTo(before);
            assertThat(Files.deleteIfExists(bad())).isTrue();
        }
    }
}
