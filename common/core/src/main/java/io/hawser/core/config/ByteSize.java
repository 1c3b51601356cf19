package io.hawser.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, parsed from forms such as {@code 4096}, {@code 64KiB}, {@code 1.5 GiB}, {@code 10GB}. {@code K}, {@code M},
 * {@code G}, {@code T} and {@code P} alone are powers of 1024, as in {@code dd} and {@code ls -h}.
 *
 * @param bytes 0 or more
 */
public record ByteSize(long bytes) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,6})?)\\s*([a-zA-Z]*)");
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is 0 or more, not " + bytes);
        }
    }

    /** {@link IllegalArgumentException} with a sentence that names the valid forms. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size; write for example 4096, 64KiB or 1.5GiB");
        }
        double value = Double.parseDouble(matcher.group(1)) * factor(text, matcher.group(2));
        if (value >= Long.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is too large for a size");
        }
        return matcher.group(2).isEmpty() && matcher.group(1).indexOf('.') < 0
                ? new ByteSize(Long.parseLong(matcher.group(1)))
                : new ByteSize(Math.round(value));
    }

    private static double factor(String text, String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "", "b" -> 1;
            case "k", "kib" -> 1024;
            case "m", "mib" -> Math.pow(1024, 2);
            case "g", "gib" -> Math.pow(1024, 3);
            case "t", "tib" -> Math.pow(1024, 4);
            case "p", "pib" -> Math.pow(1024, 5);
            case "kb" -> 1e3;
            case "mb" -> 1e6;
            case "gb" -> 1e9;
            case "tb" -> 1e12;
            case "pb" -> 1e15;
            default ->
                throw new IllegalArgumentException("'" + text + "' has the unknown unit '" + unit
                        + "'; units are B, KiB, MiB, GiB, TiB, PiB and kB, MB, GB, TB, PB");
        };
    }

    /** The size with at most one decimal, such as {@code 1.5 GiB}. */
    public static String human(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
            value /= 1024;
            unit++;
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f %s", value, BINARY[unit])
                : String.format(Locale.ROOT, "%.1f %s", value, BINARY[unit]);
    }

    @Override
    public String toString() {
        return human(bytes);
    }
}
