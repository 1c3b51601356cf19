package io.hawser.ptcp;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Collects the head of a proxy's answer to CONNECT (RFC 9112, section 4).
 *
 * <p>Thread: one.
 */
final class ProxyAnswer {
    /** One character for each byte, because the character set of a proxy's texts is unknown. */
    static final Charset BYTES = StandardCharsets.ISO_8859_1;

    /** The longest head. */
    static final int LIMIT_BYTES = 16 << 10;

    /** The status of an answer that is not HTTP. */
    static final int NONE = 0;

    private static final String END = "\r\n\r\n";
    private static final String CHALLENGE = "proxy-authenticate";
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?");

    private final StringBuilder head = new StringBuilder();

    /** Takes one byte. Returns whether that was the last one, because the head is complete or too long. */
    boolean add(byte octet) {
        head.append((char) (octet & 0xFF));
        return isTooLong() || head.indexOf(END, head.length() - END.length()) >= 0;
    }

    boolean isTooLong() {
        return head.length() > LIMIT_BYTES;
    }

    /** The status, or {@link #NONE}. */
    int status() {
        String line = lines()[0];
        return STATUS_LINE.matcher(line).matches() ? Integer.parseInt(line.substring(9, 12)) : NONE;
    }

    /** The status line, for messages. */
    String firstLine() {
        return printable(lines()[0]);
    }

    /** A proxy's text in printable ASCII. */
    static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /** The values of {@code Proxy-Authenticate}. */
    List<String> challenges() {
        List<String> found = new ArrayList<>();
        for (String line : lines()) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(CHALLENGE)) {
                found.add(line.substring(colon + 1).strip());
            }
        }
        return found;
    }

    private String[] lines() {
        return head.toString().split("\r\n", -1);
    }
}
