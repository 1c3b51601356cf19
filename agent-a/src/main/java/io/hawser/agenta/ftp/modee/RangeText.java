package io.hawser.agenta.ftp.modee;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Parses and formats the byte ranges of 111 markers and REST, such as 0-10,20-30. The end is exclusive, as all implementations
 * have it.
 */
public final class RangeText {
    private static final int MAX_RANGES = 8192;
    private static final int MAX_DIGITS = 18;

    private RangeText() {}

    public static String format(FragmentRanges ranges) {
        StringJoiner text = new StringJoiner(",");
        for (FragmentRange range : ranges.runs()) {
            text.add(range.start() + "-" + range.end());
        }
        return text.toString();
    }

    /** Reads them; empty if the text is something else. */
    public static Optional<FragmentRanges> parse(String text) {
        FragmentRanges ranges = new FragmentRanges();
        String[] parts = text.strip().split(",", MAX_RANGES + 1);
        if (parts.length > MAX_RANGES) {
            return Optional.empty();
        }
        for (String part : parts) {
            int dash = part.indexOf('-');
            if (dash < 0 || !isNumber(part.substring(0, dash)) || !isNumber(part.substring(dash + 1))) {
                return Optional.empty();
            }
            long start = Long.parseLong(part.substring(0, dash));
            long end = Long.parseLong(part.substring(dash + 1));
            if (start > end) {
                return Optional.empty();
            }
            ranges.add(start, end);
        }
        return Optional.of(ranges);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
