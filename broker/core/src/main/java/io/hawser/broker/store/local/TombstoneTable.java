package io.hawser.broker.store.local;

import io.hawser.store.storage.StorageException;
import java.util.List;

/**
 * The table of tombstones.
 *
 * <p>Thread: index only.
 */
record TombstoneTable(SqlStatements sql) {
    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS tombstones(id BIGINT PRIMARY KEY, segment BIGINT NOT NULL,"
                + " chk INT NOT NULL, body VARBINARY(1048576) NOT NULL)",
    };

    void save(BrokerTombstones.Row row) {
        byte[] body = RecordCodec.tombstones(row);
        sql.update(
                "MERGE INTO tombstones(id, segment, chk, body) KEY(id) VALUES(?, ?, ?, ?)",
                row.id,
                row.segment,
                new RowChecksum().longs(row.id, row.segment).bytes(body).value(),
                body);
    }

    void delete(long id) {
        sql.update("DELETE FROM tombstones WHERE id = ?", id);
    }

    List<BrokerTombstones.Row> all() {
        return sql.list("SELECT segment, body, id, chk FROM tombstones ORDER BY id", row -> {
            new RowChecksum()
                    .longs(row.getLong(3), row.getLong(1))
                    .bytes(row.getBytes(2))
                    .check(row.getInt(4), "tombstones");
            try {
                long segment = row.getLong(1);
                return BodyReader.read(row.getBytes(2), in -> RecordCodec.tombstones(in, segment));
            } catch (StorageException e) {
                throw new IndexFailedException("tombstones in the index cannot be read", e);
            }
        });
    }
}
