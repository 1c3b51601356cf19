package io.hawser.common.hop;

import io.hawser.common.model.TransferKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fragments that were in memory before a sender had credit for them, and are kept there until it has, so that who is only a little
 * behind is not sent from the disk. What the pool sets aside bounds them; nobody waits for one of them to go.
 *
 * <p>Thread: the sender's loop.
 */
final class KeptFragments {
    /** Who is further behind than that is sent from the disk. */
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

    /** What is kept of that transfer is not wanted any more. */
    void giveBack(TransferKey key) {
        all.values().removeIf(kept -> {
            boolean goes = kept.fragment.key().equals(key);
            if (goes) {
                kept.fragment.buffer().release();
            }
            return goes;
        });
    }

    /** Nothing is wanted any more. */
    void giveAllBack() {
        all.values().forEach(kept -> kept.fragment.buffer().release());
        all.clear();
    }

    /** Gives back what has been kept for long. */
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
