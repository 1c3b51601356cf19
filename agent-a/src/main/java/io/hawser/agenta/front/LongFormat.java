package io.hawser.agenta.front;

import io.hawser.agenta.namespace.PathFacts;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** One line of a listing for people, as {@code ls -l} writes it: a time within half a year with the hour, an older one with the year. UTC. */
public final class LongFormat {
    private static final long HALF_A_YEAR_MILLIS = 182L * 24 * 3600 * 1000;
    private static final DateTimeFormatter RECENT =
            DateTimeFormatter.ofPattern("MMM dd HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter OLD =
            DateTimeFormatter.ofPattern("MMM dd  uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private LongFormat() {}

    public static String of(PathFacts entry, long nowMillis) {
        boolean recent = Math.abs(nowMillis - entry.modifiedMillis()) < HALF_A_YEAR_MILLIS;
        String time = (recent ? RECENT : OLD).format(Instant.ofEpochMilli(entry.modifiedMillis()));
        return String.format(
                Locale.ROOT,
                "%s %s hawser hawser %12d %s %s",
                mode(entry),
                entry.directory() ? "2" : "1",
                entry.sizeBytes(),
                time,
                entry.name());
    }

    private static String mode(PathFacts entry) {
        String letters = "rwxrwxrwx";
        StringBuilder out = new StringBuilder(entry.directory() ? "d" : "-");
        for (int i = 0; i < letters.length(); i++) {
            out.append((entry.mode() >> (letters.length() - 1 - i) & 1) == 1 ? letters.charAt(i) : '-');
        }
        return out.toString();
    }
}
