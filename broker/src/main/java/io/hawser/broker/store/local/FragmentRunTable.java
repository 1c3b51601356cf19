package io.hawser.broker.store.local;

import io.hawser.common.log.LogPosition;
import io.hawser.common.model.TransferKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where fragments lie in the log, as runs. A fragment may be in several, when it was written again or moved; the last place in
 * the log holds.
 *
 * <p>Thread: index only.
 */
final class FragmentRunTable {
    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS fragment_run(k BINARY(32), first BIGINT, cnt BIGINT NOT NULL, segment BIGINT,"
                + " pos BIGINT, stride BIGINT NOT NULL, chk INT NOT NULL, PRIMARY KEY(k, first, segment, pos))",
        "CREATE INDEX IF NOT EXISTS fragment_run_segment ON fragment_run(segment)",
    };

    /** Longer runs are cut, so that a look-up need not look far back. */
    private static final int MAX_RUN = 256;

    private final SqlStatements sql;

    FragmentRunTable(SqlStatements sql) {
        this.sql = sql;
    }

    /** A run with the transfer that it belongs to. */
    record KeyedRun(TransferKey key, FragmentRun run) {}

    void save(TransferKey key, List<FragmentRun> runs) {
        byte[] k = H2Index.bytes(key);
        for (FragmentRun run : runs) {
            for (long from = 0; from < run.count(); from += MAX_RUN) {
                saveOne(
                        k,
                        new FragmentRun(
                                run.start() + from,
                                Math.min(MAX_RUN, run.count() - from),
                                run.positionOf(run.start() + from),
                                run.strideBytes()));
            }
        }
    }

    private void saveOne(byte[] k, FragmentRun run) {
        sql.update(
                "MERGE INTO fragment_run(k, first, cnt, segment, pos, stride, chk) KEY(k, first, segment, pos)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?)",
                k,
                run.start(),
                run.count(),
                run.first().segment(),
                run.first().offset(),
                run.strideBytes(),
                checksum(k, run).value());
    }

    private static RowChecksum checksum(byte[] k, FragmentRun run) {
        return new RowChecksum()
                .bytes(k)
                .longs(
                        run.start(),
                        run.count(),
                        run.first().segment(),
                        run.first().offset(),
                        run.strideBytes());
    }

    /** Where a fragment was written last, or null if the index does not know. */
    @Nullable
    LogPosition locate(TransferKey key, long index) {
        KeyedRun keyed = sql.first(
                "SELECT first, cnt, segment, pos, stride, k, chk FROM fragment_run WHERE k = ? AND first <= ?"
                        + " AND first > ? AND first + cnt > ? ORDER BY segment DESC, pos DESC LIMIT 1",
                FragmentRunTable::read,
                H2Index.bytes(key),
                index,
                index - MAX_RUN,
                index);
        return keyed == null ? null : keyed.run().positionOf(index);
    }

    private static KeyedRun read(ResultSet row) throws SQLException {
        FragmentRun run = new FragmentRun(
                row.getLong(1), row.getLong(2), new LogPosition(row.getLong(3), row.getLong(4)), row.getLong(5));
        byte[] k = row.getBytes(6);
        checksum(k, run).check(row.getInt(7), "fragment_run");
        return new KeyedRun(H2Index.key(k), run);
    }

    /** Runs in {@code segment} or older ones. */
    List<KeyedRun> upTo(long segment, int limit) {
        return sql.list(
                "SELECT first, cnt, segment, pos, stride, k, chk FROM fragment_run WHERE segment <= ? LIMIT ?",
                FragmentRunTable::read,
                segment,
                limit);
    }

    void delete(KeyedRun keyed) {
        sql.update(
                "DELETE FROM fragment_run WHERE k = ? AND first = ? AND segment = ? AND pos = ?",
                H2Index.bytes(keyed.key()),
                keyed.run().start(),
                keyed.run().first().segment(),
                keyed.run().first().offset());
    }

    /** Forgets where a transfer's fragments lie. */
    void deleteAll(TransferKey key) {
        sql.update("DELETE FROM fragment_run WHERE k = ?", (Object) H2Index.bytes(key));
    }

    /** Forgets where fragments lie whose transfers are not known. */
    void deleteOrphans() {
        sql.update("DELETE FROM fragment_run r WHERE NOT EXISTS (SELECT 1 FROM transfer t WHERE t.k = r.k)");
    }
}
