package io.hawser.agenta.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.OptionalLong;

/** The dates of HTTP headers (RFC 9110 section 5.6.7), to the second. The two obsolete forms are not read: such a condition is ignored. */
final class HttpDates {
    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
    private static final DateTimeFormatter READ = WRITTEN.withZone(ZoneOffset.UTC);

    private HttpDates() {}

    static String write(long epochMillis) {
        return WRITTEN.format(Instant.ofEpochMilli(epochMillis).atZone(ZoneOffset.UTC));
    }

    /** Seconds since the epoch; empty if it is no date. */
    static OptionalLong parse(String text) {
        try {
            return OptionalLong.of(ZonedDateTime.parse(text.strip(), READ).toEpochSecond());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }
}
