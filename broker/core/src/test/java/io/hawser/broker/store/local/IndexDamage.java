package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows of an index that are not what was written, whether a store of this process has it open or nobody has. Thread: the test's. */
final class IndexDamage {
    private IndexDamage() {}

    static Connection connect(Path data) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:file:" + data.resolve("index/index"));
    }

    static void change(Path data, String sql) throws SQLException {
        try (Connection connection = connect(data);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
    }
}
