package io.hawser.ops.observe;

import io.hawser.ops.dashboard.LiveFeed;
import io.hawser.ops.http.Request;
import io.hawser.ops.http.Response;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /live}: the transfers that the caller may see, then each second what has changed.
 *
 * <p>Thread: as {@link EventStream}.
 */
record LivePage(LiveFeed feed) implements EventStream {
    @Override
    public Response open(Request request, Caller caller, Supplier<Optional<Caller>> again) {
        return feed.open(caller.name(), caller.access(), () -> again.get().map(Caller::access))
                .map(EventStream::of)
                .orElseGet(() -> Response.text(503, "too many pages are open at this node; close one\n")
                        .with("Retry-After", "10"));
    }
}
