package io.hawser.ops.observe;

import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the accepted transfers of a node without progress for longer than {@code --warn-after}, by cause, for {@code /health} and the metrics.
 *
 * <p>Thread: one.
 */
public final class StalledTransfers {
    private static final String KEY = "stalled.";

    private final long limitMillis;
    private final Map<StallCause, Row> rows = new EnumMap<>(StallCause.class);

    /** The number of transfers, and the one that has waited longest. */
    private record Row(long transfers, String name, String reason, long idleMillis) {
        Row and(Row other) {
            Row longest = other.idleMillis > idleMillis ? other : this;
            return new Row(transfers + other.transfers, longest.name, longest.reason, longest.idleMillis);
        }
    }

    /** Empty; ignores what has waited for less than {@code warnAfter}. */
    public StalledTransfers(Duration warnAfter) {
        limitMillis = warnAfter.toMillis();
    }

    /** Adds a transfer without progress for {@code idleMillis}. */
    public void add(StallCause cause, String name, String reason, long idleMillis) {
        add(cause, 1, name, reason, idleMillis);
    }

    /** Adds several. {@code name} is their subscription, or the one that has waited longest. */
    public void add(StallCause cause, long transfers, String name, String reason, long idleMillis) {
        if (transfers > 0 && idleMillis >= limitMillis) {
            rows.merge(cause, new Row(transfers, name, reason, idleMillis), Row::and);
        }
    }

    /** A sentence by its subject; empty if nothing stalls. */
    public Map<String, String> warnings() {
        Map<String, String> found = new LinkedHashMap<>();
        rows.forEach((cause, row) -> found.put(KEY + cause.word(), sentence(cause, row)));
        return found;
    }

    private static String sentence(StallCause cause, Row row) {
        String subject = row.transfers == 1 ? "1 accepted transfer has" : row.transfers + " accepted transfers have";
        return subject + " made no progress for " + DurationText.text(row.idleMillis) + " (" + Printable.text(row.name)
                + ": " + Printable.text(row.reason) + "). " + cause.remedy();
    }

    public long count(StallCause cause) {
        Row row = rows.get(cause);
        return row == null ? 0 : row.transfers;
    }
}
