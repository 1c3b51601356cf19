package io.hawser.ops.observe;

import io.hawser.ops.http.Request;
import io.hawser.ops.http.Response;
import io.hawser.ops.http.ResponseBody;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An admin page that is a stream of server-sent events. It checks the caller's rights itself, and again while the stream lasts.
 *
 * <p>Thread: {@code hawser-admin-pages} opens it; what it streams comes from elsewhere.
 */
public interface EventStream extends AdminPage {
    /** The media type of such a stream. */
    String CONTENT_TYPE = "text/event-stream; charset=utf-8";

    /**
     * Opens a stream. It must not block.
     *
     * @param again the caller, admitted once more; empty if it is not by now. Thread: any
     */
    Response open(Request request, Caller caller, Supplier<Optional<Caller>> again);

    /** The response with a stream's body. */
    static Response of(ResponseBody body) {
        return new Response(200, Map.of("Content-Type", CONTENT_TYPE), body);
    }

    @Override
    default Answer get(Map<String, String> query) {
        throw new IllegalStateException("a stream is opened, not answered");
    }

    @Override
    default boolean checksCallers() {
        return true;
    }
}
