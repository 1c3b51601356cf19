package io.hawser.ops.http;

/** Answers requests. */
public interface HttpHandler {
    /** The lane of {@link #answer} for this request. Thread: the server's loop; must not block. */
    RequestExecutor lane(Request request);

    /** The response. Thread: the request's lane. An exception is logged and answered with 500. */
    Response answer(Request request);
}
