package io.hawser.store.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a list of segments says of those that are there.
 *
 * @param listing the list
 * @param numbers the segments that are there, ascending
 */
record SegmentListComparison(SegmentListEntry listing, List<Long> numbers) {
    /** More need not be named, whatever the list says. */
    private static final int MAX_NAMED = 1_000;

    /** A list of what is there. What is before a gap is not listed: the gap is there already. */
    static SegmentListEntry of(LogId id, List<Long> numbers, long lastRecord) {
        if (numbers.isEmpty()) {
            return new SegmentListEntry(id, 1, 1, 0, lastRecord);
        }
        long last = numbers.get(numbers.size() - 1);
        long first = last;
        for (int i = numbers.size() - 2; i >= 0 && numbers.get(i) == first - 1; i--) {
            first--;
        }
        return new SegmentListEntry(id, 1, first, last, lastRecord);
    }

    /** A crash leaves one segment at most that is not listed yet. */
    boolean isOlderThanTheLog() {
        return !numbers.isEmpty() && numbers.get(numbers.size() - 1) > listing.last() + 1;
    }

    /** Listed and not there, ascending. */
    List<Long> missing() {
        Set<Long> there = new TreeSet<>(numbers);
        List<Long> missing = new ArrayList<>();
        for (long number = listing.first(); number <= listing.last() && missing.size() < MAX_NAMED; number++) {
            if (!there.contains(number)) {
                missing.add(number);
            }
        }
        return missing;
    }

    static String wayOut(Path list) {
        return " Restore the directory from a backup, all of it. If there is none, delete " + list
                + ": the node then starts with what is left. What only the lost records tell is lost then: of a log or"
                + " journal, transfers may be missing or delivered a second time; of events/log, history alone.";
    }
}
