package io.hawser.broker.store.local;

import io.hawser.store.runtime.StoreRuntime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check of rows of the index. It reads a snapshot of the database on a connection of its own, beside the index thread: neither the start of a
 * broker that owes millions of transfers waits for it, nor do its appends.
 *
 * <p>Thread: made and stopped by the index thread; {@link #check} runs on another.
 */
abstract class SnapshotCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCheck.class);

    final SqlStatements sql;
    private final Connection connection;
    private final String done;
    private long rows;
    private volatile boolean stopped;
    private boolean ended;

    /**
     * Takes a connection, which is closed at the end.
     *
     * @param done what the log says at the end
     */
    SnapshotCheck(Connection connection, String done) {
        this.connection = connection;
        this.sql = new SqlStatements(connection);
        this.done = done;
    }

    interface Verdict {
        /** Nothing is wrong, or {@code failure} is. Not called if the check was stopped. On its thread. */
        void done(@Nullable IndexFailedException failure);
    }

    /** Begins the snapshot with a first question. */
    final void begin(Runnable question) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SNAPSHOT");
            connection.setAutoCommit(false);
            question.run();
        } catch (SQLException | RuntimeException e) {
            close();
            throw cannotBeRead(e);
        }
    }

    /** Reads the rows; throws if something is wrong. */
    abstract void check();

    /** Checks them; a check that was stopped before does nothing. Blocks. */
    final synchronized void run(StoreRuntime runtime, Verdict verdict) {
        if (ended) {
            return;
        }
        ended = true;
        long startNanos = runtime.nowNanos();
        IndexFailedException failure = null;
        try {
            check();
        } catch (IndexFailedException e) {
            failure = e;
        } catch (RuntimeException | Error e) { // without a verdict everything that needs one would wait for ever
            failure = cannotBeRead(e);
        } finally {
            close();
        }
        if (!stopped) {
            LOG.atInfo()
                    .addKeyValue("rows", rows)
                    .addKeyValue("millis", (runtime.nowNanos() - startNanos) / 1_000_000)
                    .log(done);
            verdict.done(failure);
        }
    }

    private static IndexFailedException cannotBeRead(Throwable cause) {
        return new IndexFailedException("the index's rows cannot be looked at: " + cause, cause);
    }

    /** Another row is looked at. */
    final void next() {
        rows++;
        if (stopped) {
            throw new IndexFailedException("the look at the index's rows was stopped");
        }
    }

    /** Ends it, without a verdict, and waits until its connection is closed. */
    final void stop() {
        stopped = true;
        synchronized (this) { // free when it has ended
            if (!ended) {
                ended = true;
                close();
            }
        }
    }

    private void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("The connection of a look at a broken index could not be closed");
        }
    }
}
