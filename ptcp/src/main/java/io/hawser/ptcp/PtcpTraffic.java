package io.hawser.ptcp;

/**
 * What a session's data channels carried.
 *
 * @param sentBytes payload bytes that left
 * @param receivedBytes payload bytes that arrived
 * @param streamsReplaced data channels that died and were replaced
 */
public record PtcpTraffic(long sentBytes, long receivedBytes, long streamsReplaced) {}
