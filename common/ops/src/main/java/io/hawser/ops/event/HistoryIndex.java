package io.hawser.ops.event;

import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The H2 database of the history: a row for each finished transfer, one for each of which only a part is known, and how far the event log
 * was read. H2 forces nothing, and nothing here is believed: {@link History} deletes it at any doubt, and makes it again from the log.
 *
 * <p>Thread: {@code hawser-history}.
 */
final class HistoryIndex implements AutoCloseable {
    /** Raised with every change of the schema or of the rows' bodies. */
    private static final int FORMAT = 2;

    private static final String NAME = "history";
    private static final int PRIVATE_FILE_MODE = 0600;
    private static final int CACHE_KIB = 4 << 10;
    private static final int DELETED_AT_ONCE = 1000;
    /** As the schema has it. */
    private static final int TAIL_CHARS = 16;
    /** A file of this size is left as it is. */
    private static final long SMALL_FILE_BYTES = 32L << 20;
    /** What a row takes at least, with its places in the orders. */
    private static final long ROW_BYTES = 512;

    private static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS sentinel(id INT PRIMARY KEY, log_id VARCHAR(32), format INT, next BIGINT)",
        "CREATE TABLE IF NOT EXISTS unfinished(k VARBINARY(32) PRIMARY KEY, latest BIGINT NOT NULL, body VARBINARY(100000))",
        "CREATE TABLE IF NOT EXISTS history(seq BIGINT PRIMARY KEY, ended BIGINT NOT NULL, topic VARCHAR(255) NOT NULL,"
                + " name VARCHAR(4096) NOT NULL, tail VARCHAR(16) NOT NULL, failed BOOLEAN NOT NULL, k VARBINARY(32), body VARBINARY(100000))",
        "CREATE INDEX IF NOT EXISTS history_k ON history(k)",
        "CREATE INDEX IF NOT EXISTS history_ended ON history(ended DESC, seq DESC)",
        "CREATE INDEX IF NOT EXISTS history_topic ON history(topic, ended DESC, seq DESC)",
        "CREATE INDEX IF NOT EXISTS history_failed ON history(failed, ended DESC, seq DESC)",
        "CREATE INDEX IF NOT EXISTS history_name ON history(name, ended DESC, seq DESC)",
        "CREATE INDEX IF NOT EXISTS history_tail ON history(tail)",
    };

    private final Storage storage;
    private final Path file;
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private long rows;

    private HistoryIndex(Storage storage, Path file, Connection connection) throws SQLException {
        this.storage = storage;
        this.file = file;
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            for (String command : SCHEMA) {
                statement.execute(command);
            }
            connection.setAutoCommit(false);
            try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM history")) {
                count.next();
                rows = count.getLong(1);
            }
        }
    }

    /**
     * Opens the database in {@code directory}, made if it is not there. Blocks. H2 writes, and reuses space, in commits alone, which are on this
     * thread: so never under a question that reads row by row.
     */
    static HistoryIndex open(Storage storage, Path directory) throws StorageException, SQLException {
        storage.createPrivateDirectory(directory);
        @Nullable
        Connection connection = new org.h2.Driver()
                .connect(
                        "jdbc:h2:file:" + directory.toAbsolutePath().resolve(NAME)
                                + ";DB_CLOSE_ON_EXIT=FALSE;FILE_LOCK=NO;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0"
                                + ";MAX_COMPACT_TIME=0;RETENTION_TIME=0;WRITE_DELAY=0;CACHE_SIZE=" + CACHE_KIB,
                        new Properties());
        if (connection == null) {
            throw new SQLException("H2 does not take the address of " + directory);
        }
        Path file = directory.resolve(NAME + ".mv.db");
        try {
            HistoryIndex index = new HistoryIndex(storage, file, connection);
            storage.setMode(file, PRIVATE_FILE_MODE);
            return index;
        } catch (SQLException | StorageException e) {
            connection.close(); // or H2 would keep it open, whatever becomes of its file
            throw e;
        }
    }

    /** Deletes what is in {@code directory}. */
    static void delete(Storage storage, Path directory) throws StorageException {
        for (String name : storage.list(directory)) {
            if (name.startsWith(NAME)) {
                storage.delete(directory.resolve(name));
            }
        }
    }

    /** The number of the first event that the rows do not have; 0 if that is not known of this log. */
    long next(String logId) throws SQLException {
        try (ResultSet found =
                query("SELECT next FROM sentinel WHERE id = 1 AND log_id = ? AND format = ?", logId, FORMAT)) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    void commit(String logId, long next) throws SQLException {
        update("MERGE INTO sentinel(id, log_id, format, next) KEY(id) VALUES(1, ?, ?, ?)", logId, FORMAT, next);
        connection.commit();
    }

    long rows() {
        return rows;
    }

    /** What the database takes on the disk. */
    long fileBytes() throws StorageException {
        FileFacts facts = storage.facts(file);
        return facts == null ? 0 : facts.sizeBytes();
    }

    /**
     * Whether most of the file is space that H2 does not reuse, since each small commit writes whole pages.
     *
     * @param compactBytes what the file took after the last {@link #compact}; 0 if that is not known
     */
    boolean isBloated(long compactBytes) throws StorageException {
        return fileBytes() > SMALL_FILE_BYTES + 2 * Math.max(compactBytes, rows * ROW_BYTES);
    }

    /** Rewrites the file with nothing but the rows, and closes the database. Blocks, for some seconds where there are very many. */
    void compact() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN COMPACT");
        }
    }

    /** What is known of a transfer, finished or not; null if nothing is. */
    @Nullable
    HistoryEntry find(TransferKey key) throws SQLException {
        byte[] bytes = bytes(key);
        try (ResultSet found = query("SELECT body FROM unfinished WHERE k = ?", (Object) bytes)) {
            if (found.next()) {
                return HistoryEntry.read(key, found.getBytes(1));
            }
        }
        try (ResultSet found = query("SELECT body FROM history WHERE k = ?", (Object) bytes)) {
            return found.next() ? HistoryEntry.read(key, found.getBytes(1)) : null;
        }
    }

    /** Writes it; {@code wasKnown}: {@link #find} found it. */
    void put(HistoryEntry entry, boolean wasKnown) throws SQLException {
        TransferKey key = entry.key;
        byte[] bytes = key == null ? null : bytes(key);
        if (!entry.hasEnded()) {
            update(
                    "MERGE INTO unfinished(k, latest, body) KEY(k) VALUES(?, ?, ?)",
                    bytes,
                    entry.latestMillis,
                    entry.toBytes());
            return;
        }
        if (wasKnown) {
            update("DELETE FROM unfinished WHERE k = ?", (Object) bytes);
            rows -= update("DELETE FROM history WHERE seq = ?", entry.sequence);
        }
        rows += update(
                "INSERT INTO history(seq, ended, topic, name, tail, failed, k, body) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                entry.sequence,
                entry.endedMillis,
                entry.topic,
                entry.name,
                tail(entry.name),
                entry.isFailed(),
                bytes,
                entry.toBytes());
    }

    /** Deletes what began before that and has not ended: its end was lost, or nobody is told of it. */
    void expireUnfinished(long beforeMillis) throws SQLException {
        update("DELETE FROM unfinished WHERE latest < ?", beforeMillis);
    }

    /** Deletes the rows that ended first, some at once. Returns whether there may be more to delete. */
    boolean expire(long keepRows, long beforeMillis) throws SQLException {
        long tooMany = Math.min(DELETED_AT_ONCE, Math.max(0, rows - keepRows));
        long gone = update(
                "DELETE FROM history WHERE seq IN (SELECT seq FROM history WHERE ended < ? ORDER BY ended LIMIT ?)",
                beforeMillis,
                DELETED_AT_ONCE);
        if (tooMany > gone) {
            gone += update(
                    "DELETE FROM history WHERE seq IN (SELECT seq FROM history ORDER BY seq LIMIT ?)", tooMany - gone);
        }
        rows -= gone;
        return gone >= DELETED_AT_ONCE;
    }

    /** The number of the oldest row; 0 if there is none. */
    long oldest() throws SQLException {
        try (ResultSet found = query("SELECT MIN(seq) FROM history")) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    /** What matches, the newest first, at most the query's limit and one more. */
    List<HistoryEntry> find(HistoryQuery query, Predicate<String> seesTopic) throws SQLException {
        return new HistorySearch(connection, query, seesTopic).run();
    }

    /** The last characters of a name, the last one first: names that end alike are beside each other. */
    static String tail(String name) {
        StringBuilder tail = new StringBuilder(TAIL_CHARS);
        for (int i = name.length() - 1; i >= Math.max(0, name.length() - TAIL_CHARS); i--) {
            tail.append(name.charAt(i)); // a pair of surrogates is turned round too, since nobody reads it
        }
        return tail.toString();
    }

    /** As the table has a key. */
    static byte[] bytes(TransferKey key) {
        return key.putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES)).array();
    }

    private int update(String sql, @Nullable Object... values) throws SQLException {
        return statement(sql, values).executeUpdate();
    }

    private ResultSet query(String sql, @Nullable Object... values) throws SQLException {
        return statement(sql, values).executeQuery();
    }

    private PreparedStatement statement(String sql, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
