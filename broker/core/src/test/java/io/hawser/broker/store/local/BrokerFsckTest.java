package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Damage;
import io.hawser.ops.observe.Json;
import io.hawser.ops.testkit.Fsck;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.StoppedLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hawser fsck} on a broker's directory: each kind of damage is planted, and found. */
class BrokerFsckTest {
    private static final long SEGMENT_BYTES = 512 << 10;
    private static final int SEGMENT_VERSION_OFFSET = 8;
    private static final int SEGMENT_CRC_OFFSET = 56;
    private static final int BLOCK = 4096;
    /** Behind all others. */
    private static final String LAST_KEY = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

    @TempDir
    static Path shared;

    @TempDir
    Path scratch;

    private Path data;

    @BeforeAll
    static void aBrokerHasRun() throws StorageException {
        Path data = shared.resolve("broker");
        BrokerRun.of(data, SEGMENT_BYTES, driver -> {
            driver.subscribe("s1", StartAt.NOW, true);
            driver.put(1, 5L * FRAGMENT_BYTES + 77, "s1");
            driver.put(2, 5L * FRAGMENT_BYTES + 77, "s1");
            driver.putSmall(3, 900, "s1");
        });
        BrokerRun.of(data, SEGMENT_BYTES, driver -> {
            driver.receipt(StoreDriver.key(3), "s1", ReceiptStatus.DELIVERED);
            driver.put(4, 3L * FRAGMENT_BYTES, "s1");
            driver.append(new io.hawser.broker.relay.RelayRecord.Opened(StoreDriver.manifest(5, 9L * FRAGMENT_BYTES)));
            driver.fragment(5, 0, FRAGMENT_BYTES);
        });
    }

