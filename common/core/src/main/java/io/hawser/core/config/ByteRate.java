package io.hawser.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate in bytes per second, parsed from bits as for network links ({@code 10mbit}, {@code 1.5gbit}) or from bytes ({@code 5MB/s},
 * {@code 512KiB/s}).
 *
 * @param bytesPerSecond 1 or more
 */
public record ByteRate(long bytesPerSecond) {
    private static final Pattern BITS = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s*([kmg]?)bit(?:/s)?");
    private static final int BITS_PER_BYTE = 8;
    private static final long MAX_BYTES_PER_SECOND = 1_000_000_000_000_000L;
    private static final String FORMS = "write for example 10mbit, 1.5gbit, 500kbit or 5MB/s";

    public ByteRate {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("a rate is at least a byte per second, not " + bytesPerSecond);
        }
    }

    /** {@link IllegalArgumentException} with a sentence that names the valid forms. */
    public static ByteRate parse(String text) {
        String stripped = text.strip();
        Matcher bits = BITS.matcher(stripped.toLowerCase(Locale.ROOT));
        long bytes;
        if (bits.matches()) {
            double factor =
                    switch (bits.group(2)) {
                        case "k" -> 1e3;
                        case "m" -> 1e6;
                        case "g" -> 1e9;
                        default -> 1;
                    };
            bytes = (long) (Double.parseDouble(bits.group(1)) * factor / BITS_PER_BYTE);
        } else if (stripped.endsWith("/s")) {
            bytes = ByteSize.parse(stripped.substring(0, stripped.length() - 2)).bytes();
        } else {
            throw new IllegalArgumentException("'" + text + "' is not a rate; " + FORMS);
        }
        if (bytes > MAX_BYTES_PER_SECOND) {
            throw new IllegalArgumentException("'" + text + "' is more than 1 PB/s; " + FORMS);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("'" + text + "' is less than a byte per second; " + FORMS);
        }
        return new ByteRate(bytes);
    }
}
