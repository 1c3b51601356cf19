package io.hawser.broker.store.local;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The index's database in memory, of a process that can be killed: what was committed stays until {@link #lose}.
 *
 * <p>Thread: one at a time.
 */
public final class MemoryIndex implements IndexDatabase, AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final List<Connection> connections = new ArrayList<>();
    private String url = fresh();
    private boolean made;

    private static String fresh() {
        return "jdbc:h2:mem:hawser" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    public boolean prepare() {
        return !made;
    }

    @Override
    public Connection connect(String settings) {
        made = true;
        Connection connection = IndexFiles.open(url + settings);
        connections.add(connection);
        return connection;
    }

    @Override
    public void protect() {
        // Nobody else sees it.
    }

    @Override
    public void moveAside() {
        lose();
    }

    /** The process ends: what was not committed is gone. */
    public void kill() {
        try {
            for (Connection connection : connections) {
                connection.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a connection in memory could not be closed", e);
        }
        connections.clear();
    }

    /** The database is gone. */
    public void lose() {
        close();
        url = fresh();
        made = false;
    }

    @Override
    public void close() {
        kill();
        if (made) {
            try (Connection connection = IndexFiles.open(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN");
            } catch (SQLException e) {
                throw new IllegalStateException("a database in memory could not be closed", e);
            }
        }
    }
}
