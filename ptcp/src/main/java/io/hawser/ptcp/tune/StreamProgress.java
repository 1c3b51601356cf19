package io.hawser.ptcp.tune;

/**
 * What a stream's socket says of the bytes that it was given.
 *
 * @param ackedBytes bytes that the peer's system has
 * @param waits whether there are others
 * @param rttNanos smoothed round trip, or -1
 */
public record StreamProgress(long ackedBytes, boolean waits, long rttNanos) {}
