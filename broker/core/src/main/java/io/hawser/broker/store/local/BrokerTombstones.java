package io.hawser.broker.store.local;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The ids of finished and cancelled transfers, so that none is accepted a second time. Age and number are bounded; the oldest go
 * first.
 *
 * <p>They are kept in rows of some hundred, so that the index and the log are written once for many of them, and so that they
 * go many at a time too.
 *
 * <p>Thread: index only.
 */
final class BrokerTombstones {
    private static final int MAX_ROW = 500;
    private static final int MIN_ROWS = 8;

    private final long ageMillis;
    private final int max;
    private final int rowCapacity;
    private final Set<TransferKey> keys = new HashSet<>();
    private final Map<Long, Row> rows = new TreeMap<>();
    private final Set<Row> dirty = new HashSet<>();
    private final Set<Long> dropped = new HashSet<>();
    private Row current;

    BrokerTombstones(long ageMillis, int max) {
        this.ageMillis = ageMillis;
        this.max = max;
        this.rowCapacity = Math.max(1, Math.min(MAX_ROW, max / MIN_ROWS));
        this.current = new Row(1, Long.MAX_VALUE);
    }

    /** One id and when its transfer ended. */
    record Tombstone(TransferKey key, long epochMillis) {}

    /** Some of them. */
    static final class Row {
        final long id;
        /** The oldest segment with a record that is needed for them. */
        long segment;

        final List<Tombstone> tombstones = new ArrayList<>();
        private long lastMillis;

        Row(long id, long segment) {
            this.id = id;
            this.segment = segment;
        }

        void add(Tombstone tombstone) {
            tombstones.add(tombstone);
            lastMillis = Math.max(lastMillis, tombstone.epochMillis());
        }
    }

    boolean contains(TransferKey key) {
        return keys.contains(key);
    }

    void add(Tombstone tombstone, long segment) {
        if (!keys.add(tombstone.key())) {
            return;
        }
        if (current.tombstones.size() >= rowCapacity) {
            beginRow();
        }
        current.add(tombstone);
        current.segment = Math.min(current.segment, segment);
        rows.put(current.id, current);
        dirty.add(current);
        evict();
    }

    private void beginRow() {
        current = new Row(current.id + 1, Long.MAX_VALUE);
    }

    private void evict() {
        while (keys.size()
                >= max + rowCapacity) { // one full row too many: else none may go, and looking for it would cost all
            // rows
            Optional<Row> eldest = rows.values().stream()
                    .filter(row -> row != current)
                    .min(Comparator.comparingLong(row -> row.lastMillis));
            if (eldest.isEmpty() || keys.size() - eldest.get().tombstones.size() < max) {
                return;
            }
            drop(eldest.get());
        }
    }

    private void drop(Row row) {
        row.tombstones.forEach(tombstone -> keys.remove(tombstone.key()));
        rows.remove(row.id);
        dirty.remove(row);
        dropped.add(row.id);
        if (row == current) {
            beginRow();
        }
    }

    /** Forgets those that are too old. */
    void expire(long nowMillis) {
        rows.values().stream()
                .filter(row -> row.lastMillis < nowMillis - ageMillis)
                .toList()
                .forEach(this::drop);
    }

    /** Takes over a row of the index. */
    void load(Row row) {
        row.tombstones.forEach(tombstone -> keys.add(tombstone.key()));
        rows.put(row.id, row);
        if (row.id >= current.id) {
            current = row;
            beginRow();
        }
    }

    /** Rows that need {@code segment} or an older one; they are closed to additions. */
    List<Row> neededFrom(long segment) {
        List<Row> needed =
                rows.values().stream().filter(row -> row.segment <= segment).toList();
        if (needed.contains(current)) {
            beginRow();
        }
        return needed;
    }

    /** A row was written to the log again, in {@code segment}; it may have been composed differently since. */
    void onCarried(Row carried) {
        Row row = rows.get(carried.id);
        if (row != null && new HashSet<>(carried.tombstones).containsAll(row.tombstones)) {
            row.segment = carried.segment;
            dirty.add(row);
        }
    }

    /** Rows that the index has not, or not so. */
    List<Row> takeDirty() {
        List<Row> changed = List.copyOf(dirty);
        dirty.clear();
        return changed;
    }

    /** Numbers of deleted rows. */
    List<Long> takeDropped() {
        List<Long> gone = List.copyOf(dropped);
        dropped.clear();
        return gone;
    }
}
