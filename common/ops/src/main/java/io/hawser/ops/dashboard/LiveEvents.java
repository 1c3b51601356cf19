package io.hawser.ops.dashboard;

import io.hawser.core.access.Access;
import io.hawser.core.model.Topic;
import io.hawser.ops.dashboard.LiveSnapshot.Entry;
import io.hawser.ops.dashboard.LiveSnapshot.Rate;
import io.hawser.ops.dashboard.LiveSnapshot.Removal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one viewer, in pieces: {@code snapshot} (all rows follow), {@code rows}, {@code gone}, and {@code tick} at the end of each
 * sample. Rows of topics that the viewer may not see are left out.
 *
 * <p>Thread: one at a time.
 */
final class LiveEvents {
    private static final int PIECE_CHARS = 24 << 10;

    private final String node;
    private final Access access;
    private final ArrayDeque<String> heads = new ArrayDeque<>();
    private Iterator<Entry> rows = List.<Entry>of().iterator();
    private @Nullable Rate tick;
    private long sentVersion;

    /** @param access what the viewer may see */
    LiveEvents(String node, Access access) {
        this.node = node;
        this.access = access;
    }

    /** Whether {@link #next} would give no more of what {@link #begin} began. */
    boolean isAtEnd() {
        return heads.isEmpty() && !rows.hasNext() && tick == null;
    }

    /** Begins with what has changed since the last snapshot, of which everything was sent; whether that is anything. */
    boolean begin(LiveSnapshot snapshot) {
        if (snapshot.version() <= sentVersion) {
            return false;
        }
        boolean anew = sentVersion == 0 || sentVersion < snapshot.removalsSince();
        if (anew) {
            heads.add(event("snapshot", head(snapshot)));
        } else {
            removals(snapshot);
        }
        List<Entry> changed = new ArrayList<>();
        long in = 0;
        long out = 0;
        for (Entry each : snapshot.entries()) {
            if ((anew || each.version() > sentVersion) && sees(each.row().topic())) {
                changed.add(each);
                in += each.version() == snapshot.version() ? each.inBytes() : 0;
                out += each.version() == snapshot.version() ? each.outBytes() : 0;
            }
        }
        rows = changed.iterator();
        tick = Rate.of(snapshot.epochMillis(), in, out, snapshot.seconds());
        sentVersion = snapshot.version();
        return true;
    }

    private boolean sees(String topic) {
        return access.seesAll() || (Topic.isValid(topic) && access.sees(new Topic(topic)));
    }

    private String head(LiveSnapshot snapshot) {
        // Totals tell of topics that a caller with limited rights may not know.
        List<Rate> known = access.seesAll() ? snapshot.rates() : List.of();
        return "{\"node\":\"" + node + "\",\"rates\":["
                + known.stream().map(LiveEvents::numbers).collect(Collectors.joining(",")) + "]}";
    }

    private static String numbers(Rate rate) {
        return "[" + rate.epochMillis() + "," + rate.inBytesPerSecond() + "," + rate.outBytesPerSecond() + "]";
    }

    private void removals(LiveSnapshot snapshot) {
        String keys = snapshot.removals().stream()
                .filter(each -> each.version() > sentVersion && sees(each.topic()))
                .map(Removal::key)
                .map(key -> "\"" + key + "\"")
                .collect(Collectors.joining(","));
        if (!keys.isEmpty()) {
            heads.add(event("gone", "[" + keys + "]"));
        }
    }

    /** The next piece: a whole event. */
    String next() {
        if (!heads.isEmpty()) {
            return heads.remove();
        }
        if (rows.hasNext()) {
            StringBuilder text = new StringBuilder(PIECE_CHARS + (PIECE_CHARS >> 2)).append('[');
            while (rows.hasNext() && text.length() < PIECE_CHARS) {
                text.append(text.length() > 1 ? "," : "")
                        .append(rows.next().row().json());
            }
            return event("rows", text.append(']').toString());
        }
        Rate last = tick;
        if (last == null) {
            throw new IllegalStateException("everything was sent");
        }
        tick = null;
        return event(
                "tick",
                "{\"atEpochMillis\":" + last.epochMillis() + ",\"inBytesPerSecond\":" + last.inBytesPerSecond()
                        + ",\"outBytesPerSecond\":" + last.outBytesPerSecond() + "}");
    }

    private static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }
}
