package io.hawser.ops.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer.
 *
 * @param status HTTP status
 * @param headers by name, without those of the connection and of the body's length, which are the server's
 * @param body nothing of it is sent in answer to HEAD
 *
 * <p>Thread: the headers are immutable; the body is the loop's once the answer is given.
 */
public record Response(int status, Map<String, String> headers, ResponseBody body) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String RETRY_SECONDS = "1";

    /** An answer that is all there. */
    public static Response of(int status, String contentType, byte[] body) {
        return new Response(status, Map.of(CONTENT_TYPE, contentType), ResponseBody.of(body));
    }

    /** A sentence. */
    public static Response text(int status, String sentence) {
        return of(status, TEXT, sentence.getBytes(StandardCharsets.UTF_8));
    }

    /** The server has no room for the request now. */
    static Response busy() {
        return text(503, "this node answers too many requests at the moment; ask again in " + RETRY_SECONDS + " s\n")
                .with("Retry-After", RETRY_SECONDS);
    }

    /** The same with one more header, or another value of it. */
    public Response with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, more, body);
    }

    String contentType() {
        return headers.getOrDefault(CONTENT_TYPE, "");
    }
}
