package io.hawser.ops.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response.
 *
 * @param status HTTP status
 * @param headers by name, without those of the connection and of the body's length, which the server adds
 * @param body not sent for HEAD
 *
 * <p>Thread: the headers are immutable; the loop owns the body once the response is returned.
 */
public record Response(int status, Map<String, String> headers, ResponseBody body) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String RETRY_SECONDS = "1";

    public static Response of(int status, String contentType, byte[] body) {
        return new Response(status, Map.of(CONTENT_TYPE, contentType), ResponseBody.of(body));
    }

    public static Response text(int status, String sentence) {
        return of(status, TEXT, sentence.getBytes(StandardCharsets.UTF_8));
    }

    /** 503: the server has no capacity for the request now. */
    static Response busy() {
        return text(503, "this node has too many requests; try again in " + RETRY_SECONDS + " s\n")
                .with("Retry-After", RETRY_SECONDS);
    }

    /** The same with that header. */
    public Response with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, more, body);
    }

    String contentType() {
        return headers.getOrDefault(CONTENT_TYPE, "");
    }
}
