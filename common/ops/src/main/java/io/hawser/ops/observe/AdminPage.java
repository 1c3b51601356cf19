package io.hawser.ops.observe;

import java.io.IOException;
import java.util.Map;

/**
 * One admin page. A page whose state belongs to another thread asks that thread and waits with a limit.
 *
 * <p>Thread: {@code hawser-admin-pages}, one page at a time; {@code /health} on {@code hawser-admin-health}, beside them.
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
     * The same for somebody who may not see everything. A page that does not know what is whose is for those who may.
     *
     * @param caller who asks
     */
    default Answer get(Map<String, String> query, Caller caller) throws IOException {
        return caller.access().seesAll() ? get(query) : forbidden(caller);
    }

    /** Whether the page itself looks at who asks. */
    default boolean knowsCallers() {
        return false;
    }

    /** What somebody gets who may not see a page. */
    static Answer forbidden(Caller caller) {
        return new Answer(
                403, "text/plain; charset=utf-8", caller.name() + " has no right to see this on every topic\n");
    }

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

    /** A page whose answer is a value as JSON, and depends on who asks. */
    static AdminPage json(CallerPage page) {
        return new AdminPage() {
            @Override
            public Answer get(Map<String, String> query) throws IOException {
                return get(query, Caller.OPERATOR);
            }

            @Override
            public boolean knowsCallers() {
                return true;
            }

            @Override
            public Answer get(Map<String, String> query, Caller caller) throws IOException {
                return new Answer(200, "application/json; charset=utf-8", Json.text(page.get(query, caller)));
            }
        };
    }

    /** What a JSON page shows to one who asks: a record, list or map. */
    @FunctionalInterface
    interface CallerPage {
        Object get(Map<String, String> query, Caller caller) throws IOException;
    }

    /** What a JSON page shows: a record, list or map. */
    @FunctionalInterface
    interface JsonPage {
        Object get(Map<String, String> query) throws IOException;
    }
}
