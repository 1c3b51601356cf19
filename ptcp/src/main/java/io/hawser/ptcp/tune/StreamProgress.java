package io.hawser.ptcp.tune;

/**
 * The socket's count of a stream's bytes.
 *
 * @param ackedBytes bytes that the peer's system has
 * @param waits whether there are others
 * @param rttNanos smoothed round trip, or -1
 */
public record StreamProgress(long ackedBytes, boolean waits, long rttNanos) {}
