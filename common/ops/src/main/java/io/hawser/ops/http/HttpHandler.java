package io.hawser.ops.http;

/** What answers requests. */
public interface HttpHandler {
    /** Where {@link #answer} is called for this request. On the server's loop: it must not block. */
    Lane lane(Request request);

    /** The answer. In the request's lane; an exception is logged and answered with 500. */
    Response answer(Request request);
}
