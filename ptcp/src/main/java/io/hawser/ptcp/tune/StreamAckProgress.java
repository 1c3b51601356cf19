package io.hawser.ptcp.tune;

/**
 * A socket's counters of a stream.
 *
 * @param ackedBytes bytes that the peer's system has
 * @param waits whether unacknowledged bytes exist
 * @param rttNanos smoothed round trip, or -1
 */
public record StreamAckProgress(long ackedBytes, boolean waits, long rttNanos) {}
