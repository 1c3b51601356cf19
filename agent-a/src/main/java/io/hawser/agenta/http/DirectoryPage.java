package io.hawser.agenta.http;

import io.hawser.agenta.namespace.PathFacts;
import io.hawser.core.ftp.FtpPath;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Iterator;
import java.util.Locale;

/** A directory as a page of HTML: a row for each entry, whose link is relative. Pure. */
final class DirectoryPage {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String STYLE = "body{font:14px system-ui,sans-serif;margin:2em}"
            + "td,th{padding:2px 12px 2px 0;text-align:left}td.n{text-align:right}";

    private DirectoryPage() {}

    static Iterator<String> lines(FtpPath path, Collection<PathFacts> entries) {
        String title = escape(path.toString());
        String parent = path.isRoot() ? "" : "\n<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>";
        String head =
                "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title + "</title><style>"
                        + STYLE + "</style></head><body><h1>" + title
                        + "</h1><table><tr><th>Name</th><th>Bytes</th><th>Modified (UTC)</th></tr>" + parent;
        return new PageLines(head, entries, (entry, hasNext) -> row(entry), "</table></body></html>");
    }

    private static String row(PathFacts entry) {
        String slash = entry.directory() ? "/" : "";
        String time = entry.modifiedMillis() > 0 ? TIME.format(Instant.ofEpochMilli(entry.modifiedMillis())) : "";
        return "<tr><td><a href=\"" + RequestTarget.encodeSegment(entry.name()) + slash + "\">" + escape(entry.name())
                + slash + "</a></td><td class=\"n\">" + (entry.directory() ? "" : entry.sizeBytes()) + "</td><td>"
                + time + "</td></tr>";
    }

    /** {@code text} as it is written between tags and in quoted attributes. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Character.isISOControl(c) ? '\uFFFD' : c);
            }
        }
        return out.toString();
    }
}
