package io.hawser.ops.observe;

import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.NodeMetrics.Sample;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the accepted transfers of a node without progress for longer than {@code --warn-after}, by cause, for {@code /health} and the metrics.
 *
 * <p>Thread: one.
 */
public final class StalledTransfers {
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

    /** One for each cause, about what has waited longest; empty if nothing stalls. */
    public List<HealthWarning> warnings() {
        return rows.entrySet().stream()
                .map(each -> WarningCode.of(each.getKey())
                        .about(Printable.text(each.getValue().name), sentence(each.getKey(), each.getValue())))
                .toList();
    }

    private static String sentence(StallCause cause, Row row) {
        String subject = row.transfers == 1 ? "1 accepted transfer has" : row.transfers + " accepted transfers have";
        return subject + " made no progress for " + DurationText.text(row.idleMillis) + " (" + Printable.text(row.name)
                + ": " + Printable.text(row.reason) + "). " + cause.remedy();
    }

    /** The metric of the transfers that {@code stalled} finds. */
    public static void add(NodeMetrics metrics, NodeMetrics.Source<StalledTransfers> stalled) {
        metrics.of(stalled)
                .gauges(
                        "hawser_stalled_transfers",
                        "Accepted transfers without progress for longer than --warn-after.",
                        from -> Arrays.stream(StallCause.values())
                                .map(cause -> new Sample(Map.of("cause", cause.word()), from.count(cause)))
                                .toList());
    }

    public long count(StallCause cause) {
        Row row = rows.get(cause);
        return row == null ? 0 : row.transfers;
    }
}
