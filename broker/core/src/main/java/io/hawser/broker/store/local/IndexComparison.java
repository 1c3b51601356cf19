package io.hawser.broker.store.local;

import io.hawser.broker.store.local.BrokerTombstones.Tombstone;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.Findings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of the index with those of an index that was rebuilt from the log up to the same record; any difference means
 * that the index is wrong.
 *
 * <p>Tombstones are the exception, since the clock forgets them: the index may know fewer old ones, and cuts its rows
 * otherwise. So are deliveries, of which only so many are kept.
 *
 * <p>Thread: its creator.
 */
final class IndexComparison {
    private static final int MAX_PER_TABLE = 20;
    private static final long HOUR_MILLIS = 3_600_000;

    private final H2Index index;
    private final H2Index fold;
    private final Path file;
    private final Findings findings;
    private int differences;

    IndexComparison(H2Index index, H2Index fold, Path file, Findings findings) {
        this.index = index;
        this.fold = fold;
        this.file = file;
        this.findings = findings;
    }

    /** Compares everything; at most {@value #MAX_PER_TABLE} findings of each table. */
    void run() {
        for (H2RowCursor.Table table : H2RowCursor.Table.values()) {
            differences = 0;
            if (table == H2RowCursor.Table.FRAGMENT_RUN) {
                compareRuns(table);
            } else {
                compareRows(table);
            }
            sayHowManyMore(table.title());
        }
        differences = 0;
        compareTombstones();
        sayHowManyMore("tombstones");
        differences = 0;
        compareDeliveries();
        sayHowManyMore("deliveries");
    }

    private void compareRows(H2RowCursor.Table table) {
        long rows = 0;
        try (H2RowCursor left = index.rows(table);
                H2RowCursor right = fold.rows(table)) {
            Object[] mine = left.next();
            Object[] expected = right.next();
            while (mine != null || expected != null) {
                int order = order(mine, expected, table.keys());
                if (order != 0) {
                    differs(table.title(), name(Objects.requireNonNull(order < 0 ? mine : expected), table), order);
                } else if (!Arrays.deepEquals(mine, expected)) {
                    differs(table.title(), name(Objects.requireNonNull(mine), table), 0);
                }
                mine = order <= 0 ? left.next() : mine;
                expected = order >= 0 ? right.next() : expected;
                rows++;
            }
        }
        findings.counted("rows of the index", rows);
    }

    /** Less than 0: only the index has it; more: only the log says it. */
    private static int order(Object @Nullable [] mine, Object @Nullable [] expected, int keys) {
        if (mine == null || expected == null) {
            return mine == null ? 1 : -1;
        }
        for (int i = 0; i < keys; i++) {
            int order;
            if (mine[i] instanceof byte[] bytes) {
                order = Arrays.compareUnsigned(bytes, (byte[]) expected[i]);
            } else if (mine[i] instanceof Long number) {
                order = Long.compare(number, (Long) expected[i]);
            } else {
                order = ((String) mine[i]).compareTo((String) expected[i]);
            }
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static String name(Object[] row, H2RowCursor.Table table) {
        return Arrays.stream(row)
                .limit(table.keys())
                .map(value -> value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value.toString())
                .collect(Collectors.joining(" "));
    }

    private void compareRuns(H2RowCursor.Table table) {
        long fragments = 0;
        try (ExtentCursor left = new ExtentCursor(index);
                ExtentCursor right = new ExtentCursor(fold)) {
            ExtentCursor.Place mine = left.next();
            ExtentCursor.Place expected = right.next();
            while (mine != null || expected != null) {
                int order = mine == null ? 1 : expected == null ? -1 : mine.compareTo(expected);
                ExtentCursor.Place named = Objects.requireNonNull(order <= 0 ? mine : expected);
                if (order != 0
                        || !named.position()
                                .equals(Objects.requireNonNull(expected).position())) {
                    differs(
                            table.title(),
                            HexFormat.of().formatHex(named.key()) + " fragment " + named.fragment(),
                            order);
                }
                mine = order <= 0 ? left.next() : mine;
                expected = order >= 0 ? right.next() : expected;
                fragments++;
            }
        }
        findings.counted("places of fragments", fragments);
    }

    private void compareTombstones() {
        Map<TransferKey, Long> mine = tombstones(index);
        Map<TransferKey, Long> expected = tombstones(fold);
        boolean foldKnowsAll = expected.size() < LocalStoreConfig.DEFAULT_MAX_TOMBSTONES / 2;
        boolean indexKnowsAll = mine.size() < LocalStoreConfig.DEFAULT_MAX_TOMBSTONES / 2;
        long young = System.currentTimeMillis() - LocalStoreConfig.DEFAULT_TOMBSTONE_AGE.toMillis() + HOUR_MILLIS;
        mine.keySet().stream()
                .filter(key -> foldKnowsAll && !expected.containsKey(key))
                .forEach(key -> differs("tombstones", key.toString(), -1));
        expected.forEach((key, millis) -> {
            if (indexKnowsAll && millis > young && !mine.containsKey(key)) {
                differs("tombstones", key.toString(), 1);
            }
        });
    }

    private static Map<TransferKey, Long> tombstones(H2Index from) {
        Map<TransferKey, Long> found = new HashMap<>();
        for (BrokerTombstones.Row row : from.tombstones().all()) {
            List<Tombstone> all = row.tombstones;
            all.forEach(tombstone -> found.put(tombstone.key(), tombstone.epochMillis()));
        }
        return found;
    }

    /** Bounded in number and bytes: one of the two may have forgotten more, and cuts its rows otherwise. */
    private void compareDeliveries() {
        Held mine = deliveries(index);
        Held expected = deliveries(fold);
        if (mine.mayHaveForgotten() || expected.mayHaveForgotten()) {
            return;
        }
        mine.rows.stream()
                .filter(each -> !expected.rows.contains(each))
                .forEach(each -> differs("deliveries", each, -1));
        expected.rows.stream()
                .filter(each -> !mine.rows.contains(each))
                .forEach(each -> differs("deliveries", each, 1));
    }

    /** What one of the two has, and what that takes. */
    private record Held(Set<String> rows, long bytes) {
        boolean mayHaveForgotten() {
            return rows.size() >= Deliveries.MAX / 2 || bytes >= Deliveries.MAX_BYTES / 2;
        }
    }

    private static Held deliveries(H2Index from) {
        Set<String> found = new HashSet<>();
        AtomicLong bytes = new AtomicLong();
        from.deliveries().each(delivery -> {
            found.add(delivery.key() + " " + delivery.subscription());
            bytes.addAndGet(new Deliveries.Body().add(delivery));
        });
        return new Held(found, bytes.get());
    }

    private void differs(String table, String row, int order) {
        if (differences++ < MAX_PER_TABLE) {
            findings.damage(
                    "index.row",
                    file + " table " + table + " row " + row,
                    0,
                    order < 0
                            ? "The log knows nothing of this row."
                            : order > 0 ? "The row is missing." : "The row is not what the log says.",
                    BrokerCheck.REPAIR);
        }
    }

    private void sayHowManyMore(String table) {
        if (differences > MAX_PER_TABLE) {
            findings.damage(
                    "index.row",
                    file + " table " + table,
                    0,
                    differences - MAX_PER_TABLE + " more rows are not what the log says.",
                    BrokerCheck.REPAIR);
        }
    }
}
