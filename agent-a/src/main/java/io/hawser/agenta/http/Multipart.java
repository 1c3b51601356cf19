package io.hawser.agenta.http;

import io.hawser.agenta.download.DownloadWindow.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The body of a response with one range of a file, or with several ({@code multipart/byteranges}, RFC 9110 section 14.6).
 *
 * @param parts in the order in which they are sent
 * @param boundary what separates them; empty if there is only one
 * @param end what follows the last of them; all that is not the file is ASCII
 */
record Multipart(List<Part> parts, String boundary, String end) {
    /**
     * A range of the file.
     *
     * @param head what precedes its bytes
     */
    record Part(String head, Range range) {}

    static Multipart one(Range range) {
        return new Multipart(List.of(new Part("", range)), "", "");
    }

    static Multipart of(List<Range> ranges, String contentType, long sizeBytes) {
        String boundary = UUID.randomUUID().toString(); // not in the file, whoever wrote it
        List<Part> parts = new ArrayList<>();
        for (Range range : ranges) {
            String head = (parts.isEmpty() ? "" : "\r\n") + "--" + boundary + "\r\nContent-Type: " + contentType
                    + "\r\nContent-Range: " + contentRange(range, sizeBytes) + "\r\n\r\n";
            parts.add(new Part(head, range));
        }
        return new Multipart(List.copyOf(parts), boundary, "\r\n--" + boundary + "--\r\n");
    }

    static String contentRange(Range range, long sizeBytes) {
        return "bytes " + range.from() + "-" + (range.to() - 1) + "/" + sizeBytes;
    }

    String contentType() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    List<Range> ranges() {
        return parts.stream().map(Part::range).toList();
    }

    long lengthBytes() {
        return parts.stream()
                        .mapToLong(part -> part.head.length() + part.range.to() - part.range.from())
                        .sum()
                + end.length();
    }
}
