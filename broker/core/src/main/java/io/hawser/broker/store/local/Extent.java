package io.hawser.broker.store.local;

import io.hawser.store.log.LogPosition;

/**
 * A run of fragments that lie one after the other in the log: {@code count} of them from index {@code start}.
 *
 * @param strideBytes from one record to the next
 */
record Extent(long start, long count, LogPosition first, long strideBytes) {
    boolean contains(long index) {
        return index >= start && index < start + count;
    }

    LogPosition positionOf(long index) {
        return new LogPosition(first.segment(), first.offset() + (index - start) * strideBytes);
    }

    /** Whether a record of that place and length continues the run. */
    boolean continuedBy(long index, LogPosition position, long lengthBytes) {
        return index == start + count
                && lengthBytes == strideBytes
                && positionOf(index).equals(position);
    }

    Extent longer() {
        return new Extent(start, count + 1, first, strideBytes);
    }
}
