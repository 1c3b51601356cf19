package io.hawser.broker.store.local;

import io.hawser.common.log.LogPosition;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.relay.RelayStore.KeptReceipt;
import io.hawser.common.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fold of the log in H2: transfers, where their fragments lie, what is owed to whom, receipts, subscriptions, tombstones,
 * and the sentinel that says how far into which log it has come.
 *
 * <p>H2 does not force its commits, and opens an empty database over a file that has been cut: so nothing is believed without
 * the sentinel, and anything odd throws {@link IndexFailedException}, upon which the index is made again.
 *
 * <p>A page is read in the order of an index, whose columns the query names all: otherwise H2 sorts all that follows for each page.
 *
 * <p>Thread: index only.
 */
final class H2Index implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(H2Index.class);

    /** Raised with every change of the schema or of what the rows hold; an index of another format is made again. */
    static final int FORMAT = 2;

    static final String FILE_NAME = "index";
    static final String FILE_SUFFIX = ".mv.db";
    private static final int CACHE_KIB = 8 << 10;

    private static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS sentinel(id INT PRIMARY KEY, log_id VARCHAR(32) NOT NULL, format INT NOT NULL,"
                + " segment BIGINT NOT NULL, pos BIGINT NOT NULL, seq BIGINT NOT NULL, kept BIGINT NOT NULL,"
                + " reserved BIGINT NOT NULL, chk INT NOT NULL, clean BOOLEAN NOT NULL)",
        "CREATE TABLE IF NOT EXISTS transfer(k BINARY(32) PRIMARY KEY, seq BIGINT NOT NULL, opened BIGINT NOT NULL,"
                + " changed BIGINT NOT NULL, first_segment BIGINT NOT NULL, topic VARCHAR(128) NOT NULL,"
                + " state TINYINT NOT NULL, chk INT NOT NULL, body VARBINARY(1048576) NOT NULL)",
        "CREATE INDEX IF NOT EXISTS transfer_open ON transfer(state, changed)",
        "CREATE INDEX IF NOT EXISTS transfer_topic ON transfer(topic, state, seq)",
        "CREATE INDEX IF NOT EXISTS transfer_segment ON transfer(first_segment)",
        "CREATE INDEX IF NOT EXISTS transfer_opened ON transfer(opened)",
        "CREATE TABLE IF NOT EXISTS owed(subscription VARCHAR(128), seq BIGINT, k BINARY(32) NOT NULL,"
                + " chk INT NOT NULL, PRIMARY KEY(subscription, seq))",
        "CREATE TABLE IF NOT EXISTS receipt(publisher BINARY(16), seq BIGINT, k BINARY(32) NOT NULL,"
                + " chk INT NOT NULL, PRIMARY KEY(publisher, seq))",
        "CREATE TABLE IF NOT EXISTS subscription(name VARCHAR(128) PRIMARY KEY, segment BIGINT NOT NULL,"
                + " owed BIGINT NOT NULL, owed_bytes BIGINT NOT NULL, last_owed BIGINT NOT NULL,"
                + " chk INT NOT NULL, spec VARBINARY(4096) NOT NULL)",
        "CREATE TABLE IF NOT EXISTS tombstones(id BIGINT PRIMARY KEY, segment BIGINT NOT NULL,"
                + " chk INT NOT NULL, body VARBINARY(1048576) NOT NULL)",
    };

    /** The state column. */
    static final int OPEN = 1;

    static final int UNCLAIMED = 2;
    static final int KEPT = 3;
    static final int RELEASED = 4;

    private final Connection connection;
    private final SqlStatements sql;
    private final FragmentRunTable runs;

    private H2Index(Connection connection) {
        this.connection = connection;
        this.sql = new SqlStatements(connection);
        this.runs = new FragmentRunTable(sql);
    }

    /** Opens the database in {@code directory}, made if it is not there. */
    static H2Index open(Path directory) {
        Connection connection = connect(directory, "");
        try {
            try (Statement statement = connection.createStatement()) {
                for (String command : SCHEMA) {
                    statement.execute(command);
                }
                for (String command : FragmentRunTable.SCHEMA) {
                    statement.execute(command);
                }
            }
            connection.setAutoCommit(false);
            return new H2Index(connection);
        } catch (SQLException | RuntimeException e) {
            throw new IndexFailedException("the index cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Opens a database that is there so that nothing can be written to it. */
    static H2Index openForReading(Path directory) {
        return new H2Index(connect(directory, ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE;LAZY_QUERY_EXECUTION=1"));
    }

    private static Connection connect(Path directory, String more) {
        String url = "jdbc:h2:file:" + directory.toAbsolutePath().resolve(FILE_NAME)
                + ";DB_CLOSE_ON_EXIT=FALSE;FILE_LOCK=NO;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0;MAX_COMPACT_TIME=0;WRITE_DELAY=0;CACHE_SIZE="
                + CACHE_KIB + more;
        try {
            Connection connection = new org.h2.Driver().connect(url, new Properties());
            if (connection == null) {
                throw new IndexFailedException("H2 does not take the path " + directory);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            throw new IndexFailedException("the index cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Where fragments lie. */
    FragmentRunTable runs() {
        return runs;
    }

    /** The sentinel, or null if there is none, or it is of another log or format. */
    @Nullable
    AppliedPosition sentinel(String logId) {
        return sql.first(
                "SELECT segment, pos, seq, kept, reserved, chk FROM sentinel WHERE id = 1 AND log_id = ? AND format = ?",
                row -> {
                    AppliedPosition applied = new AppliedPosition(
                            row.getLong(3),
                            new LogPosition(row.getLong(1), row.getLong(2)),
                            row.getLong(4),
                            row.getLong(5));
                    checksum(applied).check(row.getInt(6), "sentinel");
                    return applied;
                },
                logId,
                FORMAT);
    }

    /** Of which log the sentinel speaks; an empty string if there is none. */
    String sentinelLogId() {
        String id = sql.first("SELECT log_id FROM sentinel WHERE id = 1", row -> row.getString(1));
        return id == null ? "" : id;
    }

    private static RowChecksum checksum(AppliedPosition applied) {
        return new RowChecksum()
                .longs(
                        applied.sequence(),
                        applied.next().segment(),
                        applied.next().offset(),
                        applied.keptBytes(),
                        applied.reservedBytes());
    }

    void saveSentinel(String logId, AppliedPosition applied, boolean clean) {
        sql.update(
                "MERGE INTO sentinel(id, log_id, format, segment, pos, seq, kept, reserved, chk, clean) KEY(id)"
                        + " VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                logId,
                FORMAT,
                applied.next().segment(),
                applied.next().offset(),
                applied.sequence(),
                applied.keptBytes(),
                applied.reservedBytes(),
                checksum(applied).value(),
                clean);
    }

    void commit() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new IndexFailedException("the index could not commit", e);
        }
    }

    /** Commits and forces: the only way in which H2 makes anything durable. */
    void checkpoint() {
        commit();
        sql.update("CHECKPOINT SYNC");
    }

    @Nullable
    TransferState load(TransferKey key) {
        byte[] k = bytes(key);
        TransferState state = sql.first(
                "SELECT body, first_segment, k, chk, seq, opened, changed, topic, state FROM transfer WHERE k = ?",
                H2Index::readTransfer,
                (Object) k);
        if (state != null) {
            state.stored = true;
            state.storedRuns = true;
            state.storedOwed.addAll(state.owed);
            state.receipts.values().forEach(kept -> state.storedReceipts.add(kept.sequence()));
        }
        return state;
    }

    private static TransferState readTransfer(ResultSet row) throws SQLException {
        byte[] body = row.getBytes(1);
        new RowChecksum()
                .bytes(body)
                .bytes(row.getBytes(3))
                .longs(row.getLong(2), row.getLong(5), row.getLong(6), row.getLong(7), row.getInt(9))
                .text(row.getString(8))
                .check(row.getInt(4), "transfer");
        try {
            return TransferState.read(new BodyReader(body), row.getLong(2));
        } catch (StorageException e) {
            throw new IndexFailedException("a transfer in the index cannot be read", e);
        }
    }

    /** Writes what has changed of {@code state} since it was loaded or written last. */
    void save(TransferState state) {
        byte[] k = bytes(state.key());
        if (state.removed) {
            delete(state, k);
            return;
        }
        BodyWriter out = new BodyWriter();
        state.write(out);
        byte[] body = out.toBytes();
        sql.update(
                "MERGE INTO transfer(k, seq, opened, changed, first_segment, topic, state, chk, body) KEY(k)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                k,
                state.commitSequence,
                state.openedMillis,
                state.changedMillis,
                state.firstSegment,
                state.manifest.topic().name(),
                column(state),
                new RowChecksum()
                        .bytes(body)
                        .bytes(k)
                        .longs(
                                state.firstSegment,
                                state.commitSequence,
                                state.openedMillis,
                                state.changedMillis,
                                column(state))
                        .text(state.manifest.topic().name())
                        .value(),
                body);
        saveOwed(state, k);
        saveReceipts(state, k);
        runs.save(state.key(), state.newRuns);
        if (state.released && (state.storedRuns || !state.newRuns.isEmpty())) {
            runs.deleteAll(state.key());
        }
        state.storedRuns = !state.released;
        state.newRuns.clear();
        state.stored = true;
    }

    private static int column(TransferState state) {
        if (!state.committed()) {
            return OPEN;
        }
        if (state.unclaimed()) {
            return UNCLAIMED;
        }
        return state.released ? RELEASED : KEPT;
    }

    private void delete(TransferState state, byte[] k) {
        if (!state.stored) {
            return;
        }
        state.owed.clear();
        state.receipts.clear();
        saveOwed(state, k);
        saveReceipts(state, k);
        runs.deleteAll(state.key());
        sql.update("DELETE FROM transfer WHERE k = ?", (Object) k);
        state.stored = false;
    }

    private void saveOwed(TransferState state, byte[] k) {
        for (String subscription : state.owed) {
            if (!state.storedOwed.contains(subscription)) {
                sql.update(
                        "MERGE INTO owed(subscription, seq, k, chk) KEY(subscription, seq) VALUES(?, ?, ?, ?)",
                        subscription,
                        state.commitSequence,
                        k,
                        owedChecksum(subscription, state.commitSequence, k).value());
            }
        }
        for (String subscription : state.storedOwed) {
            if (!state.owed.contains(subscription)) {
                sql.update("DELETE FROM owed WHERE subscription = ? AND seq = ?", subscription, state.commitSequence);
            }
        }
        state.storedOwed.clear();
        state.storedOwed.addAll(state.owed);
    }

    private static RowChecksum owedChecksum(String subscription, long sequence, byte[] k) {
        return new RowChecksum().text(subscription).longs(sequence).bytes(k);
    }

    private static RowChecksum receiptChecksum(byte[] publisher, long sequence, byte[] k) {
        return new RowChecksum().bytes(publisher).longs(sequence).bytes(k);
    }

    private void saveReceipts(TransferState state, byte[] k) {
        byte[] publisher = bytes(state.key().publisher());
        List<Long> now = new ArrayList<>();
        for (KeptReceipt kept : state.receipts.values()) {
            now.add(kept.sequence());
            if (!state.storedReceipts.contains(kept.sequence())) {
                sql.update(
                        "MERGE INTO receipt(publisher, seq, k, chk) KEY(publisher, seq) VALUES(?, ?, ?, ?)",
                        publisher,
                        kept.sequence(),
                        k,
                        receiptChecksum(publisher, kept.sequence(), k).value());
            }
        }
        for (long sequence : state.storedReceipts) {
            if (!now.contains(sequence)) {
                sql.update("DELETE FROM receipt WHERE publisher = ? AND seq = ?", publisher, sequence);
            }
        }
        state.storedReceipts.clear();
        state.storedReceipts.addAll(now);
    }

    /** Transfers whose state needs {@code segment} or an older one. */
    List<TransferKey> transfersUpTo(long segment, int limit) {
        return keys("SELECT k FROM transfer WHERE first_segment <= ? LIMIT ?", segment, limit);
    }

    List<TransferKey> owed(String subscription, long afterSequence, int limit) {
        return keys(
                "SELECT k FROM owed WHERE subscription = ? AND seq > ? ORDER BY subscription, seq LIMIT ?",
                subscription,
                afterSequence,
                limit);
    }

    /** Transfers of a topic in a state, after a commit sequence, ascending by it. */
    List<TransferKey> ofTopic(Topic topic, int state, long afterSequence, int limit) {
        return keys(
                "SELECT k FROM transfer WHERE topic = ? AND state = ? AND seq > ? ORDER BY topic, state, seq LIMIT ?",
                topic.name(),
                state,
                afterSequence,
                limit);
    }

    List<TransferKey> openSince(long epochMillis, int limit) {
        return changedBefore(OPEN, epochMillis, limit);
    }

    List<TransferKey> unclaimedSince(long epochMillis, int limit) {
        return changedBefore(UNCLAIMED, epochMillis, limit);
    }

    private List<TransferKey> changedBefore(int state, long epochMillis, int limit) {
        return keys(
                "SELECT k FROM transfer WHERE state = ? AND changed < ? ORDER BY state, changed LIMIT ?",
                state,
                epochMillis,
                limit);
    }

    List<TransferKey> latest(int limit) {
        return keys("SELECT k FROM transfer ORDER BY opened DESC LIMIT ?", limit);
    }

    /** A receipt's number and the transfer that it is kept with. */
    record ReceiptRow(long sequence, TransferKey key) {}

    List<ReceiptRow> receipts(NodeId publisher, long afterSequence, int limit) {
        return sql.list(
                "SELECT seq, k FROM receipt WHERE publisher = ? AND seq > ? ORDER BY publisher, seq LIMIT ?",
                row -> new ReceiptRow(row.getLong(1), key(row.getBytes(2))),
                bytes(publisher),
                afterSequence,
                limit);
    }

    private List<TransferKey> keys(String query, Object... values) {
        return sql.list(query, row -> key(row.getBytes(1)), values);
    }

    void saveSubscription(SubscriptionState state) {
        byte[] spec = new BodyWriter().subscription(state.spec).toBytes();
        sql.update(
                "MERGE INTO subscription(name, segment, owed, owed_bytes, last_owed, chk, spec) KEY(name)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?)",
                state.spec.name(),
                state.segment,
                state.owedTransfers,
                state.owedBytes,
                state.lastOwedSequence,
                checksum(state, state.spec.name(), spec).value(),
                spec);
    }

    private static RowChecksum checksum(SubscriptionState state, String name, byte[] spec) {
        return new RowChecksum()
                .text(name)
                .bytes(spec)
                .longs(state.segment, state.owedTransfers, state.owedBytes, state.lastOwedSequence);
    }

    void deleteSubscription(String name) {
        sql.update("DELETE FROM subscription WHERE name = ?", name);
    }

    List<SubscriptionState> subscriptions() {
        return sql.list(
                "SELECT segment, owed, owed_bytes, last_owed, spec, chk, name FROM subscription",
                H2Index::readSubscription);
    }

    private static SubscriptionState readSubscription(ResultSet row) throws SQLException {
        try {
            SubscriptionState state =
                    new SubscriptionState(new BodyReader(row.getBytes(5)).subscription(), row.getLong(1));
            state.owedTransfers = row.getLong(2);
            state.owedBytes = row.getLong(3);
            state.lastOwedSequence = row.getLong(4);
            checksum(state, row.getString(7), row.getBytes(5)).check(row.getInt(6), "subscription");
            return state;
        } catch (StorageException e) {
            throw new IndexFailedException("a subscription in the index cannot be read", e);
        }
    }

    void saveTombstones(Tombstones.Row row) {
        byte[] body = RecordCodec.tombstones(row);
        sql.update(
                "MERGE INTO tombstones(id, segment, chk, body) KEY(id) VALUES(?, ?, ?, ?)",
                row.id,
                row.segment,
                new RowChecksum().longs(row.id, row.segment).bytes(body).value(),
                body);
    }

    void deleteTombstones(long id) {
        sql.update("DELETE FROM tombstones WHERE id = ?", id);
    }

    List<Tombstones.Row> tombstones() {
        return sql.list("SELECT segment, body, id, chk FROM tombstones ORDER BY id", row -> {
            new RowChecksum()
                    .longs(row.getLong(3), row.getLong(1))
                    .bytes(row.getBytes(2))
                    .check(row.getInt(4), "tombstones");
            try {
                return RecordCodec.tombstones(new BodyReader(row.getBytes(2)), row.getLong(1));
            } catch (StorageException e) {
                throw new IndexFailedException("tombstones in the index cannot be read", e);
            }
        });
    }

    /**
     * Looks at every row that says what is owed to whom: one that a flipped bit has moved would never be asked for. Throws if there
     * is one, or if a subscription is owed another number of transfers than it has rows. The rows of transfers are looked at when
     * they are read.
     */
    void check() {
        Map<String, Long> owed = new HashMap<>();
        sql.lazily("SELECT subscription, seq, k, chk FROM owed ORDER BY subscription, seq", row -> {
            owedChecksum(row.getString(1), row.getLong(2), row.getBytes(3)).check(row.getInt(4), "owed");
            owed.merge(row.getString(1), 1L, Long::sum);
        });
        for (SubscriptionState state : subscriptions()) {
            Long rows = owed.remove(state.spec.name());
            if ((rows == null ? 0 : rows) != state.owedTransfers) {
                throw new IndexFailedException("subscription " + state.spec.name() + " is owed " + state.owedTransfers
                        + " transfers, and there are " + rows);
            }
        }
        if (!owed.isEmpty()) {
            throw new IndexFailedException("transfers are owed to nobody");
        }
        sql.lazily("SELECT publisher, seq, k, chk FROM receipt ORDER BY publisher, seq", row -> receiptChecksum(
                        row.getBytes(1), row.getLong(2), row.getBytes(3))
                .check(row.getInt(4), "receipt"));
    }

    /** Whether the last life closed it in order. */
    boolean wasClosedCleanly() {
        return Boolean.TRUE.equals(sql.first("SELECT clean FROM sentinel WHERE id = 1", row -> row.getBoolean(1)));
    }

    /** All rows of a table by their key, one at a time; nothing else is asked meanwhile. */
    H2IndexRows rows(H2IndexRows.Table table) {
        return new H2IndexRows(connection, table);
    }

    /** Lets go of the files without writing anything. */
    void abandon() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("A broken index could not even be left in order");
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IndexFailedException("the index could not be closed", e);
        }
    }

    static byte[] bytes(TransferKey key) {
        return ByteBuffer.allocate(32)
                .putLong(key.publisher().high())
                .putLong(key.publisher().low())
                .putLong(key.id().high())
                .putLong(key.id().low())
                .array();
    }

    private static byte[] bytes(NodeId node) {
        return ByteBuffer.allocate(16).putLong(node.high()).putLong(node.low()).array();
    }

    static TransferKey key(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new TransferKey(new NodeId(in.getLong(), in.getLong()), new TransferId(in.getLong(), in.getLong()));
    }
}
