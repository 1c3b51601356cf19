package io.hawser.broker.store.local;

import io.hawser.common.log.LogPosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where each fragment lies according to an index, in the order of transfer and fragment. Runs may overlap and be cut
 * differently in two indexes that say the same; this is what they say.
 *
 * <p>Thread: whoever made it.
 */
final class RunCursor implements AutoCloseable {
    private final H2IndexRows rows;
    private final List<FragmentRun> active = new ArrayList<>();
    private Object @Nullable [] ahead;
    private byte[] key = {};
    private long fragment = -1;

    RunCursor(H2Index index) {
        this.rows = index.rows(H2IndexRows.Table.FRAGMENT_RUN);
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

    /** The next fragment's place, null behind the last. */
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
            for (FragmentRun run : active) {
                next = Math.min(next, run.start());
            }
            fragment = Math.max(fragment, next);
        }
        takeRuns();
        LogPosition last = LogPosition.START;
        for (FragmentRun run : active) {
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
            active.addAll(RunPack.decoded((Long) row[1], first, (byte[]) row[4]).runs());
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
