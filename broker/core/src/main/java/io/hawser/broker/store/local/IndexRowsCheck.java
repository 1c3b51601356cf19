package io.hawser.broker.store.local;

import io.hawser.store.log.UninterruptibleJoin;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every row of the index that says what is owed or names a receipt: a flipped bit in a key would hide the row for ever. It
 * also compares each subscription's count with its rows. The rows of transfers are looked at when they are read.
 *
 * <p>It reads a snapshot of the database on a connection and a thread of its own, so that the start of a broker that owes
 * millions of transfers does not wait for it, nor do its appends; only questions about what is owed do.
 *
 * <p>Thread: made and stopped by the index thread; {@link #run} on another.
 */
final class IndexRowsCheck {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRowsCheck.class);

    private final Connection connection;
    private final SqlStatements sql;
    private final Map<String, Long> expected = new HashMap<>();
    private long rows;
    private volatile boolean stopped;
    private volatile @Nullable Thread thread;

    private IndexRowsCheck(Connection connection) {
        this.connection = connection;
        this.sql = new SqlStatements(connection);
    }

    /** Begins the snapshot. The connection is closed at the end. */
    static IndexRowsCheck ofNow(Connection connection) {
        IndexRowsCheck check = new IndexRowsCheck(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SNAPSHOT");
            connection.setAutoCommit(false);
            check.sql
                    .list("SELECT name, owed FROM subscription", row -> Map.entry(row.getString(1), row.getLong(2)))
                    .forEach(each -> check.expected.put(each.getKey(), each.getValue()));
            return check;
        } catch (SQLException | RuntimeException e) {
            check.close();
            throw new IndexFailedException("the index's rows cannot be looked at: " + e.getMessage(), e);
        }
    }

    interface Verdict {
        /** Nothing is wrong, or {@code failure} is. Not called if the check was stopped. On its thread. */
        void done(@Nullable IndexFailedException failure);
    }

    /** Begins on a thread of its own. */
    void start(Verdict verdict) {
        Thread fresh = new Thread(() -> run(verdict), "hawser-index-check");
        fresh.setDaemon(true);
        thread = fresh;
        fresh.start();
    }

    private void run(Verdict verdict) {
        long startNanos = System.nanoTime();
        IndexFailedException failure = null;
        try {
            owed();
            receipts();
        } catch (IndexFailedException e) {
            failure = e;
        } catch (RuntimeException
                | Error e) { // without a verdict every question about what is owed would wait for ever
            failure = new IndexFailedException("the index's rows cannot be looked at: " + e, e);
        } finally {
            close();
        }
        if (!stopped) {
            LOG.atInfo()
                    .addKeyValue("rows", rows)
                    .addKeyValue("millis", (System.nanoTime() - startNanos) / 1_000_000)
                    .log("Index's rows looked at");
            verdict.done(failure);
        }
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

    private void next() {
        rows++;
        if (stopped) {
            throw new IndexFailedException("the look at the index's rows was stopped");
        }
    }

    /** Ends it, without a verdict, and waits until its connection is closed. */
    void stop() {
        stopped = true;
        Thread running = thread;
        if (running == null) {
            close();
            return;
        }
        UninterruptibleJoin.await(running);
    }

    private void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("The connection of a look at a broken index could not be closed");
        }
    }
}
