package io.hawser.broker.relay;

import io.hawser.core.remote.ServingMode;

/**
 * Whether a connected subscription answers questions about its topic's files.
 *
 * @param serving whether its consumer answers questions about them
 * @param entitled whether the consumer has the right to; if not, what it says of the files does not count
 * @param sinceEpochMillis since when its owner has the subscription: of several that answer the longest-standing one is asked
 */
public record CallServerCandidate(ServingMode serving, boolean entitled, long sinceEpochMillis) {}
