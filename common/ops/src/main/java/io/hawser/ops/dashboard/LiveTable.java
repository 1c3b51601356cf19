package io.hawser.ops.dashboard;

import io.hawser.ops.dashboard.LiveSnapshot.Entry;
import io.hawser.ops.dashboard.LiveSnapshot.Rate;
import io.hawser.ops.dashboard.LiveSnapshot.Removal;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares each sample with those before and keeps what changed, and how many bytes moved. A sample is of the newest transfers: of as many as the
 * table holds, or of fewer, which then says nothing of the older ones.
 *
 * <p>Thread: the sampler.
 */
final class LiveTable {
    private static final int MAX_REMOVALS = 4096;
    private static final int MAX_RATES = 300;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int maxRows;
    private final TreeMap<String, Entry> entries = new TreeMap<>(LiveRow.BY_AGE);
    private final ArrayDeque<Removal> removals = new ArrayDeque<>();
    private final ArrayDeque<Rate> rates = new ArrayDeque<>();
    private long removalsSince;
    private long version;
    private long sampledNanos;
    private long movedIn;
    private long movedOut;

    /** @param maxRows the most rows that it holds: the newest */
    LiveTable(int maxRows) {
        this.maxRows = maxRows;
    }

    /**
     * Takes a sample.
     *
     * @param rows the newest transfers, in any order
     * @param whole whether a row that is not among them is gone
     */
    LiveSnapshot sample(List<LiveRow> rows, boolean whole, long epochMillis, long nanos) {
        boolean first = version == 0;
        double seconds = first ? 0 : (nanos - sampledNanos) / NANOS_PER_SECOND;
        sampledNanos = nanos;
        version++;
        movedIn = 0;
        movedOut = 0;
        String oldest = entries.isEmpty() || entries.size() < maxRows ? "" : entries.firstKey();
        Set<String> seen = new HashSet<>();
        for (LiveRow row : rows) {
            seen.add(row.key());
            boolean began = !first && LiveRow.BY_AGE.compare(row.key(), oldest) > 0;
            put(row, began);
        }
        if (whole) {
            List.copyOf(entries.keySet()).stream()
                    .filter(key -> !seen.contains(key))
                    .forEach(this::remove);
        }
        while (entries.size() > maxRows) {
            remove(entries.firstKey());
        }
        rates.add(Rate.of(epochMillis, movedIn, movedOut, seconds));
        if (rates.size() > MAX_RATES) {
            rates.remove();
        }
        return new LiveSnapshot(
                version,
                epochMillis,
                List.copyOf(entries.values()),
                List.copyOf(removals),
                removalsSince,
                List.copyOf(rates),
                seconds);
    }

    /** @param began whether the transfer, if it is new here, began after the sample before */
    private void put(LiveRow row, boolean began) {
        Entry last = entries.get(row.key());
        if (last != null && last.row().json().equals(row.json())) {
            return;
        }
        long in = 0;
        long out = 0;
        if (last != null) {
            in = Math.max(0, row.inBytes() - last.row().inBytes());
            out = Math.max(0, row.outBytes() - last.row().outBytes());
        } else if (began) {
            in = row.inBytes();
            out = row.outBytes();
        }
        movedIn += in;
        movedOut += out;
        entries.put(row.key(), new Entry(row, version, in, out));
    }

    private void remove(String key) {
        Entry gone = entries.remove(key);
        removals.add(new Removal(key, gone.row().topic(), version));
        if (removals.size() > MAX_REMOVALS) {
            removalsSince = removals.remove().version();
        }
    }
}
