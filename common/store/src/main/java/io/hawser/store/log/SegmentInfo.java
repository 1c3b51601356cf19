package io.hawser.store.log;

/**
 * A segment of a log.
 *
 * @param number from 1, ascending in the order of writing
 * @param firstSequence the number that its first record has or will have
 * @param sizeBytes the length of its file
 * @param sealed whether nothing more will be written to it
 */
public record SegmentInfo(long number, long firstSequence, long sizeBytes, boolean sealed) {}
