package io.hawser.core.model;

/**
 * A half-open range of fragment indexes: it includes {@code start} and excludes {@code end}.
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
