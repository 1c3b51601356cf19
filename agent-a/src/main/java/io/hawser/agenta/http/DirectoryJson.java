package io.hawser.agenta.http;

import com.fasterxml.jackson.databind.node.TextNode;
import io.hawser.agenta.namespace.PathFacts;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;

/**
 * A directory as JSON: {@code {"entries":[{"name":…,"href":…,"type":"file"|"directory","size":…,"modified":…},…]}}. A directory has no
 * size; the time is in UTC and absent if it is not known. Pure.
 */
final class DirectoryJson {
    private DirectoryJson() {}

    static Iterator<String> lines(Collection<PathFacts> entries) {
        return new PageLines("{\"entries\":[", entries, DirectoryJson::row, "]}");
    }

    private static String row(PathFacts entry, boolean hasNext) {
        String slash = entry.directory() ? "/" : "";
        String name = new TextNode(entry.name()).toString(); // in quotes
        String size = entry.directory() ? "" : ",\"size\":" + entry.sizeBytes();
        String modified = entry.modifiedMillis() > 0
                ? ",\"modified\":\"" + Instant.ofEpochMilli(entry.modifiedMillis()) + "\""
                : "";
        return "{\"name\":" + name + ",\"href\":\"" + RequestTarget.encodeSegment(entry.name()) + slash
                + "\",\"type\":\"" + (entry.directory() ? "directory" : "file") + "\"" + size + modified + "}"
                + (hasNext ? "," : "");
    }
}
