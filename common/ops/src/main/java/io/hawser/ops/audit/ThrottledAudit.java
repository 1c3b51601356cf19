package io.hawser.ops.audit;

import io.hawser.ptcp.PeerNetwork;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps a peer from filling the audit log: of the refusals of one peer and kind it records the first {@value #MAX_PER_MINUTE} of a minute, and of the
 * others their number, with the next refusal of that kind after the minute or with {@link #close}. It records every success. All strangers of one
 * network ({@link PeerNetwork}) are one peer.
 *
 * <p>Thread: any. The lock is held while a record is passed on, so that records keep their order.
 */
public final class ThrottledAudit implements Audit {
    static final int MAX_PER_MINUTE = 30;
    /** The most peers and kinds that are counted; the oldest is evicted, and its number recorded. */
    static final int MAX_COUNTED = 1024;

    private static final long MINUTE_MILLIS = 60_000;
    private static final String STRANGER = "-";

    private final Audit audit;
    private final LongSupplier epochMillis;
    private final Map<Kind, Count> counts = new LinkedHashMap<>();

    /** {@code network} is empty for a peer that is known. */
    private record Kind(String who, Object network, String what) {}

    private static final class Count {
        private final long sinceMillis;
        private int notes;
        private Object from = "";

        Count(long sinceMillis) {
            this.sinceMillis = sinceMillis;
        }
    }

    /** Passes records to {@code audit}. */
    public ThrottledAudit(Audit audit, LongSupplier epochMillis) {
        this.audit = audit;
        this.epochMillis = epochMillis;
    }

    @Override
    public synchronized void note(String who, String what, String object, Object from, String result) {
        if (mayRecord(who, what, from, result)) {
            audit.note(who, what, object, from, result);
        }
    }

    @Override
    public synchronized void transfer(String who, String what, String object, Object from, String result, Moved moved) {
        if (mayRecord(who, what, from, result)) {
            audit.transfer(who, what, object, from, result, moved);
        }
    }

    /** Counts a refusal. */
    private boolean mayRecord(String who, String what, Object from, String result) {
        if (result.equals(OK)) {
            return true;
        }
        Kind kind = new Kind(who, who.equals(STRANGER) ? network(from) : "", what);
        long now = epochMillis.getAsLong();
        Count count = counts.get(kind);
        if (count == null || Math.abs(now - count.sinceMillis) >= MINUTE_MILLIS) {
            flush(kind);
            if (counts.size() >= MAX_COUNTED) {
                flush(counts.keySet().iterator().next());
            }
            count = new Count(now);
            counts.put(kind, count);
        }
        count.notes++;
        count.from = from;
        return count.notes <= MAX_PER_MINUTE;
    }

    private static Object network(Object from) {
        return from instanceof InetSocketAddress peer && !peer.isUnresolved()
                ? PeerNetwork.of(peer.getAddress())
                : from;
    }

    private void flush(Kind kind) {
        Count count = counts.remove(kind);
        if (count != null && count.notes > MAX_PER_MINUTE) {
            audit.note(
                    kind.who,
                    kind.what,
                    "",
                    count.from,
                    "refused " + (count.notes - MAX_PER_MINUTE) + " more times within a minute");
        }
    }

    @Override
    public synchronized void close() {
        for (Kind kind : counts.keySet().toArray(Kind[]::new)) {
            flush(kind);
        }
        audit.close();
    }
}
