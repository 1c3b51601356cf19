package io.hawser.ops.observe;

import java.util.List;

/**
 * How far a tenant's quota is used; an element of the JSON list of {@code /quotas}.
 *
 * @param who whose transfers it covers
 * @param topics to which topics they go
 * @param usedBytes payload that is kept
 * @param reservedBytes what was promised to open transfers and is not written yet
 * @param limitBytes the most that both may come to, or {@link #NO_LIMIT}
 * @param transfers that are open, or that somebody has yet to get
 * @param limitTransfers the most of these, or {@link #NO_LIMIT}
 *
 * <p>Thread: immutable.
 */
public record QuotaLine(
        String who,
        List<String> topics,
        long usedBytes,
        long reservedBytes,
        long limitBytes,
        long transfers,
        long limitTransfers) {
    /** For no bound. */
    public static final long NO_LIMIT = 0;
}
