package io.hawser.store.event;

/**
 * The place of the record, in the journal or log of a store, that caused an event. Places ascend over the life of a log.
 *
 * @param segment the segment's number
 * @param offset where the record begins in it
 */
public record Cause(long segment, long offset) implements Comparable<Cause> {
    /** Before every record. */
    public static final Cause START = new Cause(0, 0);

    @Override
    public int compareTo(Cause other) {
        int bySegment = Long.compare(segment, other.segment);
        return bySegment != 0 ? bySegment : Long.compare(offset, other.offset);
    }
}
