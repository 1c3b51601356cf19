package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses and formats ranges of bytes as GridFTP writes them in REST and in 111 markers: {@code a-b,c-d} with the first byte and the byte after the
 * last, as implementations do (the example of GFD.20 differs).
 */
final class RangeList {
    /** Bounds the command line; the bytes of omitted ranges are sent again. */
    private static final int MAX_RANGES = 100;

    /** Bounds the heap; the bytes of further ranges are sent again after a crash. */
    static final int MAX_RUNS = 4096;

    private static final Pattern MARKER = Pattern.compile("111[ -]Range Marker +([0-9, -]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");

    private RangeList() {}

    static FragmentRanges parse(String text) {
        FragmentRanges ranges = new FragmentRanges();
        addAll(ranges, text);
        return ranges;
    }

    static boolean isMarker(String reply) {
        return MARKER.matcher(reply).lookingAt();
    }

    static void addMarker(FragmentRanges ranges, String reply) {
        Matcher marker = MARKER.matcher(reply);
        if (marker.lookingAt()) {
            addAll(ranges, marker.group(1));
        }
    }

    private static void addAll(FragmentRanges ranges, String text) {
        Matcher range = RANGE.matcher(text);
        while (ranges.runCount() < MAX_RUNS && range.find()) {
            long start = Long.parseLong(range.group(1));
            long end = Long.parseLong(range.group(2));
            if (start < end) {
                ranges.add(start, end);
            }
        }
    }

    static String text(FragmentRanges ranges) {
        return ranges.runs().stream().limit(MAX_RANGES).map(RangeList::text).collect(Collectors.joining(","));
    }

    private static String text(FragmentRange range) {
        return range.start() + "-" + range.end();
    }
}
