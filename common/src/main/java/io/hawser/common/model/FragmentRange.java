package io.hawser.common.model;

/**
 * A run of fragment indexes, half-open: {@code start} is in it, {@code end} is not.
 *
 * @param start first index, 0 or more
 * @param end one past the last index, greater than {@code start}
 */
public record FragmentRange(long start, long end) {
    public FragmentRange {
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("not a fragment range: [" + start + ", " + end + ")");
        }
    }

    /** How many fragments are in the range; at least 1. */
    public long count() {
        return end - start;
    }
}
