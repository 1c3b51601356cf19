package io.hawser.ops.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response without its body, its length and what concerns the connection.
 *
 * @param status such as 200
 * @param headers by name
 */
public record ResponseHead(int status, Map<String, String> headers) {
    public ResponseHead {
        headers = Map.copyOf(headers);
    }

    public static ResponseHead of(int status) {
        return new ResponseHead(status, Map.of());
    }

    /** The same with one header more. */
    public ResponseHead with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ResponseHead(status, more);
    }
}
