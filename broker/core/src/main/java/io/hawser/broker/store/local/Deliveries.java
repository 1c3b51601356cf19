package io.hawser.broker.store.local;

import io.hawser.core.codec.FieldWriter;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The deliveries of far ends, bounded in number and bytes; the oldest go first. They never change.
 *
 * <p>They are kept in rows, as {@link BrokerTombstones} are, but only the row that is being filled is in memory; of the others it is where
 * they stand. One may be kept twice after the index was made again.
 *
 * <p>Thread: index only.
 */
final class Deliveries {
    /** The most that are kept. */
    static final int MAX = 100_000;

    static final long MAX_BYTES = 32L << 20;
    private static final int MAX_ROW = 500;
    /** So many rows wait at most until the index has them, however many come at once. */
    private static final int MAX_UNWRITTEN_ROWS = 64;

    private static final int MAX_ROW_BYTES = 16 << 10;

    private final int max;
    private final long maxBytes;
    private final int rowCapacity;
    private final Map<Long, Row> rows = new TreeMap<>();
    private final Map<Long, Body> unwritten = new LinkedHashMap<>();
    private final Set<Long> moved = new TreeSet<>();
    private final Set<Long> dropped = new TreeSet<>();
    private Row current = new Row(1, Long.MAX_VALUE, 0, 0, 0);
    private Body filling = new Body();
    private long count;
    private long bytes;

    Deliveries() {
        this(MAX, MAX_BYTES, MAX_ROW);
    }

    Deliveries(int max, long maxBytes, int rowCapacity) {
        this.max = max;
        this.maxBytes = maxBytes;
        this.rowCapacity = rowCapacity;
    }

    /** The place of a row of them. */
    static final class Row {
        final long id;
        /** The oldest segment with a record that is needed for them. */
        long segment;

        int count;
        int bytes;
        long lastSequence;

        Row(long id, long segment, int count, int bytes, long lastSequence) {
            this.id = id;
            this.segment = segment;
            this.count = count;
            this.bytes = bytes;
            this.lastSequence = lastSequence;
        }
    }

    /** Several of them, one after the other, in the form of the index and of a record. */
    static final class Body {
        private final FieldWriter out = new FieldWriter();
        private int count;

        /** Returns how many bytes it takes. */
        int add(ReplicaRecord delivery) {
            int before = out.size();
            delivery.write(out);
            count++;
            return out.size() - before;
        }

        /** The row's number, how many there are, and they themselves. */
        byte[] toBytes(long id) {
            return RecordCodec.body().i64(id).count(count).raw(out.toBytes()).toBytes();
        }
    }

    /** Reads what {@link Body#toBytes} wrote. */
    static List<ReplicaRecord> read(byte[] body) throws StorageException {
        return BodyReader.read(body, in -> {
            in.i64();
            int count = in.count(ReplicaRecord.MIN_BYTES);
            List<ReplicaRecord> found = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                found.add(ReplicaRecord.read(in));
            }
            return found;
        });
    }

    /** @param segment the oldest one with a record that is needed for it */
    void add(ReplicaRecord delivery, long segment) {
        if (current.count >= rowCapacity || current.bytes >= MAX_ROW_BYTES) {
            beginRow();
        }
        int length = filling.add(delivery);
        current.count++;
        current.bytes += length;
        current.segment = Math.min(current.segment, segment);
        current.lastSequence = Math.max(current.lastSequence, delivery.sequence());
        count++;
        bytes += length;
        rows.put(current.id, current);
        unwritten.put(current.id, filling);
        evict();
    }

    private void beginRow() {
        current = new Row(current.id + 1, Long.MAX_VALUE, 0, 0, 0);
        filling = new Body();
    }

    private void evict() {
        while (count > max || bytes > maxBytes) {
            Optional<Row> eldest = rows.values().stream()
                    .filter(row -> row != current)
                    .min(Comparator.comparingLong(row -> row.lastSequence));
            if (eldest.isEmpty()) {
                return;
            }
            Row row = eldest.get();
            rows.remove(row.id);
            count -= row.count;
            bytes -= row.bytes;
            unwritten.remove(row.id);
            moved.remove(row.id);
            dropped.add(row.id);
        }
    }

    /** Takes over a row of the index. */
    void load(Row row) {
        rows.put(row.id, row);
        count += row.count;
        bytes += row.bytes;
        if (row.id >= current.id) {
            current = row;
            beginRow();
        }
    }

    /** At most that many rows that need {@code segment} or an older one; they are closed to additions. */
    List<Row> neededFrom(long segment, int limit) {
        List<Row> needed = rows.values().stream()
                .filter(row -> row.segment <= segment)
                .limit(limit)
                .toList();
        if (needed.contains(current)) {
            beginRow();
        }
        return needed;
    }

    /** A row was written to the log again, in {@code segment}. */
    void onCarried(long id, int carried, long segment) {
        Row row = rows.get(id);
        if (row != null && row.count == carried) {
            row.segment = segment;
            moved.add(id);
        }
    }

    /** Writes to the index what it has not. */
    void flush(DeliveryTable table) {
        dropped.forEach(table::delete);
        dropped.clear();
        unwritten.forEach((id, body) -> {
            Row row = rows.get(id);
            if (row != null) {
                table.save(row, body.toBytes(id));
            }
        });
        moved.stream().map(rows::get).forEach(row -> {
            if (row != null && !unwritten.containsKey(row.id)) {
                table.move(row);
            }
        });
        unwritten.clear();
        moved.clear();
    }

    /** Whether so many wait for the index that they should be written now. */
    boolean areManyUnwritten() {
        return unwritten.size() >= MAX_UNWRITTEN_ROWS;
    }
}
