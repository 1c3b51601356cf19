package io.hawser.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A mutable set of fragment indexes, stored as disjoint runs: its size grows with the number of gaps, not of fragments.
 *
 * <p>Thread: its owner's.
 */
public final class FragmentRanges {
    private final NavigableMap<Long, Long> endByStart = new TreeMap<>();

    /** An empty set. */
    public FragmentRanges() {}

    /** The set of indexes in {@code [start, end)}. */
    public static FragmentRanges of(long start, long end) {
        FragmentRanges ranges = new FragmentRanges();
        ranges.add(start, end);
        return ranges;
    }

    /** A copy that shares nothing with this set. */
    public FragmentRanges copy() {
        FragmentRanges copy = new FragmentRanges();
        copy.endByStart.putAll(endByStart);
        return copy;
    }

    /** Adds one index. Returns false if it was in the set already. */
    public boolean add(long index) {
        if (contains(index)) {
            return false;
        }
        add(index, index + 1);
        return true;
    }

    /** Adds {@code [start, end)}; an empty range changes nothing. */
    public void add(long start, long end) {
        if (start >= end) {
            return;
        }
        long newStart = start;
        long newEnd = end;
        Map.Entry<Long, Long> before = endByStart.floorEntry(start);
        if (before != null && before.getValue() >= start) {
            newStart = before.getKey();
            newEnd = Math.max(newEnd, before.getValue());
        }
        NavigableMap<Long, Long> touched = endByStart.subMap(newStart, true, newEnd, true);
        if (!touched.isEmpty()) {
            newEnd = Math.max(newEnd, touched.lastEntry().getValue());
            touched.clear();
        }
        endByStart.put(newStart, newEnd);
    }

    public void addAll(FragmentRanges other) {
        other.endByStart.forEach(this::add);
    }

    /** Removes {@code [start, end)}. */
    public void remove(long start, long end) {
        if (start >= end) {
            return;
        }
        Map.Entry<Long, Long> before = endByStart.lowerEntry(start);
        if (before != null && before.getValue() > start) {
            long beforeEnd = before.getValue();
            endByStart.put(before.getKey(), start);
            if (beforeEnd > end) {
                endByStart.put(end, beforeEnd);
                return;
            }
        }
        NavigableMap<Long, Long> touched = endByStart.subMap(start, true, end, false);
        if (!touched.isEmpty()) {
            long lastEnd = touched.lastEntry().getValue();
            touched.clear();
            if (lastEnd > end) {
                endByStart.put(end, lastEnd);
            }
        }
    }

    /** The indexes that are in both sets. */
    public FragmentRanges intersection(FragmentRanges other) {
        FragmentRanges both = new FragmentRanges();
        endByStart.forEach((start, end) -> {
            long from = other.firstPresent(start);
            while (from >= 0 && from < end) {
                long to = Math.min(end, other.firstMissing(from));
                both.endByStart.put(from, to);
                from = other.firstPresent(to);
            }
        });
        return both;
    }

    public boolean contains(long index) {
        Map.Entry<Long, Long> run = endByStart.floorEntry(index);
        return run != null && run.getValue() > index;
    }

    /** Whether all of {@code [start, end)} is in the set; true for an empty range. */
    public boolean containsAll(long start, long end) {
        if (start >= end) {
            return true;
        }
        Map.Entry<Long, Long> run = endByStart.floorEntry(start);
        return run != null && run.getValue() >= end;
    }

    /** The first index at or after {@code from} that is not in the set. */
    public long firstMissing(long from) {
        Map.Entry<Long, Long> run = endByStart.floorEntry(from);
        return run != null && run.getValue() > from ? run.getValue() : from;
    }

    /** The first index at or after {@code from} that is in the set, or -1. */
    public long firstPresent(long from) {
        if (contains(from)) {
            return from;
        }
        Long start = endByStart.ceilingKey(from);
        return start == null ? -1 : start;
    }

    /** How many indexes are in the set. */
    public long count() {
        long count = 0;
        for (Map.Entry<Long, Long> run : endByStart.entrySet()) {
            count += run.getValue() - run.getKey();
        }
        return count;
    }

    /** One past the highest index in the set; 0 if it is empty. */
    public long end() {
        return endByStart.isEmpty() ? 0 : endByStart.lastEntry().getValue();
    }

    public boolean isEmpty() {
        return endByStart.isEmpty();
    }

    /** How many disjoint runs the set has. */
    public int runCount() {
        return endByStart.size();
    }

    /** The runs in ascending order, as a copy. */
    public List<FragmentRange> runs() {
        List<FragmentRange> runs = new ArrayList<>(endByStart.size());
        endByStart.forEach((start, end) -> runs.add(new FragmentRange(start, end)));
        return runs;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FragmentRanges that && endByStart.equals(that.endByStart);
    }

    @Override
    public int hashCode() {
        return endByStart.hashCode();
    }

    @Override
    public String toString() {
        return endByStart.toString();
    }
}
