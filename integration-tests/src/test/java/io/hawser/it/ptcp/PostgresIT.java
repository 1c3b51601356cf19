package io.hawser.it.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.ReservedPort;
import io.hawser.ptcp.PTCPSocketFactory;
import io.hawser.ptcp.testkit.TestProxy;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** PostgreSQL's own JDBC driver with a socket factory, a relay, and a real server behind it. */
@Tag("full")
class PostgresIT {
    private static final int BULK_BYTES = 30 << 20;
    private static final int MOST_CUTS = 20;

    private static PostgresServer postgres;
    private static Relay relay;

    @BeforeAll
    static void start() throws Exception {
        postgres = PostgresServer.start();
        relay = new Relay(postgres.address());
    }

    @AfterAll
    static void stop() throws Exception {
        if (postgres != null) {
            relay.close();
            postgres.stop();
        }
    }

    private static Connection connect(InetSocketAddress address) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + address.getPort() + "/postgres?user="
                + PostgresServer.USER + "&sslmode=disable&gssEncMode=disable&socketFactory="
                + PTCPSocketFactory.class.getName());
    }

    @Test
    void rowsComeBackAndTransactionsAreUndone() throws SQLException {
        int before = relay.connections();
        try (Connection connection = connect(relay.address());
                Statement statement = connection.createStatement()) {
            assertThat(relay.connections()).isEqualTo(before + 1);
            statement.execute("create table rows (id int primary key, text text)");
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into rows values (?, ?)")) {
                for (int i = 0; i < 5_000; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "row " + i);
                    insert.addBatch();
                }
                assertThat(insert.executeBatch()).hasSize(5_000);
            }
            connection.commit();
            statement.execute("delete from rows");
            connection.rollback();
            statement.setFetchSize(100); // a cursor: a round trip for each hundred
            try (ResultSet all = statement.executeQuery("select id, text from rows order by id")) {
                for (int i = 0; i < 5_000; i++) {
                    assertThat(all.next()).isTrue();
                    assertThat(all.getString(2)).isEqualTo("row " + i);
                }
                assertThat(all.next()).isFalse();
            }
        }
    }

    @Test
    void queryIsCancelledThroughAConnectionOfItsOwn() throws Exception {
        try (Connection connection = connect(relay.address());
                Connection watcher = connect(relay.address());
                Statement statement = connection.createStatement()) {
            CompletableFuture<Object> query = CompletableFuture.supplyAsync(() -> {
                try {
                    return statement.execute("select pg_sleep(1000)");
                } catch (SQLException e) {
                    return e;
                }
            });
            await().until(() -> isSleeping(watcher));
            statement.cancel();
            assertThat(query.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            assertThat(statement.execute("select 1")).isTrue();
        }
    }

    private static boolean isSleeping(Connection watcher) throws SQLException {
        try (Statement statement = watcher.createStatement();
                ResultSet found = statement.executeQuery(
                        "select 1 from pg_stat_activity where query = 'select pg_sleep(1000)' and state = 'active'")) {
            return found.next();
        }
    }

    @Test
    void networkTimeoutEndsAQueryThatTakesTooLong() throws SQLException {
        try (Connection connection = connect(relay.address());
                Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, 200);
            assertThatThrownBy(() -> statement.execute("select pg_sleep(1000)"))
                    .isInstanceOf(SQLException.class)
                    .hasCauseInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void driverSaysWhenNobodyListens() throws Exception {
        try (ReservedPort nobody = ReservedPort.take()) {
            assertThatThrownBy(() -> connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), nobody.number())))
                    .isInstanceOf(SQLException.class)
                    .hasCauseInstanceOf(ConnectException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("08001");
        }
    }

    /** What the driver sends and gets in bulk is whole although connections are cut under it. */
    @Test
    void bulkCrossesWhileDataChannelsDie() throws Exception {
        byte[] content = new byte[BULK_BYTES];
        new Random(1).nextBytes(content);
        try (TestProxy proxy = new TestProxy(relay.address());
                Connection connection = connect(proxy.address());
                Statement statement = connection.createStatement()) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Integer> killer = CompletableFuture.supplyAsync(() -> cutNowAndThen(proxy, over));
            statement.execute("create table bulk (content bytea)");
            try (PreparedStatement insert = connection.prepareStatement("insert into bulk values (?)")) {
                insert.setBinaryStream(1, new ByteArrayInputStream(content), content.length);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            try (ResultSet back = statement.executeQuery("select content from bulk")) {
                assertThat(back.next()).isTrue();
                assertThat(back.getBytes(1)).isEqualTo(content);
            }
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            String rows = IntStream.range(0, 300_000)
                    .mapToObj(i -> i + "\tthis is the text of row " + i + "\n")
                    .collect(Collectors.joining());
            statement.execute("create table copied (id int, text text)");
            assertThat(copies.copyIn("copy copied from stdin", new StringReader(rows)))
                    .isEqualTo(300_000);
            assertThat(copies.copyOut("copy copied to stdout", OutputStream.nullOutputStream()))
                    .isEqualTo(300_000);
            over.set(true);
            assertThat(killer.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** The first link is the communication channel, whose death would be seen. */
    private static int cutNowAndThen(TestProxy proxy, AtomicBoolean over) {
        Random random = new Random(2);
        int cuts = 0;
        while (!over.get() && cuts < MOST_CUTS) {
            int newest = proxy.links.size() - 1;
            if (newest > 0) {
                proxy.links.get(Math.max(1, newest - random.nextInt(4))).cut();
                cuts++;
            }
            try {
                Thread.sleep(150); // between two cuts
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return cuts;
    }
}
