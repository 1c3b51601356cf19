package io.hawser.ops.observe;

import java.util.List;

/**
 * The use of a tenant's quota; an element of the JSON list of {@code /quotas}.
 *
 * @param who the tenant
 * @param topics the topics that the quota covers
 * @param usedBytes payload that the broker keeps
 * @param reservedBytes payload of open transfers that is reserved and not written yet
 * @param limitBytes the most of both together, or {@link #NO_LIMIT}
 * @param transfers transfers that are open or not delivered to all yet
 * @param limitTransfers the most of these, or {@link #NO_LIMIT}
 */
public record QuotaLine(
        String who,
        List<String> topics,
        long usedBytes,
        long reservedBytes,
        long limitBytes,
        long transfers,
        long limitTransfers) {
    public static final long NO_LIMIT = 0;
}
