package io.hawser.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of a file that a patch replaces. The patch is one run of bytes, which fill the ranges in order; the rest goes to {@code last}
 * and beyond.
 *
 * <p>As text ({@link Attributes#OFFSET}): the ranges with exclusive ends, then the last offset, such as {@code 100-200,500}; usually only the
 * last offset.
 *
 * @param ranges ascending and disjoint, at most {@value #MAX_RANGES}
 * @param last offset of the bytes that exceed the ranges; after the last range
 */
public record PatchRanges(List<FragmentRange> ranges, long last) {
    /** More would make the manifest too large. */
    public static final int MAX_RANGES = 500;

    private static final int MAX_DIGITS = 18;

    public PatchRanges {
        ranges = List.copyOf(ranges);
        long before = -1;
        for (FragmentRange range : ranges) {
            if (range.start() <= before) {
                throw new IllegalArgumentException("ranges that do not rise: " + ranges);
            }
            before = range.end();
        }
        if (last < 0 || last <= before || ranges.size() > MAX_RANGES) {
            throw new IllegalArgumentException(ranges.size() + " ranges, then " + last);
        }
    }

    /** One open range from {@code offset}. */
    public static PatchRanges from(long offset) {
        return new PatchRanges(List.of(), offset);
    }

    /** The gaps in {@code have} and the rest after it; empty if there are too many gaps. */
    public static Optional<PatchRanges> around(FragmentRanges have) {
        List<FragmentRange> gaps = new ArrayList<>();
        long end = 0;
        for (FragmentRange present : have.runs()) {
            long next = present.start();
            if (next > end) {
                gaps.add(new FragmentRange(end, next));
            }
            end = present.end();
        }
        return gaps.size() > MAX_RANGES ? Optional.empty() : Optional.of(new PatchRanges(gaps, end));
    }

    /** Parses the text; empty if it is malformed. */
    public static Optional<PatchRanges> parse(String text) {
        String[] parts = text.split(",", MAX_RANGES + 2);
        List<FragmentRange> ranges = new ArrayList<>();
        try {
            for (String part : List.of(parts).subList(0, parts.length - 1)) {
                int dash = part.indexOf('-');
                ranges.add(new FragmentRange(
                        number(part.substring(0, Math.max(0, dash))), number(part.substring(dash + 1))));
            }
            return Optional.of(new PatchRanges(ranges, number(parts[parts.length - 1])));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static long number(String text) {
        if (text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NumberFormatException(text);
        }
        return Long.parseLong(text);
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        ranges.forEach(range ->
                text.append(range.start()).append('-').append(range.end()).append(','));
        return text.append(last).toString();
    }

    /** The bytes of all ranges: a patch that fills them has at least as many. */
    public long rangesBytes() {
        return ranges.stream().mapToLong(FragmentRange::count).sum();
    }

    /** The ascending ranges in the file of the patch's bytes {@code [start, end)}. */
    public List<FragmentRange> inFile(long start, long end) {
        List<FragmentRange> places = new ArrayList<>();
        long filled = 0;
        for (FragmentRange range : ranges) {
            long from = Math.max(start, filled);
            long to = Math.min(end, filled + range.count());
            if (from < to) {
                places.add(new FragmentRange(range.start() + from - filled, range.start() + to - filled));
            }
            filled += range.count();
        }
        long from = Math.max(start, filled);
        if (from < end) {
            places.add(new FragmentRange(last + from - filled, last + end - filled));
        }
        return places;
    }

    /** The offset in the patch of the file's bytes {@code [position, position + count)}; -1 if the patch does not have them all. */
    public long inPatch(long position, long count) {
        long filled = 0;
        for (FragmentRange range : ranges) {
            if (position < range.end()) {
                return position >= range.start() && count <= range.end() - position
                        ? filled + position - range.start()
                        : -1;
            }
            filled += range.count();
        }
        return position >= last ? filled + position - last : -1;
    }

    /** The size of a file of {@code baseBytes} after {@code patchBytes} of the patch are written. */
    public long mergedBytes(long baseBytes, long patchBytes) {
        List<FragmentRange> places = inFile(0, patchBytes);
        return places.isEmpty()
                ? baseBytes
                : Math.max(baseBytes, places.get(places.size() - 1).end());
    }
}
