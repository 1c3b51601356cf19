package io.hawser.broker.store.local;

import io.hawser.store.log.LogPosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the place of each fragment in an index, in the order of transfer and fragment. Two indexes with the same content may
 * overlap and cut their extents differently; this is what they have in common.
 *
 * <p>Thread: its creator.
 */
final class ExtentCursor implements AutoCloseable {
    private final H2RowCursor rows;
    private final List<Extent> active = new ArrayList<>();
    private Object @Nullable [] ahead;
    private byte[] key = {};
    private long fragment = -1;

    ExtentCursor(H2Index index) {
        this.rows = index.rows(H2RowCursor.Table.FRAGMENT_RUN);
        this.ahead = rows.next();
    }

    /** A fragment's last place. */
    @SuppressWarnings("ArrayRecordComponent") // compared by its parts
    record Place(byte[] key, long fragment, LogPosition position) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = Arrays.compareUnsigned(key, other.key);
            return byKey != 0 ? byKey : Long.compare(fragment, other.fragment);
        }
    }

    /** The next fragment's place, null after the last. */
    @Nullable
    Place next() {
        fragment++;
        active.removeIf(run -> run.start() + run.count() <= fragment);
        Object[] row = ahead;
        if (active.isEmpty()) {
            if (row == null) {
                return null;
            }
            key = (byte[]) row[0];
            fragment = (Long) row[1];
        } else {
            long next = row != null && Arrays.equals((byte[]) row[0], key) ? (Long) row[1] : Long.MAX_VALUE;
            for (Extent run : active) {
                next = Math.min(next, run.start());
            }
            fragment = Math.max(fragment, next);
        }
        takeRuns();
        LogPosition last = LogPosition.START;
        for (Extent run : active) {
            if (run.contains(fragment)) {
                LogPosition position = run.positionOf(fragment);
                last = position.compareTo(last) > 0 ? position : last;
            }
        }
        return new Place(key, fragment, last);
    }

    private void takeRuns() {
        for (Object[] row = ahead; row != null && begins(row); row = ahead) {
            LogPosition first = new LogPosition((Long) row[2], (Long) row[3]);
            active.addAll(
                    ExtentPack.decoded((Long) row[1], first, (byte[]) row[4]).runs());
            ahead = rows.next();
        }
    }

    private boolean begins(Object[] row) {
        return Arrays.equals((byte[]) row[0], key) && (Long) row[1] <= fragment;
    }

    @Override
    public void close() {
        rows.close();
    }
}
