package io.hawser.it.bench.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * From when until when something was done.
 *
 * @param begin in ns since 1970
 * @param end the same, not before {@code begin}
 * @param bytes that it was done to; 0 if that means nothing
 */
record Interval(long begin, long end, long bytes) {
    /** What all cover together, in order, without overlaps; the bytes are not kept. */
    static List<Interval> union(List<Interval> all) {
        List<Interval> union = new ArrayList<>();
        all.stream().sorted(Comparator.comparingLong(Interval::begin)).forEach(next -> {
            Interval last = union.isEmpty() ? null : union.get(union.size() - 1);
            if (last == null || next.begin() > last.end()) {
                union.add(new Interval(next.begin(), next.end(), 0));
            } else if (next.end() > last.end()) {
                union.set(union.size() - 1, new Interval(last.begin(), next.end(), 0));
            }
        });
        return union;
    }

    long nanos() {
        return end - begin;
    }

    /** The part of it that lies in a window; none if it lies outside. */
    List<Interval> within(long from, long to) {
        return end < from || begin > to
                ? List.of()
                : List.of(new Interval(Math.max(begin, from), Math.min(end, to), bytes));
    }
}
