package io.hawser.ops.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A complete request.
 *
 * <p>Thread: immutable.
 */
public final class Request {
    private final String method;
    private final String target;
    private final URI uri;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final Peer peer;

    /**
     * The client.
     *
     * @param address where the connection comes from
     * @param isSecure whether it is encrypted
     * @param certificate of the client, trusted; or null
     */
    public record Peer(
            InetSocketAddress address,
            boolean isSecure,
            @Nullable X509Certificate certificate) {}

    /**
     * @param target as in the request line
     * @param headers by name in any case
     * @throws URISyntaxException if {@code target} is neither a path nor a URI
     */
    Request(String method, String target, Map<String, List<String>> headers, byte[] body, Peer peer)
            throws URISyntaxException {
        this.method = method;
        this.target = target;
        // Two slashes at the beginning are part of the path (RFC 9112 section 3.2.1), which a URI alone would take for
        // a host's name.
        uri = new URI(isOriginForm(target) ? "http://host" + target : target);
        if (uri.getPath() == null) {
            throw new URISyntaxException(target, "it has no path");
        }
        this.headers = headers;
        this.body = body;
        this.peer = peer;
    }

    private static boolean isOriginForm(String target) {
        return target.startsWith("/");
    }

    public String method() {
        return method;
    }

    /** Whether the method changes nothing. */
    boolean isSafe() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** The target as in the request line. */
    public String target() {
        return target;
    }

    public String path() {
        return uri.getPath();
    }

    /**
     * The decoded parameters after the {@code ?}; the last one of a name wins.
     *
     * @throws IllegalArgumentException if the encoding is wrong
     */
    public Map<String, String> query() {
        Map<String, String> query = new HashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String part : raw.split("&")) {
                int equals = part.indexOf('=');
                String name = equals < 0 ? part : part.substring(0, equals);
                String value = equals < 0 ? "" : part.substring(equals + 1);
                query.put(
                        URLDecoder.decode(name, StandardCharsets.UTF_8),
                        URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    /** The values of a header, in their order. */
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /** The first value of a header, or null. */
    public @Nullable String header(String name) {
        List<String> values = headers(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /** The hosts that it names: that of an absolute target, else the {@code Host} headers, of which there should be one. */
    public List<String> hosts() {
        String authority = isOriginForm(target) ? null : uri.getRawAuthority();
        return authority == null ? headers("Host") : List.of(authority);
    }

    /** The body; empty if there is none. */
    public byte[] body() {
        return body.clone();
    }

    public Peer peer() {
        return peer;
    }
}
