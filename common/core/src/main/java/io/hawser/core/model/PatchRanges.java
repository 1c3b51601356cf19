package io.hawser.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of a file that the bytes of a patch fill, in order; the remaining bytes go after the last range, to a range without an
 * end. So a patch travels as one run of bytes.
 *
 * <p>As text ({@link Attributes#OFFSET}): the ranges with exclusive ends and then the last place, {@code 100-200,500}; usually that
 * alone.
 *
 * @param ranges rising and apart from each other, at most {@value #MAX_RANGES}
 * @param last where the bytes belong that are more than fit into the ranges; behind the last one
 */
public record PatchRanges(List<FragmentRange> ranges, long last) {
    /** More would make the manifest heavy. */
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

    /** All bytes from {@code offset} on. */
    public static PatchRanges from(long offset) {
        return new PatchRanges(List.of(), offset);
    }

    /** The gaps in {@code have}, and what is behind it; empty if the gaps are too many. */
    public static Optional<PatchRanges> around(FragmentRanges have) {
        List<FragmentRange> gaps = new ArrayList<>();
        long behind = 0;
        for (FragmentRange present : have.runs()) {
            long next = present.start();
            if (next > behind) {
                gaps.add(new FragmentRange(behind, next));
            }
            behind = present.end();
        }
        return gaps.size() > MAX_RANGES ? Optional.empty() : Optional.of(new PatchRanges(gaps, behind));
    }

    /** Reads the text; empty if it is something else. */
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

    /** The text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        ranges.forEach(range ->
                text.append(range.start()).append('-').append(range.end()).append(','));
        return text.append(last).toString();
    }

    /** How many bytes the ranges take together: a patch that fills them all has at least so many. */
    public long rangesBytes() {
        return ranges.stream().mapToLong(FragmentRange::count).sum();
    }

    /** The places in the file, in rising order, of the patch's bytes {@code [start, end)}. */
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

    /** Where in the patch the byte is that belongs at {@code position}, if {@code count} bytes from there on are; or -1. */
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

    /** The size of a file of {@code baseBytes} with {@code patchBytes} of the patch in it. */
    public long mergedBytes(long baseBytes, long patchBytes) {
        List<FragmentRange> places = inFile(0, patchBytes);
        return places.isEmpty()
                ? baseBytes
                : Math.max(baseBytes, places.get(places.size() - 1).end());
    }
}
