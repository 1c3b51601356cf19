package io.hawser.broker.store.local;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The H2 database with the fold of the log: its tables, and the sentinel row with its position in the log.
 *
 * <p>H2 does not force its commits, and opens an empty database over a file that has been cut: so nothing is believed without
 * the sentinel, and anything odd throws {@link IndexFailedException}, upon which the index is made again.
 *
 * <p>Thread: index only.
 */
final class H2Index implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(H2Index.class);

    /** Raised with every change of the schema or of what the rows hold; an index of another format is made again. */
    static final int FORMAT = 8;

    private static final String[] SENTINEL = {
        "CREATE TABLE IF NOT EXISTS sentinel(id INT PRIMARY KEY, log_id VARCHAR(32) NOT NULL, format INT NOT NULL,"
                + " segment BIGINT NOT NULL, pos BIGINT NOT NULL, seq BIGINT NOT NULL, kept BIGINT NOT NULL,"
                + " reserved BIGINT NOT NULL, chk INT NOT NULL, clean BOOLEAN NOT NULL)",
    };

    private static final List<String[]> SCHEMA = List.of(
            SENTINEL,
            TransferTable.SCHEMA,
            SubscriptionTable.SCHEMA,
            TombstoneTable.SCHEMA,
            DeliveryTable.SCHEMA,
            ExtentTable.SCHEMA);

    /** What no fold of a log asks for: an index is filled in less time without. */
    private static final List<String[]> ADDED_WHEN_FILLED = List.of(TransferTable.INDEXES, ExtentTable.INDEXES);

    private final Connector connector;
    private final Connection connection;
    private final SqlStatements sql;
    private final ExtentTable runs;
    private final TransferTable transfers;
    private final SubscriptionTable subscriptions;
    private final TombstoneTable tombstones;
    private final DeliveryTable deliveries;

    private H2Index(Connector connector, Connection connection) {
        this.connector = connector;
        this.connection = connection;
        this.sql = new SqlStatements(connection);
        this.runs = new ExtentTable(sql);
        this.transfers = new TransferTable(sql, runs);
        this.subscriptions = new SubscriptionTable(sql);
        this.tombstones = new TombstoneTable(sql);
        this.deliveries = new DeliveryTable(sql);
    }

    /** Opens connections to one database; {@code settings} as in {@link IndexDatabase#connect}. */
    @FunctionalInterface
    interface Connector {
        Connection connect(String settings);
    }

    /** Opens the database in {@code directory}, made if it is not there. */
    static H2Index open(Path directory) {
        return open(settings -> IndexFiles.connect(directory, settings));
    }

    /** Opens a database, made if it is not there. */
    static H2Index open(Connector connector) {
        Connection connection = connector.connect("");
        try {
            execute(connection, SCHEMA);
            connection.setAutoCommit(false);
            return new H2Index(connector, connection);
        } catch (SQLException | RuntimeException e) {
            throw new IndexFailedException("the index cannot be opened: " + e.getMessage(), e);
        }
    }

    private static void execute(Connection connection, List<String[]> commands) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String[] some : commands) {
                for (String command : some) {
                    statement.execute(command);
                }
            }
        }
    }

    /** Adds what a database that has been filled lacks for its questions. Commits. */
    void completeSchema() {
        try {
            execute(connection, ADDED_WHEN_FILLED);
        } catch (SQLException | RuntimeException e) {
            throw new IndexFailedException("the index cannot be completed: " + e.getMessage(), e);
        }
    }

    /** Opens the database in {@code directory}, which is there, so that nothing can be written to it. */
    static H2Index openForReading(Path directory) {
        Connector connector = settings -> IndexFiles.connect(directory, settings);
        return new H2Index(connector, connector.connect(";ACCESS_MODE_DATA=r;IFEXISTS=TRUE;LAZY_QUERY_EXECUTION=1"));
    }

    /** Where fragments lie. */
    ExtentTable runs() {
        return runs;
    }

    TransferTable transfers() {
        return transfers;
    }

    SubscriptionTable subscriptions() {
        return subscriptions;
    }

    TombstoneTable tombstones() {
        return tombstones;
    }

    DeliveryTable deliveries() {
        return deliveries;
    }

    /** Takes the rows as they were committed last, to be looked at on another thread while these change. */
    IndexRowsCheck rowCheck() {
        return IndexRowsCheck.ofNow(connector.connect(""));
    }

    /** The same of the rows that hold segments of the log. */
    PlacesCheck placesCheck() {
        return PlacesCheck.ofNow(connector.connect(""));
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

    /** Whether the last run closed it in order. */
    boolean wasClosedCleanly() {
        return Boolean.TRUE.equals(sql.first("SELECT clean FROM sentinel WHERE id = 1", row -> row.getBoolean(1)));
    }

    /** All rows of a table by their key, one at a time; nothing else is asked meanwhile. */
    H2RowCursor rows(H2RowCursor.Table table) {
        return new H2RowCursor(connection, table);
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
        return key.putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES)).array();
    }

    static byte[] bytes(NodeId node) {
        return ByteBuffer.allocate(16).putLong(node.high()).putLong(node.low()).array();
    }

    static TransferKey key(byte[] bytes) {
        return TransferKey.read(ByteBuffer.wrap(bytes));
    }
}
