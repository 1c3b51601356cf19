package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.CommandLine;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognises HTTP on a control connection. A web page can make a browser POST a body of its choice to any port, and the lines of such a body
 * would be FTP commands; the request line and the headers come first and give it away.
 */
final class HttpDetector {
    /** RFC 9110 section 9, PATCH (RFC 5789), and the first word of HTTP/2 (RFC 9113 section 3.4). None is a verb of FTP. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "PRI");

    private static final Pattern HEADER_NAME = Pattern.compile("[A-Z0-9!#$%&'*+.^_`|~-]+:.*");
    private static final Pattern VERSION_AT_END = Pattern.compile(".* HTTP/[0-9](\\.[0-9])?");

    private HttpDetector() {}

    /** Whether the line is a request line or a header of HTTP. */
    static boolean isIn(CommandLine line) {
        return METHODS.contains(line.verb())
                || HEADER_NAME.matcher(line.verb()).matches()
                || VERSION_AT_END.matcher(line.argument()).matches();
    }
}
