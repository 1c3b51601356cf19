package io.hawser.broker.store.local;

import io.hawser.store.storage.StorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The table of subscriptions, with the backlog of each.
 *
 * <p>Thread: index only.
 */
record SubscriptionTable(SqlStatements sql) {
    /** A roster of 32 members, each with a subject of 512 bytes, and terms. */
    private static final int MAX_SPEC_BYTES = 32 << 10;

    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS subscription(name VARCHAR(128) PRIMARY KEY, segment BIGINT NOT NULL,"
                + " owed BIGINT NOT NULL, owed_bytes BIGINT NOT NULL, held BIGINT NOT NULL, held_bytes BIGINT NOT NULL, last_owed BIGINT NOT NULL,"
                + " chk INT NOT NULL, spec VARBINARY(" + MAX_SPEC_BYTES + ") NOT NULL)",
    };

    void save(SubscriptionState state) {
        byte[] spec = RecordCodec.carriedSubscription(state.spec);
        sql.update(
                "MERGE INTO subscription(name, segment, owed, owed_bytes, held, held_bytes, last_owed, chk, spec) KEY(name)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                state.spec.name(),
                state.segment,
                state.owedTransfers,
                state.owedBytes,
                state.heldTransfers,
                state.heldBytes,
                state.lastOwedSequence,
                checksum(state, state.spec.name(), spec).value(),
                spec);
    }

    private static RowChecksum checksum(SubscriptionState state, String name, byte[] spec) {
        return new RowChecksum()
                .text(name)
                .bytes(spec)
                .longs(
                        state.segment,
                        state.owedTransfers,
                        state.owedBytes,
                        state.heldTransfers,
                        state.heldBytes,
                        state.lastOwedSequence);
    }

    void delete(String name) {
        sql.update("DELETE FROM subscription WHERE name = ?", name);
    }

    List<SubscriptionState> all() {
        return sql.list(
                "SELECT segment, owed, owed_bytes, last_owed, spec, chk, name, held, held_bytes FROM subscription",
                SubscriptionTable::read);
    }

    private static SubscriptionState read(ResultSet row) throws SQLException {
        try {
            SubscriptionState state =
                    new SubscriptionState(BodyReader.read(row.getBytes(5), BodyReader::subscription), row.getLong(1));
            state.owedTransfers = row.getLong(2);
            state.owedBytes = row.getLong(3);
            state.lastOwedSequence = row.getLong(4);
            state.heldTransfers = row.getLong(8);
            state.heldBytes = row.getLong(9);
            checksum(state, row.getString(7), row.getBytes(5)).check(row.getInt(6), "subscription");
            return state;
        } catch (StorageException e) {
            throw new IndexFailedException("a subscription in the index cannot be read", e);
        }
    }
}
