package io.hawser.core.config;

import java.util.Locale;

/** Formats a time span for people, such as how long ago something was. Thread: any. */
public final class Ages {
    private Ages() {}

    /** In the unit that fits, such as {@code 12.3 s} or {@code 4 h}. */
    public static String text(long millis) {
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        long minutes = millis / 60_000;
        return minutes < 120 ? minutes + " min" : minutes < 2 * 24 * 60 ? minutes / 60 + " h" : minutes / 1440 + " d";
    }
}
