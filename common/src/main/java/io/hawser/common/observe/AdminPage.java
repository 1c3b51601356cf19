package io.hawser.common.observe;

import java.io.IOException;
import java.util.Map;

/**
 * One admin page. The answer is asked for on the admin thread; a page whose state belongs to another thread asks that
 * thread and waits with a limit.
 *
 * <p>Thread: admin only.
 */
@FunctionalInterface
public interface AdminPage {
    /**
     * Makes the answer to one GET.
     *
     * @param query the decoded parameters after the {@code ?}; the last one of a name wins
     * @throws IllegalArgumentException for a bad parameter: answered with 400 and the message
     */
    Answer get(Map<String, String> query) throws IOException;

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param contentType media type with charset
     * @param body at most some MiB: pages are limited
     */
    record Answer(int status, String contentType, String body) {}

    /** A page whose answer is a value as JSON. */
    static AdminPage json(JsonPage page) {
        return query -> new Answer(200, "application/json; charset=utf-8", Json.text(page.get(query)));
    }

    /** What a JSON page shows: a record, list or map. */
    @FunctionalInterface
    interface JsonPage {
        Object get(Map<String, String> query) throws IOException;
    }
}
