package io.hawser.core.config;

import java.util.Locale;

/** Formats a time span, such as an age, for messages. Thread: any. */
public final class DurationText {
    private DurationText() {}

    /** The time in a suitable unit, such as {@code 12.3 s} or {@code 4 h}. */
    public static String text(long millis) {
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        long minutes = millis / 60_000;
        return minutes < 120 ? minutes + " min" : minutes < 2 * 24 * 60 ? minutes / 60 + " h" : minutes / 1440 + " d";
    }
}
