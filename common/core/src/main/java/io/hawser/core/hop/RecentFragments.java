package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps recent fragments in memory until the sender has credit for them, so that a receiver that lags slightly is not served from disk. The
 * memory that the pool reserves for them bounds their number; no upload waits for it.
 *
 * <p>Thread: the sender's loop.
 */
final class RecentFragments {
    /** A receiver that lags more is served from disk. */
    private static final long KEPT_NANOS = 5_000_000_000L;

    private record Id(TransferKey key, long index) {}

    private record Kept(Fragment fragment, long sinceNanos) {}

    /** Oldest first. */
    private final Map<Id, Kept> all = new LinkedHashMap<>();

    /** Keeps the fragment if its buffer can be set aside. */
    void offer(Fragment fragment, long nowNanos) {
        Id id = new Id(fragment.key(), fragment.index());
        if (!all.containsKey(id) && fragment.buffer().setAside()) {
            fragment.buffer().retain();
            all.put(id, new Kept(fragment, nowNanos));
        }
    }

    /** The fragment, if it is kept, and with it the reference to its buffer. */
    @Nullable
    Fragment take(TransferKey key, long index) {
        Kept kept = all.remove(new Id(key, index));
        return kept == null ? null : kept.fragment;
    }

    void release(TransferKey key) {
        all.values().removeIf(kept -> {
            boolean goes = kept.fragment.key().equals(key);
            if (goes) {
                kept.fragment.buffer().release();
            }
            return goes;
        });
    }

    void releaseAll() {
        all.values().forEach(kept -> kept.fragment.buffer().release());
        all.clear();
    }

    /** Releases fragments that were kept for too long. */
    void tick(long nowNanos) {
        Iterator<Kept> oldest = all.values().iterator();
        while (oldest.hasNext()) {
            Kept kept = oldest.next();
            if (nowNanos - kept.sinceNanos <= KEPT_NANOS) {
                return;
            }
            oldest.remove();
            kept.fragment.buffer().release();
        }
    }
}
