package io.hawser.agenta.ftp.command;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.OptionalLong;

/** Times that clients set: {@code YYYYMMDDhhmmss}, with a fraction or without seconds, in UTC (RFC 3659 section 2.3). */
final class FtpTime {
    private static final int MINUTES_LENGTH = 12;
    private static final DateTimeFormatter FORM = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4)
            .appendPattern("MMddHHmmss")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT);

    private FtpTime() {}

    /** Milliseconds since the epoch, or empty if it is no time. */
    static OptionalLong parse(String text) {
        try {
            String whole = text.length() == MINUTES_LENGTH ? text + "00" : text;
            return OptionalLong.of(
                    LocalDateTime.parse(whole, FORM).toInstant(ZoneOffset.UTC).toEpochMilli());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }
}
