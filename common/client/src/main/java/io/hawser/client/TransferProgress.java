package io.hawser.client;

/**
 * How far a transfer got.
 *
 * @param sizeBytes its size, or -1 while it is unknown
 * @param spooledBytes bytes that are durable in this client's journal
 * @param brokeredBytes bytes that the broker has acknowledged as durable
 */
public record TransferProgress(long sizeBytes, long spooledBytes, long brokeredBytes) {}
