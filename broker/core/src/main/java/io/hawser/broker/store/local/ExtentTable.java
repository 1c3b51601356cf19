package io.hawser.broker.store.local;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogPosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table that maps fragments to their places in the log, as packs of extents. A fragment that was rewritten or moved may be in
 * several; the last place in the log counts.
 *
 * <p>Thread: index only.
 */
record ExtentTable(SqlStatements sql) {
    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS fragment_run(k BINARY(32), first BIGINT, cnt BIGINT NOT NULL, segment BIGINT,"
                + " pos BIGINT, runs VARBINARY(16384) NOT NULL, chk INT NOT NULL,"
                + " PRIMARY KEY(k, first, segment, pos))",
    };

    /** What a database is asked by when it is filled. */
    static final String[] INDEXES = {
        "CREATE INDEX IF NOT EXISTS fragment_run_segment ON fragment_run(segment)",
    };

    private static final String ALL_OF_IT = "SELECT first, cnt, segment, pos, runs, k, chk FROM fragment_run";

    record KeyedPack(TransferKey key, ExtentPack pack) {}

    void save(TransferKey key, List<Extent> runs) {
        byte[] k = H2Index.bytes(key);
        for (ExtentPack pack : ExtentPack.of(runs)) {
            byte[] encoded = pack.encoded();
            long span = pack.end() - pack.start();
            sql.update(
                    "MERGE INTO fragment_run(k, first, cnt, segment, pos, runs, chk) KEY(k, first, segment, pos)"
                            + " VALUES(?, ?, ?, ?, ?, ?, ?)",
                    k,
                    pack.start(),
                    span,
                    pack.first().segment(),
                    pack.first().offset(),
                    encoded,
                    checksum(k, pack.start(), span, pack.first(), encoded).value());
        }
    }

    private static RowChecksum checksum(byte[] k, long start, long span, LogPosition first, byte[] encoded) {
        return new RowChecksum()
                .bytes(k)
                .longs(start, span, first.segment(), first.offset())
                .bytes(encoded);
    }

    /** Where a fragment was written last, or null if the index does not know. */
    @Nullable
    LogPosition locate(TransferKey key, long index) {
        List<KeyedPack> packs = sql.list(
                ALL_OF_IT + " WHERE k = ? AND first <= ?" + " AND first > ? AND first + cnt > ?",
                ExtentTable::read,
                H2Index.bytes(key),
                index,
                index - ExtentPack.MAX_SPAN,
                index);
        LogPosition last = null;
        for (KeyedPack keyed : packs) {
            for (Extent run : keyed.pack().runs()) {
                if (run.contains(index)
                        && (last == null || run.positionOf(index).compareTo(last) > 0)) {
                    last = run.positionOf(index);
                }
            }
        }
        return last;
    }

    /** Which fragments of a transfer its rows name, and how many rows those are. */
    record Coverage(FragmentRanges fragments, int rows) {}

    /** Reads the columns of the index by key first: H2 takes them from there, and not yet from the row. */
    Coverage coverage(TransferKey key) {
        FragmentRanges fragments = new FragmentRanges();
        int rows = sql.list(
                        "SELECT k, first, segment, pos, cnt, runs, chk FROM fragment_run WHERE k = ?",
                        row -> {
                            for (Extent run : read(row).pack().runs()) {
                                fragments.add(run.start(), run.start() + run.count());
                            }
                            return Boolean.TRUE;
                        },
                        (Object) H2Index.bytes(key))
                .size();
        return new Coverage(fragments, rows);
    }

    private static KeyedPack read(ResultSet row) throws SQLException {
        byte[] k = row.getBytes("k");
        byte[] encoded = row.getBytes("runs");
        LogPosition first = new LogPosition(row.getLong("segment"), row.getLong("pos"));
        long start = row.getLong("first");
        checksum(k, start, row.getLong("cnt"), first, encoded).check(row.getInt("chk"), "fragment_run");
        return new KeyedPack(H2Index.key(k), ExtentPack.decoded(start, first, encoded));
    }

    /** Packs in {@code segment} or older ones. */
    List<KeyedPack> upTo(long segment, int limit) {
        return sql.list(ALL_OF_IT + " WHERE segment <= ? LIMIT ?", ExtentTable::read, segment, limit);
    }

    /** Checks all rows, and that {@link #upTo} finds each by its segment: H2 takes the first column from the index, not from the row. */
    void eachBySegment(Runnable each) {
        sql.lazily(ALL_OF_IT.replace("SELECT ", "SELECT segment AS entry, ") + " ORDER BY segment", row -> {
            long segment = read(row).pack().first().segment();
            if (row.getLong("entry") != segment) {
                throw new IndexFailedException("a row of table fragment_run is not found by its segment " + segment);
            }
            each.run();
        });
    }

    /** Of a {@link DetachedPayloadLog}: the lowest place that is named, by area. Reads all rows. */
    Map<Integer, Long> lowestPlaces() {
        Map<Integer, Long> lowest = new HashMap<>();
        var unused = sql.list(ALL_OF_IT, row -> {
            for (Extent run : read(row).pack().runs()) {
                long place = run.first().offset();
                lowest.merge(DetachedPayloadLog.areaOf(place), DetachedPayloadLog.numberOf(place), Math::min);
            }
            return Boolean.TRUE;
        });
        return lowest;
    }

    /** How many fragments the packs name, about: those that are missing between them count as well. */
    long fragments() {
        Long sum = sql.first("SELECT COALESCE(SUM(cnt), 0) FROM fragment_run", row -> row.getLong(1));
        return sum == null ? 0 : sum;
    }

    void delete(KeyedPack keyed) {
        sql.update(
                "DELETE FROM fragment_run WHERE k = ? AND first = ? AND segment = ? AND pos = ?",
                H2Index.bytes(keyed.key()),
                keyed.pack().start(),
                keyed.pack().first().segment(),
                keyed.pack().first().offset());
    }

    /** Forgets where a transfer's fragments lie. */
    void deleteAll(TransferKey key) {
        sql.update("DELETE FROM fragment_run WHERE k = ?", (Object) H2Index.bytes(key));
    }

    /** Deletes the extents of unknown transfers. */
    void deleteOrphans() {
        sql.update("DELETE FROM fragment_run r WHERE NOT EXISTS (SELECT 1 FROM transfer t WHERE t.k = r.k)");
    }
}
