package io.hawser.ops.event;

import io.hawser.core.model.NamePattern;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of the history. Topic, failure, time and whole names have indexes in the order of the rows. A pattern is looked for in the index
 * of the names, if few begin as it does, or in that of their ends, if few end as it does; else among the newest rows, and after these in all
 * names.
 *
 * <p>Thread: {@code hawser-history}.
 */
final class HistorySearch {
    /** Rows that are sorted here, at most. */
    private static final int MAX_NAMED = 5000;
    /** Rows whose names end as they should that are looked at before the newest are; each is a read of its own. */
    private static final int FEW_OF_TAIL = 100;
    /** Rows that are looked at in their order before all names are. */
    private static final int MAX_SCANNED = 5000;

    private static final String NAMES =
            "SELECT name, ended, seq FROM history USE INDEX (history_name) WHERE name >= ? AND name < ?";

    private static final String TAILS =
            "SELECT name, ended, seq FROM history USE INDEX (history_tail) WHERE tail >= ? AND tail < ?";

    private final Connection connection;
    private final HistoryQuery query;
    private final Predicate<String> seesTopic;

    /** @param seesTopic rows of other topics are left out */
    HistorySearch(Connection connection, HistoryQuery query, Predicate<String> seesTopic) {
        this.connection = connection;
        this.query = query;
        this.seesTopic = seesTopic;
    }

    /** What matches, the newest first, at most the query's limit and one more. */
    List<HistoryEntry> run() throws SQLException {
        NamePattern pattern = query.name();
        if (pattern == null || query.isExactName() || query.key() != null) {
            return inOrder(name -> pattern == null || pattern.matches(name), Long.MAX_VALUE);
        }
        String prefix = query.namePrefix();
        List<Long> named = prefix.isEmpty() ? null : named(pattern, NAMES, prefix, MAX_NAMED);
        named = named == null ? ofTail(pattern, FEW_OF_TAIL) : named;
        if (named == null) {
            List<HistoryEntry> found = inOrder(pattern::matches, MAX_SCANNED);
            if (found.size() > query.limit()) {
                return found;
            }
            named = ofTail(pattern, MAX_NAMED);
        }
        named = named == null ? named(pattern, NAMES, prefix, Long.MAX_VALUE) : named;
        return named == null ? List.of() : ofSequences(named);
    }

    /** As {@link #named}, of names that end as the pattern does; null, too, if it ends with a wildcard. */
    private @Nullable List<Long> ofTail(NamePattern pattern, long most) throws SQLException {
        String tail = HistoryIndex.tail(query.nameSuffix());
        return tail.isEmpty() ? null : named(pattern, TAILS, tail, most);
    }

    private List<HistoryEntry> inOrder(Predicate<String> isNamed, long mostScanned) throws SQLException {
        List<Object> values = new ArrayList<>(List.of(query.sinceMillis(), query.untilMillis()));
        StringBuilder sql =
                new StringBuilder("SELECT k, body, topic, name FROM history WHERE ended >= ? AND ended < ?");
        String order = "ended DESC, seq DESC";
        String topic = query.topic();
        TransferKey key = query.key();
        if (key != null) {
            sql.append(" AND k = ?");
            values.add(HistoryIndex.bytes(key));
        } else if (query.isExactName()) {
            sql.append(" AND name = ?");
            values.add(query.namePrefix());
            order = "name, " + order;
        } else if (query.failedOnly()) {
            order = "failed, " + order;
        } else if (topic != null) {
            order = "topic, " + order;
        }
        if (query.failedOnly()) {
            sql.append(" AND failed = TRUE");
        }
        if (topic != null) {
            sql.append(" AND topic = ?");
            values.add(topic);
        }
        HistoryQuery.Place before = query.before();
        if (before != null) {
            sql.append(" AND ended <= ? AND (ended < ? OR seq < ?)");
            values.addAll(List.of(before.endedMillis(), before.endedMillis(), before.sequence()));
        }
        sql.append(" ORDER BY ").append(order);
        List<HistoryEntry> found = new ArrayList<>();
        long[] scanned = new long[1];
        visit(sql.toString(), values, row -> {
            if (seesTopic.test(row.getString(3)) && isNamed.test(row.getString(4))) {
                found.add(entry(row));
            }
            return found.size() <= query.limit() && ++scanned[0] < mostScanned;
        });
        return found;
    }

    /**
     * The numbers of rows whose names match, of the time that is asked for, the newest first; at most {@value #MAX_NAMED}. Null if more than
     * {@code most} begin, or end, as they should.
     *
     * @param sql which looks for them, {@link #NAMES} or {@link #TAILS}
     * @param prefix what the indexed text begins with
     */
    private @Nullable List<Long> named(NamePattern pattern, String sql, String prefix, long most) throws SQLException {
        PriorityQueue<HistoryQuery.Place> newest = new PriorityQueue<>();
        long[] seen = new long[1];
        visit(sql, List.of(prefix, prefix + Character.MAX_VALUE), row -> {
            HistoryQuery.Place place = new HistoryQuery.Place(row.getLong(2), row.getLong(3));
            if (mayBe(place) && pattern.matches(row.getString(1))) {
                newest.add(place);
                if (newest.size() > MAX_NAMED) {
                    newest.remove();
                }
            }
            return ++seen[0] <= most;
        });
        return seen[0] > most
                ? null
                : newest.stream()
                        .sorted(Comparator.reverseOrder())
                        .map(HistoryQuery.Place::sequence)
                        .toList();
    }

    private boolean mayBe(HistoryQuery.Place place) {
        HistoryQuery.Place before = query.before();
        return place.endedMillis() >= query.sinceMillis()
                && place.endedMillis() < query.untilMillis()
                && (before == null || place.compareTo(before) < 0);
    }

    private List<HistoryEntry> ofSequences(List<Long> sequences) throws SQLException {
        List<HistoryEntry> found = new ArrayList<>();
        String topic = query.topic();
        try (PreparedStatement statement = connection.prepareStatement("SELECT k, body FROM history WHERE seq = ?")) {
            for (int i = 0; i < sequences.size() && found.size() <= query.limit(); i++) {
                statement.setLong(1, sequences.get(i));
                try (ResultSet row = statement.executeQuery()) {
                    HistoryEntry entry = row.next() ? entry(row) : null;
                    if (entry != null
                            && seesTopic.test(entry.topic)
                            && (topic == null || topic.equals(entry.topic))
                            && (!query.failedOnly() || entry.isFailed())) {
                        found.add(entry);
                    }
                }
            }
        }
        return found;
    }

    private static HistoryEntry entry(ResultSet row) throws SQLException {
        byte[] key = row.getBytes(1);
        return HistoryEntry.read(key == null ? null : TransferKey.read(ByteBuffer.wrap(key)), row.getBytes(2));
    }

    @FunctionalInterface
    private interface RowVisitor {
        /** Whether the next one is wanted too. */
        boolean goesOn(ResultSet row) throws SQLException;
    }

    /** Visits rows one at a time: H2 otherwise collects all of them first. */
    private void visit(String sql, List<Object> values, RowVisitor visitor) throws SQLException {
        try (Statement lazy = connection.createStatement()) {
            lazy.execute("SET LAZY_QUERY_EXECUTION 1");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.size(); i++) {
                    statement.setObject(i + 1, values.get(i));
                }
                try (ResultSet found = statement.executeQuery()) {
                    boolean more = true;
                    while (more && found.next()) {
                        more = visitor.goesOn(found);
                    }
                }
            } finally {
                lazy.execute("SET LAZY_QUERY_EXECUTION 0");
            }
        }
    }
}
