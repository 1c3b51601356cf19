package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row of the index that is not what was written, as a flipped bit leaves it: H2 sees nothing, and no answer may depend on it. */
class IndexRowDamageTest {
    private static final int TRANSFERS = 5;

    @TempDir
    Path data;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private long epoch;

    @BeforeEach
    void fill() throws Exception {
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.subscribe("one", StartAt.NOW, true);
            driver.subscribe("two", StartAt.NOW, false);
            driver.put(1, 2 * FRAGMENT_BYTES + 5, "one", "two");
            driver.putSmall(2, 500, "one");
            driver.put(3, FRAGMENT_BYTES, "two");
            driver.receipt(key(1), "one", ReceiptStatus.DELIVERED);
            driver.append(new RelayRecord.Opened(manifest(4, 9 * FRAGMENT_BYTES)));
            driver.putSmall(5, 100, "two");
            driver.finish(key(5), "two"); // a tombstone
        }
    }

    @AfterEach
    void end() {
        loop.shutdown();
    }

    private LocalStore open() throws StorageException {
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(1 << 20, 0).withHeadRoom(1 << 20);
        return LocalStore.open(new DiskStorage(), data, ++epoch, config, pool, loop, failure -> {});
    }

    private StoreAnswers answers() throws StorageException {
        try (LocalStore store = open()) {
            return StoreAnswers.of(store, new StoreDriver(store, pool), TRANSFERS);
        }
    }

    private Connection h2() throws Exception {
        return DriverManager.getConnection("jdbc:h2:file:" + data.resolve("index/index") + ";FILE_LOCK=NO");
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
        try (Connection connection = h2();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(damage)).isPositive();
        }
        assertThat(answers()).isEqualTo(before);
        assertThat(data.resolve("index/index.mv.db.bad")).exists(); // it was seen
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
        try (Connection connection = h2();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(damage)).isOne();
        }
        try (LocalStore store = open()) {
            await().until(() -> Files.exists(data.resolve("index/index.mv.db.bad")));
            assertThat(StoreAnswers.of(store, new StoreDriver(store, pool), TRANSFERS))
                    .isEqualTo(before);
        }
    }

    /** Its checksum is right. */
    @Test
    void aRowThatOwesToASubscriptionThatIsNotThereIsSeen() throws Exception {
        StoreAnswers before = answers();
        try (Connection connection = h2();
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
        assertThat(data.resolve("index/index.mv.db.bad")).exists();
    }

    @Test
    void nobodyIsToldWhatIsOwedBeforeAllRowsWereLookedAt() throws Exception {
        try (LocalStore store = open()) {
            loop.submit(() -> {
                        for (int number = 10; number < 2_000; number++) {
                            store.append(new RelayRecord.Opened(manifest(number, 0)), outcome -> {});
                            store.append(
                                    new RelayRecord.Committed(key(number), commit(0), List.of("one")), outcome -> {});
                        }
                    })
                    .get();
            new StoreDriver(store, pool).put(2_000, 0, "one");
        }
        try (Connection connection = h2();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM owed WHERE subscription = 'one' AND seq ="
                            + " (SELECT MIN(seq) FROM owed WHERE subscription = 'one')"))
                    .isOne();
        }
        try (LocalStore store = open()) {
            assertThat(new StoreDriver(store, pool).owed("one")).startsWith(key(2), key(10), key(11));
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anIndexThatLosesPlacesIsMadeAgainOnceInARun() throws Exception {
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store, pool);
            losePlaces();
            assertThat(driver.read(key(1), 1)).hasSize(FRAGMENT_BYTES);
            losePlaces();
            assertThatThrownBy(() -> driver.read(key(1), 1))
                    .isInstanceOfSatisfying(
                            StoreDriver.RefusedException.class,
                            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.STORAGE_FAILED));
            driver.fragment(1, 1, FRAGMENT_BYTES); // its publisher sends it again
            assertThat(driver.read(key(1), 1)).hasSize(FRAGMENT_BYTES);
        }
    }

    /** In the database that the store has open. */
    private void losePlaces() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + data.resolve("index/index"));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM fragment_run")).isPositive();
        }
    }

    @Test
    void aWholeIndexIsNotMadeAgain() throws Exception {
        assertThat(answers()).isEqualTo(answers());
        assertThat(data.resolve("index/index.mv.db.bad")).doesNotExist();
    }

    @Test
    void aFlippedBitInAnyByteOfASubscriptionIsSeen() throws Exception {
        flipEach("subscription", "spec", "name = 'two'");
    }

    @Test
    void aFlippedBitInATombstoneIsSeen() throws Exception {
        flipEach("tombstones", "body", "TRUE");
        try (LocalStore store = open()) {
            assertThat(new StoreDriver(store, pool).lookup(key(5)).state()).isEqualTo(StoredTransfer.State.GONE);
        }
    }

    @Test
    void aFlippedBitInWhatFarEndsHavePublishedIsSeen() throws Exception {
        flipEach("deliveries", "body", "TRUE");
    }

    private void flipEach(String table, String column, String where) throws Exception {
        StoreAnswers before = answers();
        int length = 1;
        for (int at = 0; at < length; at += 7) {
            try (Connection connection = h2();
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
            assertThat(Files.deleteIfExists(data.resolve("index/index.mv.db.bad")))
                    .isTrue();
        }
    }
}
