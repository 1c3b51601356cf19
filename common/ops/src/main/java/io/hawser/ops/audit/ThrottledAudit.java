package io.hawser.ops.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps a peer from filling the audit log: of what one of them is refused of one kind, the first {@value #MOST_PER_MINUTE} notes of a minute are
 * taken, and of the others their number, with the next note of that kind after the minute or with {@link #close}. What is done is always noted.
 *
 * <p>Thread: any. The lock is held while a note is passed on, so that notes keep their order.
 */
public final class ThrottledAudit implements Audit {
    static final int MOST_PER_MINUTE = 30;
    /** Peers and kinds that are counted; of too many the one that is counted longest is forgotten, with its number noted. */
    static final int MOST_COUNTED = 1024;

    private static final long MINUTE_MILLIS = 60_000;

    private final Audit audit;
    private final LongSupplier epochMillis;
    private final Map<Kind, Count> counts = new LinkedHashMap<>();

    private record Kind(String who, String what) {}

    private static final class Count {
        private final long sinceMillis;
        private int notes;
        private String from = "";

        Count(long sinceMillis) {
            this.sinceMillis = sinceMillis;
        }
    }

    /** Creates it in front of {@code audit}. */
    public ThrottledAudit(Audit audit, LongSupplier epochMillis) {
        this.audit = audit;
        this.epochMillis = epochMillis;
    }

    @Override
    public synchronized void note(String who, String what, String object, String from, String result) {
        if (result.equals(OK)) {
            audit.note(who, what, object, from, result);
            return;
        }
        Kind kind = new Kind(who, what);
        long now = epochMillis.getAsLong();
        Count count = counts.get(kind);
        if (count == null || Math.abs(now - count.sinceMillis) >= MINUTE_MILLIS) {
            forget(kind);
            if (counts.size() >= MOST_COUNTED) {
                forget(counts.keySet().iterator().next());
            }
            count = new Count(now);
            counts.put(kind, count);
        }
        count.notes++;
        count.from = from;
        if (count.notes <= MOST_PER_MINUTE) {
            audit.note(who, what, object, from, result);
        }
    }

    private void forget(Kind kind) {
        Count count = counts.remove(kind);
        if (count != null && count.notes > MOST_PER_MINUTE) {
            audit.note(
                    kind.who,
                    kind.what,
                    "",
                    count.from,
                    "refused " + (count.notes - MOST_PER_MINUTE) + " more times within a minute");
        }
    }

    @Override
    public synchronized void close() {
        for (Kind kind : counts.keySet().toArray(Kind[]::new)) {
            forget(kind);
        }
        audit.close();
    }
}
