package io.hawser.agenta.http;

import io.hawser.agenta.download.DownloadWindow.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Parses {@code Range} headers (RFC 9110 section 14). Pure. */
final class ByteRanges {
    /** A request for more of them, or for more bytes than the file has, gets the whole file: its parts would only cost more. */
    static final int MAX = 32;

    private static final String UNIT = "bytes=";
    /** More digits than any position has; a longer number is not parsed. */
    private static final int MAX_DIGITS = 18;

    private ByteRanges() {}

    /**
     * The ranges of a file of {@code sizeBytes} that {@code header} asks for, as they follow there; an empty list if none of them lies in
     * the file. Empty if the header is to be ignored.
     */
    static Optional<List<Range>> parse(String header, long sizeBytes) {
        String text = header.strip();
        if (!text.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
            return Optional.empty();
        }
        String[] specs = text.substring(UNIT.length()).split(",", -1);
        if (specs.length > MAX) {
            return Optional.empty();
        }
        List<Range> ranges = new ArrayList<>();
        for (String spec : specs) {
            Optional<Optional<Range>> range = parseOne(spec.strip(), sizeBytes);
            if (range.isEmpty()) {
                return Optional.empty();
            }
            range.get().ifPresent(ranges::add);
        }
        long bytes =
                ranges.stream().mapToLong(range -> range.to() - range.from()).sum();
        return ranges.size() > 1 && bytes > sizeBytes ? Optional.empty() : Optional.of(List.copyOf(ranges));
    }

    /** Empty if it is malformed; an empty range if it does not lie in the file. */
    private static Optional<Optional<Range>> parseOne(String spec, long sizeBytes) {
        int dash = spec.indexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        String first = spec.substring(0, dash);
        String last = spec.substring(dash + 1);
        if ((first.isEmpty() && last.isEmpty()) || !isNumber(first) || !isNumber(last)) {
            return Optional.empty();
        }
        if (first.isEmpty()) {
            long length = Math.min(Long.parseLong(last), sizeBytes);
            return Optional.of(length == 0 ? Optional.empty() : Optional.of(new Range(sizeBytes - length, sizeBytes)));
        }
        long from = Long.parseLong(first);
        long to = last.isEmpty() ? sizeBytes : Math.min(Long.parseLong(last) + 1, sizeBytes);
        if (!last.isEmpty() && Long.parseLong(last) < from) {
            return Optional.empty();
        }
        return Optional.of(from >= sizeBytes ? Optional.empty() : Optional.of(new Range(from, to)));
    }

    private static boolean isNumber(String text) {
        return text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
