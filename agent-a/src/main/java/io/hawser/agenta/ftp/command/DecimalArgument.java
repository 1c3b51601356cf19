package io.hawser.agenta.ftp.command;

import java.util.OptionalLong;

/** Decimal numbers in arguments: digits only, no sign, within a {@code long}. */
final class DecimalArgument {
    private static final int MAX_DIGITS = 18;

    private DecimalArgument() {}

    static OptionalLong parse(String text) {
        String digits = text.strip();
        boolean number = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }
}
