package io.hawser.broker.store.local;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Streams the rows of one table in key order, one at a time.
 *
 * <p>Thread: its creator.
 */
final class H2RowCursor implements AutoCloseable {
    /** The tables that hold the fold of the log, and their columns that do. */
    enum Table {
        TRANSFER("transfer", 1, "k", "seq, opened, changed, first_segment, topic, state, chk, body"),
        OWED("owed", 2, "subscription, seq", "k, chk"),
        RECEIPT("receipt", 2, "publisher, seq", "k, chk"),
        SUBSCRIPTION("subscription", 1, "name", "segment, owed, owed_bytes, held, held_bytes, spec"),
        FRAGMENT_RUN("fragment_run", 4, "k, first, segment, pos", "runs");

        private final String title;
        private final int keys;
        private final String key;
        private final String values;

        Table(String title, int keys, String key, String values) {
            this.title = title;
            this.keys = keys;
            this.key = key;
            this.values = values;
        }

        /** How many of a row's columns, from the first on, are its key. */
        int keys() {
            return keys;
        }

        String title() {
            return title;
        }
    }

    private final Statement statement;
    private final ResultSet rows;
    private final int columns;

    H2RowCursor(Connection connection, Table table) {
        try {
            statement = connection.createStatement();
            rows = statement.executeQuery(
                    "SELECT " + table.key + ", " + table.values + " FROM " + table.title + " ORDER BY " + table.key);
            columns = rows.getMetaData().getColumnCount();
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw failed(e);
        }
    }

    /** The next row's columns: Long, Integer, String or byte[]; null after the last. */
    Object @Nullable [] next() {
        try {
            if (!rows.next()) {
                return null;
            }
            Object[] row = new Object[columns];
            for (int i = 0; i < columns; i++) {
                row[i] = rows.getObject(i + 1);
            }
            return row;
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw failed(e);
        }
    }

    private static IndexFailedException failed(Exception cause) {
        return new IndexFailedException("the index cannot be read: " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        try {
            statement.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
