package io.hawser.agenta.http;

import java.util.Locale;
import java.util.Map;

/** Media types by the ends of names. Only what a browser shows without running anything has one; all else is bytes to be saved. */
final class MediaTypes {
    private static final String BYTES = "application/octet-stream";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Map<String, String> BY_END = Map.ofEntries(
            Map.entry("txt", TEXT),
            Map.entry("log", TEXT),
            Map.entry("md", TEXT),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("png", "image/png"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("gif", "image/gif"),
            Map.entry("webp", "image/webp"),
            Map.entry("pdf", "application/pdf"));

    private MediaTypes() {}

    static String of(String name) {
        String end = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return BY_END.getOrDefault(end, BYTES);
    }
}
