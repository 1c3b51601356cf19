package io.hawser.ops.http;

import java.util.concurrent.CompletionStage;

/** Answers requests. */
public interface HttpHandler {
    /** The lane of {@link #answer} for this request. Thread: the server's loop; must not block. */
    RequestExecutor lane(Request request);

    /**
     * The response, which may come later, on any thread but the server's loop; meanwhile the lane answers other requests. Thread: the
     * request's lane. An exception is logged and answered with 500.
     */
    CompletionStage<Response> answer(Request request);
}
