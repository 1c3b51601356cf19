package io.hawser.store.log;

/**
 * Where a record begins.
 *
 * @param segment the segment's number, from 1
 * @param offset bytes from the beginning of the segment's file
 */
public record LogPosition(long segment, long offset) implements Comparable<LogPosition> {
    /** Before every record of every log. */
    public static final LogPosition START = new LogPosition(0, 0);

    @Override
    public int compareTo(LogPosition other) {
        int bySegment = Long.compare(segment, other.segment);
        return bySegment != 0 ? bySegment : Long.compare(offset, other.offset);
    }

    @Override
    public String toString() {
        return segment + ":" + offset;
    }
}
