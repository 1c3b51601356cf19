package io.hawser.ops.http;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request without its body.
 *
 * @param method as it came; methods are case-sensitive
 * @param target the request target as it came
 * @param headers by name, in any case; each value as it came
 * @param bodyBytes how long the body will be: 0 if there is none, {@link #CHUNKED} if it says its end itself
 * @param peer the client's address
 * @param isEncrypted whether it came through TLS
 */
public record RequestHead(
        String method,
        String target,
        Map<String, List<String>> headers,
        long bodyBytes,
        InetSocketAddress peer,
        boolean isEncrypted) {
    /** The length of a body that comes in chunks. */
    public static final long CHUNKED = -1;

    /** The values of a header, joined by commas as RFC 9110 section 5.3 allows; empty if it is absent. */
    public Optional<String> header(String name) {
        List<String> values = headers.get(name);
        return values == null ? Optional.empty() : Optional.of(String.join(", ", values));
    }

    /** How often a header occurs. */
    public int count(String name) {
        return headers.getOrDefault(name, List.of()).size();
    }
}
