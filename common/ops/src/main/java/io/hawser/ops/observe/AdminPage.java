package io.hawser.ops.observe;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * One admin page. A page whose state belongs to another thread asks that thread and waits with a timeout.
 *
 * <p>Thread: {@code hawser-admin-pages}, one page at a time; {@code /health} on {@code hawser-admin-health}, beside them.
 */
@FunctionalInterface
public interface AdminPage {
    /** The media type of a page of JSON. */
    String JSON = "application/json; charset=utf-8";

    /**
     * Answers one GET.
     *
     * @param query the decoded parameters after the {@code ?}; the last one of a name wins
     * @throws IllegalArgumentException for a bad parameter: answered with 400 and the message
     */
    Answer get(Map<String, String> query) throws IOException;

    /**
     * Answers a caller with limited rights. By default only callers that may see everything get the page.
     */
    default Answer get(Map<String, String> query, Caller caller) throws IOException {
        return caller.access().seesAll() ? get(query) : forbidden(caller);
    }

    /**
     * The same, perhaps later: a page that waits for something returns, and waits without the thread of the pages.
     *
     * @param later runs what the page has to do when it has waited, one task at a time; that may block as the page may
     */
    default CompletionStage<Answer> answer(Map<String, String> query, Caller caller, Executor later)
            throws IOException {
        return CompletableFuture.completedFuture(get(query, caller));
    }

    /** Whether the page itself checks the caller's rights. */
    default boolean checksCallers() {
        return false;
    }

    /** The answer to a caller that may not see a page. */
    static Answer forbidden(Caller caller) {
        return new Answer(
                403, "text/plain; charset=utf-8", caller.name() + " has no right to see this on every topic\n");
    }

    /**
     * @param status HTTP status
     * @param contentType media type with charset
     * @param body at most some MiB
     */
    record Answer(int status, String contentType, String body) {
        /** A value as JSON: a record, list or map. */
        public static Answer json(int status, Object value) {
            return new Answer(status, JSON, Json.text(value));
        }
    }

    /** A page that checks the rights of its callers itself. */
    @FunctionalInterface
    interface CheckingPage extends AdminPage {
        @Override
        Answer get(Map<String, String> query, Caller caller) throws IOException;

        @Override
        default Answer get(Map<String, String> query) throws IOException {
            return get(query, Caller.OPERATOR);
        }

        @Override
        default boolean checksCallers() {
            return true;
        }
    }

    /** A page whose answer is a value as JSON. */
    static AdminPage json(JsonPage page) {
        return query -> Answer.json(200, page.get(query));
    }

    /** A page whose answer is a value as JSON, and depends on the caller. */
    static AdminPage json(CallerPage page) {
        return (CheckingPage) (query, caller) -> Answer.json(200, page.get(query, caller));
    }

    /** The value of a JSON page for a caller: a record, list or map. */
    @FunctionalInterface
    interface CallerPage {
        Object get(Map<String, String> query, Caller caller) throws IOException;
    }

    /** The value of a JSON page: a record, list or map. */
    @FunctionalInterface
    interface JsonPage {
        Object get(Map<String, String> query) throws IOException;
    }
}