    @BeforeEach
    void copy() throws IOException {
        data = scratch.resolve("broker");
        Path from = shared.resolve("broker");
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, data.resolve(from.relativize(path).toString()));
            }
        }
    }

    private void life(Consumer<StoreDriver> work) throws StorageException {
        BrokerRun.of(data, SEGMENT_BYTES, work);
    }

    private Path segment(int number) throws IOException {
        try (Stream<Path> all = Files.list(data.resolve("log"))) {
            List<Path> segments = all.filter(path -> path.toString().endsWith(".log"))
                    .sorted()
                    .toList();
            assertThat(segments).hasSizeGreaterThan(4);
            return segments.get(number - 1);
        }
    }

    private Path index() {
        return data.resolve("index/index.mv.db");
    }

    @Test
    void whatAStoppedBrokerLeavesIsClean() throws Exception {
        Fsck.of(data).assertClean();
        Fsck.of(data, "--quick").assertClean();

        assertThat(scratchLeft()).isEmpty();
        assertThat(Fsck.of(data).out())
                .startsWith("broker " + data)
                .contains(" segments", " records", "read: no damage")
                .doesNotContain("behind the index");
    }

    private List<Path> scratchLeft() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName()
                            .toString()
                            .equals("hawser-fsck-" + ProcessHandle.current().pid()))
                    .toList();
        }
    }

    @Test
    void aFlippedBitInAPayloadIsFoundAndNamed() throws Exception {
        Damage.flip(segment(1), Damage.find(segment(1), StoreDriver.content(1, 1, FRAGMENT_BYTES)) + 5_000);

        Fsck result = Fsck.of(data);
        result.assertDamage("log.payload", segment(1).toString());
        assertThat(result.out()).contains("of transfer " + StoreDriver.key(1) + " (index 1)");
        Fsck.of(data, "--quick").assertClean();
    }

    @ParameterizedTest
    @CsvSource({"log.body, 131", "log.record, 70"})
    void aFlippedBitInABodyOrARecordsHeaderIsFound(String kind, long offset) throws Exception {
        long record = Damage.find(segment(1), StoreDriver.content(1, 1, FRAGMENT_BYTES)) - BLOCK;
        Damage.flip(segment(1), record + offset);

        Fsck.of(data).assertDamage(kind, segment(1) + " at " + record);
    }

    @Test
    void aDamagedSegmentHeaderIsFoundAndItsRecordsAreRead() throws Exception {
        Damage.flip(segment(2), 20);

        Fsck result = Fsck.of(data);
        result.assertDamage("log.segment-header", segment(2).toString());
        assertThat(result.out()).doesNotContain("index.row").doesNotContain("log.record");
    }

    @Test
    void aTruncatedSegmentIsFound() throws Exception {
        Damage.truncate(segment(2), Files.size(segment(2)) - 20 * BLOCK);

        Fsck.of(data).assertDamage("log.truncated", segment(2).toString());
    }

    @Test
    void aTruncatedLastSegmentIsFoundByTheIndex() throws Exception {
        Path last = data.resolve("log").resolve(lastSegmentName());
        Damage.truncate(last, BLOCK);

        Fsck.of(data).assertDamage("index.ahead", index().toString());
    }

    private String lastSegmentName() throws IOException {
        try (Stream<Path> all = Files.list(data.resolve("log"))) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".log"))
                    .max(String::compareTo)
                    .orElseThrow();
        }
    }

    @Test
    void aRemovedSegmentIsFound() throws Exception {
        Path removed = segment(2);
        Files.delete(removed);

        Fsck.of(data).assertDamage("log.missing-segment", removed.toString());
    }

    @Test
    void aForeignSegmentIsFoundAndNotRepairedOver() throws Exception {
        Files.write(segment(2), Files.readAllBytes(segment(3)));

        Fsck.of(data).assertDamage("log.foreign", segment(2).toString());
        byte[] before = Files.readAllBytes(index());
        Fsck repaired = Fsck.run(data, "--repair-index");
        repaired.assertDamage("index.not-repaired", data.toString());
        assertThat(Files.readAllBytes(index())).isEqualTo(before);
    }

    @Test
    void aSegmentOfALaterVersionIsFound() throws Exception {
        try (RandomAccessFile open = new RandomAccessFile(segment(2).toFile(), "rw")) {
            byte[] header = new byte[SEGMENT_CRC_OFFSET];
            open.readFully(header);
            ByteBuffer.wrap(header).putShort(SEGMENT_VERSION_OFFSET, (short) 3);
            CRC32C crc = new CRC32C();
            crc.update(header);
            open.seek(0);
            open.write(header);
            open.writeInt((int) crc.getValue());
        }

        Fsck result = Fsck.of(data);
        result.assertDamage("log.version", segment(2).toString());
        assertThat(result.out()).contains("Run the version of Hawser that wrote it");
    }

    @Test
    void aLogWithoutItsIdIsFoundAndTheIdIsTold() throws Exception {
        String id = Files.readString(data.resolve("log/log.id")).strip();
        Files.delete(data.resolve("log/log.id"));

        Fsck result = Fsck.of(data);
        result.assertDamage("log.id", "log.id");
        assertThat(result.out()).contains(id);
    }

    @Test
    void anOlderEpochThanTheLogsIsFound() throws Exception {
        Files.writeString(data.resolve("epoch"), "1\n");

        Fsck.of(data).assertDamage("log.epoch", "log");
    }

    @Test
    void aLostIdentityIsFound() throws Exception {
        Files.writeString(data.resolve("node.id"), "what\n");
        Files.writeString(data.resolve("epoch"), "many\n");

        Fsck result = Fsck.of(data);
        result.assertDamage("node.id", data.toString());
        result.assertDamage("node.epoch", data.toString());
    }

    @Test
    void whatCrashesLeaveIsNotedAndCounted() throws Exception {
        Files.write(data.resolve("log/9.tmp"), new byte[5000]);
        Files.write(data.resolve("log/torn-00000000000000000001-8192"), new byte[BLOCK]);
        Files.write(data.resolve("index/index.mv.db.bad"), new byte[100]);

        Fsck result = Fsck.of(data);
        result.assertNote("log.temporary", "9.tmp (4.9 KiB)");
        result.assertNote("log.torn-copy", "torn-00000000000000000001-8192 (4 KiB)");
        result.assertNote("index.leftover", "index.mv.db.bad (100 B)");
        assertThat(result.out()).contains("no damage, 3 notes (9.0 KiB)");
    }

    @Test
    void aTornTailIsNoDamage() throws Exception {
        try (RandomAccessFile open = new RandomAccessFile(
                data.resolve("log").resolve(lastSegmentName()).toFile(), "rw")) {
            open.setLength(open.length() - BLOCK); // the seal, which nobody was promised
            open.seek(open.length());
            open.write(new byte[] {1, 2, 3});
            open.setLength((open.length() / BLOCK + 1) * BLOCK);
        }

        Fsck.of(data).assertNote("log.torn-tail", lastSegmentName());
    }

    @Test
    void anIndexThatIsZeroedDeletedEmptyOrCutIsFoundAndRepaired() throws Exception {
        byte[] good = Files.readAllBytes(index());
        Files.delete(index());
        Fsck.of(data).assertDamage("index.missing", index().toString());
        for (byte[] bad : List.of(new byte[good.length], new byte[0], java.util.Arrays.copyOf(good, good.length / 2))) {
            Files.write(index(), bad);
            Fsck.of(data).assertDamage("index.unusable", index().toString());
        }
        repairsAndStarts();
    }

    /** The index ends before the log does, or goes on behind it. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "transfer, DELETE FROM transfer",
                "owed, DELETE FROM owed",
                "receipt, DELETE FROM receipt",
                "fragment_run, DELETE FROM fragment_run",
                "transfer, UPDATE transfer SET k = CAST(X'" + LAST_KEY + "' AS BINARY(32)) LIMIT 1",
                "owed, UPDATE owed SET seq = seq + 1000000 LIMIT 1",
                "owed, UPDATE owed SET subscription = 'zz' LIMIT 1",
                "fragment_run, UPDATE fragment_run SET k = CAST(X'" + LAST_KEY + "' AS BINARY(32)) LIMIT 1",
                "subscription, DELETE FROM subscription"
            })
    void anIndexThatEndsEarlierOrLaterThanTheLogIsFoundAndRepaired(String table, String damage) throws Exception {
        sql(damage);

        Fsck.of(data).assertDamage("index.row", "table " + table + " row ");
        repairsAndStarts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tombstones", "deliveries"})
    void whatIsFinishedAndGoneFromTheIndexIsMissed(String table) throws Exception {
        life(driver -> {
            driver.putSmall(9, 100, "s1");
            driver.finish(StoreDriver.key(9), "s1");
        });
        sql("DELETE FROM " + table);

        Fsck.of(data).assertDamage("index.row", "table " + table + " row ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM sentinel",
                "UPDATE sentinel SET log_id = '00000000000000000000000000000000'",
                "UPDATE sentinel SET format = format + 1"
            })
    void anIndexThatDoesNotSayWhichLogItIsOfIsNotUsed(String damage) throws Exception {
        sql(damage);

        Fsck.of(data).assertDamage("index.unusable", "index.mv.db");
        repairsAndStarts();
    }

    @Test
    void aRepairRemovesWhatH2LeftAndNothingElse() throws Exception {
        Files.write(data.resolve("index/index.trace.db"), new byte[3]);
        Files.write(data.resolve("index/notes.txt"), new byte[3]);
        sql("DELETE FROM owed");

        Fsck.run(data, "--repair-index").assertNote("index.repaired", "index");
        assertThat(data.resolve("index/index.trace.db")).doesNotExist();
        assertThat(data.resolve("index/notes.txt")).exists();
        assertThat(data.resolve("index/index.mv.db.bad")).exists();
    }

    /** What is wrong with the log hides nothing of what is wrong with the index. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM sentinel",
                "UPDATE sentinel SET log_id = '00000000000000000000000000000000'",
                "UPDATE sentinel SET kept = kept + 4"
            })
    void anIndexThatIsNotUsedIsToldOnceBesideADamagedLog(String damage) throws Exception {
        Damage.flip(segment(1), Damage.find(segment(1), StoreDriver.content(1, 1, FRAGMENT_BYTES)) + 5_000);
        sql(damage);

        Fsck result = Fsck.of(data);
        result.assertDamage("log.payload", segment(1).toString());
        result.assertDamage("index.unusable", index().toString());
        assertThat(result.out().split("index\\.unusable", -1)).hasSize(2);
    }

    /** The sentinel's checksum is right: no bit was flipped, the broker has counted wrongly. */
    @ParameterizedTest
    @CsvSource({"4096, 0", "0, 4096"})
    void sumsThatAreNotWhatTheLogSaysAreFoundAndRepaired(long moreKept, long moreReserved) throws Exception {
        try (Connection connection = IndexDamage.connect(data);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT seq, segment, pos, kept, reserved FROM sentinel")) {
            assertThat(row.next()).isTrue();
            long kept = row.getLong(4) + moreKept;
            long reserved = row.getLong(5) + moreReserved;
            int checksum = new RowChecksum()
                    .longs(row.getLong(1), row.getLong(2), row.getLong(3), kept, reserved)
                    .value();
            try (Statement change = connection.createStatement()) {
                assertThat(change.executeUpdate("UPDATE sentinel SET kept = " + kept + ", reserved = " + reserved
                                + ", chk = " + checksum))
                        .isOne();
            }
        }

        Fsck.of(data).assertDamage("index.row", "table sentinel");
        repairsAndStarts();
    }

    @Test
    void aBrokerThatHasHadNothingNeedsNoIndex() throws Exception {
        Path fresh = scratch.resolve("fresh");
        BrokerRun.of(fresh, SEGMENT_BYTES, driver -> {});
        Fsck.of(fresh).assertClean();
        Files.delete(fresh.resolve("index/index.mv.db"));

        Fsck.of(fresh).assertClean();
    }

    /** A later version may write such records. */
    @Test
    void aRecordOfAKindThatNobodyKnowsIsToldAndLeftAsItIs() throws Exception {
        new StoppedLog(new DiskStorage(), data.resolve("log"), SEGMENT_BYTES)
                .append(1000, RecordKind.LAST + 1, null, new byte[8]);
        Files.writeString(data.resolve("epoch"), "1000\n");

        assertThat(Fsck.of(data).out()).contains("does not know");
    }

    private void repairsAndStarts() throws Exception {
        Fsck.run(data, "--repair-index").assertNote("index.repaired", "index");
        Fsck.of(data).assertNote("index.leftover", ".bad");
        byte[] repaired = Files.readAllBytes(index());
        life(driver -> {
            assertThat(driver.owed("s1")).containsExactly(StoreDriver.key(1), StoreDriver.key(2), StoreDriver.key(4));
            assertThat(driver.read(StoreDriver.key(2), 4)).isEqualTo(StoreDriver.content(2, 4, FRAGMENT_BYTES));
        });
        assertThat(repaired).isNotEmpty();
        Fsck.of(data).assertNote("index.leftover", ".bad"); // the broker did not make it again
    }

    @Test
    void changedMissingAndAdditionalRowsOfTheIndexAreFoundAndRepaired() throws Exception {
        sql("UPDATE transfer SET changed = changed + 1 WHERE topic = 'site-b' LIMIT 1");
        Fsck.of(data).assertDamage("index.row", "table transfer row ");
        sql("DELETE FROM owed LIMIT 1");
        Fsck.of(data).assertDamage("index.row", "table owed row s1 ");
        sql("UPDATE fragment_run SET pos = pos + 4096");
        Fsck.of(data).assertDamage("index.row", "table fragment_run row ");
        sql("INSERT INTO receipt(publisher, seq, k, chk) SELECT CAST(k AS BINARY(16)), 99, k, 0 FROM transfer LIMIT 1");
        assertThat(Fsck.of(data).out()).contains("The log knows nothing of this row.");
        assertThat(Fsck.of(data, "--quick").code()).isZero();

        repairsAndStarts();
    }

    @Test
    void anOldIndexIsGoodAsLongAsTheLogHasTheRest() throws Exception {
        byte[] old = Files.readAllBytes(index());
        life(driver -> driver.put(6, 3L * FRAGMENT_BYTES, "s1"));
        Files.write(index(), old);

        Fsck result = Fsck.of(data);
        result.assertClean();
        assertThat(result.out()).contains("records after the index");
    }

    @Test
    void anIndexOlderThanTheLogIsFound() throws Exception {
        sql("UPDATE sentinel SET segment = 1, pos = 4096, seq = 1");
        Files.delete(segment(1));

        Fsck.of(data).assertDamage("index.unusable", index().toString());
    }

    private void sql(String statement) throws SQLException {
        IndexDamage.change(data, statement);
    }

    @Test
    void aDirectoryInUseIsRefusedAndTwoChecksAreNot() throws Exception {
        try (NodeDirectory node = NodeDirectory.open(new DiskStorage(), data)) {
            Fsck result = Fsck.run(data);
            assertThat(result.code()).isEqualTo(6);
            assertThat(result.err()).contains("is in use by another hawser process");
            assertThat(node.path()).isEqualTo(data);
        }
        Fsck.of(data).assertClean();
    }

    @Test
    void jsonHoldsSumsAndFindings() throws Exception {
        Files.delete(index());

        Fsck result = Fsck.of(data, "--json");
        assertThat(result.code()).isEqualTo(1);
        var tree = Json.tree(result.out().getBytes(StandardCharsets.UTF_8));
        assertThat(tree.at("/damages").asLong()).isEqualTo(1);
        assertThat(tree.at("/findings/0/kind").asText()).isEqualTo("index.missing");
        assertThat(tree.at("/directories/0/kind").asText()).isEqualTo("broker");
        assertThat(tree.at("/directories/0/checked/segments").asLong()).isPositive();
    }

    @Test
    void whatIsNoDataDirectoryIsAMistakeOfTheUsers() throws Exception {
        Fsck result = Fsck.of(Files.createDirectory(scratch.resolve("empty")));
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("is no data directory of Hawser");
        assertThat(Fsck.run().code()).isEqualTo(2);
    }
}
