package io.hawser.broker.store.local;

import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks every row of the index that says what is owed or names a receipt: a flipped bit in a key would hide the row for ever. It
 * also compares each subscription's count with its rows. Only questions about what is owed wait for it.
 *
 * <p>Thread: see {@link SnapshotCheck}.
 */
final class IndexRowsCheck extends SnapshotCheck {
    private final Map<String, Long> expected = new HashMap<>();

    private IndexRowsCheck(Connection connection) {
        super(connection, "Index's rows looked at");
    }

    /** Begins the snapshot. The connection is closed at the end. */
    static IndexRowsCheck ofNow(Connection connection) {
        IndexRowsCheck check = new IndexRowsCheck(connection);
        check.begin(() -> check.sql
                .list("SELECT name, owed FROM subscription", row -> Map.entry(row.getString(1), row.getLong(2)))
                .forEach(each -> check.expected.put(each.getKey(), each.getValue())));
        return check;
    }

    @Override
    void check() {
        owed();
        receipts();
    }

    private void owed() {
        Map<String, Long> found = new HashMap<>();
        sql.lazily("SELECT subscription, seq, k, chk FROM owed ORDER BY subscription, seq", row -> {
            next();
            TransferTable.owedChecksum(row.getString(1), row.getLong(2), row.getBytes(3))
                    .check(row.getInt(4), "owed");
            found.merge(row.getString(1), 1L, Long::sum);
        });
        expected.forEach((name, owed) -> {
            Long removed = found.remove(name);
            long there = removed == null ? 0 : removed;
            if (there != owed) {
                throw new IndexFailedException(
                        "subscription " + name + " is owed " + owed + " transfers, and there are " + there);
            }
        });
        if (!found.isEmpty()) {
            throw new IndexFailedException("transfers are owed to no subscription");
        }
    }

    private void receipts() {
        sql.lazily("SELECT publisher, seq, k, chk FROM receipt ORDER BY publisher, seq", row -> {
            next();
            TransferTable.receiptChecksum(row.getBytes(1), row.getLong(2), row.getBytes(3))
                    .check(row.getInt(4), "receipt");
        });
    }
}
