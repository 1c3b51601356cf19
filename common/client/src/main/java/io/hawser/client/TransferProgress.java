package io.hawser.client;

/**
 * How far a transfer got.
 *
 * @param sizeBytes its size, or -1 while it is not known
 * @param spooledBytes bytes that are durable on this side
 * @param brokeredBytes bytes that the broker has said to be durable there
 */
public record TransferProgress(long sizeBytes, long spooledBytes, long brokeredBytes) {}
