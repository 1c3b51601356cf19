package io.hawser.broker.store;

import io.hawser.core.access.Quota;

/**
 * The use of a quota.
 *
 * @param quota the quota
 * @param usedBytes payload that is kept
 * @param reservedBytes what was promised to open transfers and is not written yet
 * @param transfers that are open, or that a subscription is still owed
 *
 * <p>Thread: immutable.
 */
public record QuotaUse(Quota quota, long usedBytes, long reservedBytes, long transfers) {}
