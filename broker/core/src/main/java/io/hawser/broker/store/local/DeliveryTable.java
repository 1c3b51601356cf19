package io.hawser.broker.store.local;

import io.hawser.store.storage.StorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The table of deliveries, many in a row.
 *
 * <p>Thread: index only.
 */
record DeliveryTable(SqlStatements sql) {
    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS deliveries(id BIGINT PRIMARY KEY, segment BIGINT NOT NULL, n INT NOT NULL,"
                + " bytes INT NOT NULL, last_seq BIGINT NOT NULL, chk INT NOT NULL, body_chk INT NOT NULL,"
                + " body VARBINARY(1048576) NOT NULL)",
    };

    void save(Deliveries.Row row, byte[] body) {
        sql.update(
                "MERGE INTO deliveries(id, segment, n, bytes, last_seq, chk, body_chk, body) KEY(id)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                row.id,
                row.segment,
                row.count,
                row.bytes,
                row.lastSequence,
                checksum(row),
                new RowChecksum().bytes(body).value(),
                body);
    }

    /** The row's records are elsewhere in the log now. */
    void move(Deliveries.Row row) {
        sql.update("UPDATE deliveries SET segment = ?, chk = ? WHERE id = ?", row.segment, checksum(row), row.id);
    }

    void delete(long id) {
        sql.update("DELETE FROM deliveries WHERE id = ?", id);
    }

    private static int checksum(Deliveries.Row row) {
        return sum(row).value();
    }

    private static RowChecksum sum(Deliveries.Row row) {
        return new RowChecksum().longs(row.id, row.segment, row.count, row.bytes, row.lastSequence);
    }

    /** All rows without what is in them. */
    List<Deliveries.Row> all() {
        return sql.list("SELECT id, segment, n, bytes, last_seq, chk FROM deliveries ORDER BY id", result -> {
            Deliveries.Row row = new Deliveries.Row(
                    result.getLong(1), result.getLong(2), result.getInt(3), result.getInt(4), result.getLong(5));
            sum(row).check(result.getInt(6), "deliveries");
            return row;
        });
    }

    /** The content of a row, as it was written. */
    byte[] body(long id) {
        byte[] body = sql.first("SELECT body, body_chk FROM deliveries WHERE id = ?", DeliveryTable::checked, id);
        if (body == null) {
            throw new IndexFailedException("table deliveries has lost row " + id);
        }
        return body;
    }

    private static byte[] checked(ResultSet result) throws SQLException {
        byte[] body = result.getBytes(1);
        new RowChecksum().bytes(body).check(result.getInt(2), "deliveries");
        return body;
    }

    /** Visits all of them, a row at a time. */
    void each(Consumer<ReplicaRecord> visitor) {
        for (Deliveries.Row row : all()) {
            try {
                Deliveries.read(body(row.id)).forEach(visitor);
            } catch (StorageException e) {
                throw new IndexFailedException("deliveries in the index cannot be read", e);
            }
        }
    }
}
