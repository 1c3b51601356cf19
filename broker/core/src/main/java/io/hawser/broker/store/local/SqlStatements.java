package io.hawser.broker.store.local;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of prepared statements by their text.
 *
 * <p>Thread: index only.
 */
final class SqlStatements {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    SqlStatements(Connection connection) {
        this.connection = connection;
    }

    /** Makes a value of a row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    void update(String text, Object... values) {
        try {
            prepare(text, values).executeUpdate();
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw failed(text, e);
        }
    }

    <T> @Nullable T first(String text, RowReader<T> reader, Object... values) {
        try (ResultSet rows = prepare(text, values).executeQuery()) {
            return rows.next() ? reader.read(rows) : null;
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw failed(text, e);
        }
    }

    <T> List<T> list(String text, RowReader<T> reader, Object... values) {
        try (ResultSet rows = prepare(text, values).executeQuery()) {
            List<T> list = new ArrayList<>();
            while (rows.next()) {
                list.add(reader.read(rows));
            }
            return list;
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw failed(text, e);
        }
    }

    @FunctionalInterface
    interface RowVisitor {
        void visit(ResultSet row) throws SQLException;
    }

    @FunctionalInterface
    interface RowSearch {
        /** Whether the next one is wanted too. */
        boolean goesOn(ResultSet row) throws SQLException;
    }

    /** Visits the rows one at a time, however many there are: H2 otherwise collects them first. Nothing else is asked meanwhile. */
    void lazily(String text, RowVisitor visitor) {
        search(text, row -> {
            visitor.visit(row);
            return true;
        });
    }

    /** Reads rows until {@code search} wants no more. */
    void search(String text, RowSearch search) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LAZY_QUERY_EXECUTION 1");
            try (ResultSet rows = statement.executeQuery(text)) {
                boolean more = true;
                while (more && rows.next()) {
                    more = search.goesOn(rows);
                }
            }
            statement.execute("SET LAZY_QUERY_EXECUTION 0");
        } catch (SQLException | RuntimeException e) { // H2 throws both when its file is damaged
            throw e instanceof IndexFailedException failed ? failed : failed(text, e);
        }
    }

    private PreparedStatement prepare(String text, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(text);
        if (statement == null) {
            statement = connection.prepareStatement(text);
            prepared.put(text, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static IndexFailedException failed(String text, Exception cause) {
        return new IndexFailedException("the index failed at \"" + text + "\": " + cause.getMessage(), cause);
    }
}
