package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finished transfers that are still known, so that a late copy of one is not delivered again. Kept for a time and up to a
 * number, the oldest go first.
 *
 * <p>Thread: the loop.
 */
final class Tombstones {
    /** How a transfer ended. */
    enum End {
        DELIVERED,
        /** It was committed here, and never delivered. */
        FAILED,
        CANCELLED
    }

    /** How a transfer ended, and when. */
    record Grave(End end, long sinceMillis) {}

    private final long retainMillis;
    private final int limit;
    private final LinkedHashMap<TransferKey, Grave> graves = new LinkedHashMap<>();

    Tombstones(long retainMillis, int limit) {
        this.retainMillis = retainMillis;
        this.limit = limit;
    }

    void add(TransferKey key, End end, long sinceMillis) {
        graves.remove(key);
        graves.put(key, new Grave(end, sinceMillis));
    }

    /** More is known of {@code key} from now on. */
    void remove(TransferKey key) {
        graves.remove(key);
    }

    /** How {@code key} ended, or null if nothing is known of it. */
    @Nullable
    End endOf(TransferKey key) {
        Grave grave = graves.get(key);
        return grave == null ? null : grave.end;
    }

    /** The same with its time. */
    @Nullable
    Grave find(TransferKey key) {
        return graves.get(key);
    }

    /** Removes the tombstones that are too old or too many, and returns them. */
    List<TransferKey> expire(long nowMillis) {
        List<TransferKey> expired = new ArrayList<>();
        Iterator<Map.Entry<TransferKey, Grave>> oldest = graves.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<TransferKey, Grave> entry = oldest.next();
            if (graves.size() <= limit && entry.getValue().sinceMillis + retainMillis > nowMillis) {
                break;
            }
            expired.add(entry.getKey());
            oldest.remove();
        }
        return expired;
    }

    int size() {
        return graves.size();
    }
}
