package io.hawser.ops.observe;

import io.hawser.core.config.Ages;
import io.hawser.core.model.Printable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a node has accepted and what has not moved for longer than {@code --warn-after}, by cause: a warning for {@code /health} and a
 * metric for each.
 *
 * <p>Thread: confined to who fills it.
 */
public final class StalledTransfers {
    private static final String KEY = "stalled.";

    private final long limitMillis;
    private final Map<StallCause, Row> rows = new EnumMap<>(StallCause.class);

    /** How many, and the one of them that has waited longest. */
    private record Row(long transfers, String name, String reason, long idleMillis) {
        Row and(Row other) {
            Row longest = other.idleMillis > idleMillis ? other : this;
            return new Row(transfers + other.transfers, longest.name, longest.reason, longest.idleMillis);
        }
    }

    /** Nothing yet; what has waited for less than {@code warnAfter} does not count. */
    public StalledTransfers(Duration warnAfter) {
        limitMillis = warnAfter.toMillis();
    }

    /** A transfer has not moved for {@code idleMillis}. */
    public void add(StallCause cause, String name, String reason, long idleMillis) {
        add(cause, 1, name, reason, idleMillis);
    }

    /** The same of several at once. {@code name} is whose they are, or the name of the one that has waited longest. */
    public void add(StallCause cause, long transfers, String name, String reason, long idleMillis) {
        if (transfers > 0 && idleMillis >= limitMillis) {
            rows.merge(cause, new Row(transfers, name, reason, idleMillis), Row::and);
        }
    }

    /** A sentence by what it is about; empty if all moves. */
    public Map<String, String> warnings() {
        Map<String, String> found = new LinkedHashMap<>();
        rows.forEach((cause, row) -> found.put(KEY + cause.word(), sentence(cause, row)));
        return found;
    }

    private static String sentence(StallCause cause, Row row) {
        String who = row.transfers == 1 ? "1 accepted transfer has" : row.transfers + " accepted transfers have";
        return who + " not moved for " + Ages.text(row.idleMillis) + " (" + Printable.text(row.name) + ": "
                + Printable.text(row.reason) + "). " + cause.remedy();
    }

    /** How many of that cause. */
    public long count(StallCause cause) {
        Row row = rows.get(cause);
        return row == null ? 0 : row.transfers;
    }
}
