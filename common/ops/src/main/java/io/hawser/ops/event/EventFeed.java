package io.hawser.ops.event;

import io.hawser.core.access.Access;
import io.hawser.core.model.Topic;
import io.hawser.ops.http.Request;
import io.hawser.ops.http.Response;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.EventStream;
import io.hawser.ops.observe.Json;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /events}: the node's durable events as server-sent events, those that the caller may see. {@code id} is the event's number, by
 * which a client that comes again with {@code Last-Event-ID} continues; {@code after=N} says the same, and without either it begins now.
 *
 * <p>Thread: any; {@code hawser-event-feed} reads.
 */
public final class EventFeed implements EventStream {
    private static final int MAX_FOLLOWERS = 16;
    private static final int READ_AT_ONCE = 100;
    /** A stream says something so often, so that both ends learn of a dead connection. */
    static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final EventLog log;
    private final String node;
    private final SerialQueue reader;
    private final Set<EventFollower> followers = ConcurrentHashMap.newKeySet();

    /** @param node the node's name */
    public EventFeed(EventLog log, String node) {
        this.log = log;
        this.node = node;
        this.reader = log.serial("hawser-event-feed");
        log.listen(() -> followers.forEach(EventFollower::wake));
    }

    @Override
    public Response open(Request request, Caller caller, Supplier<Optional<Caller>> again) {
        long after;
        try {
            after = after(request);
        } catch (IllegalArgumentException e) {
            return Response.text(400, e.getMessage() + "\n");
        }
        if (followers.size() >= MAX_FOLLOWERS) {
            return Response.text(503, "too many programs follow the events of this node\n")
                    .with("Retry-After", "10");
        }
        EventFollower follower = new EventFollower(this, after + 1, again);
        followers.add(follower);
        log.after(KEEP_ALIVE, follower::keepAlive);
        return EventStream.of(follower);
    }

    private long after(Request request) {
        @Nullable String last = request.header("Last-Event-ID");
        String text = last == null || last.isEmpty() ? request.query().getOrDefault("after", "") : last;
        if (text.isEmpty()) {
            return log.lastSequence();
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(
                    "after, or Last-Event-ID, is the number of an event, not '" + text + "'");
        }
        return Math.min(Long.parseLong(text), log.lastSequence());
    }

    /** Runs {@code task} where reading may block; false if the node stops. */
    boolean onReader(Runnable task) {
        return reader.execute(task);
    }

    void keepAliveLater(EventFollower follower) {
        log.after(KEEP_ALIVE, follower::keepAlive);
    }

    void left(EventFollower follower) {
        followers.remove(follower);
    }

    List<Event> read(long from) throws StorageException {
        return log.read(from, READ_AT_ONCE);
    }

    /** What {@code access} may see of those events, as the stream has it; empty if that is nothing. */
    Optional<ByteBuffer> text(List<Event> events, Access access) {
        StringBuilder text = new StringBuilder();
        for (Event event : events) {
            String topic = event.facts().topic();
            boolean isSeen = access.seesAll() || (!topic.isEmpty() && access.sees(new Topic(topic)));
            if (isSeen) {
                text.append("id: ")
                        .append(event.sequence())
                        .append("\nevent: ")
                        .append(event.type().word())
                        .append("\ndata: ")
                        .append(Json.line(CloudEvent.of(event, node, log.id())))
                        .append("\n\n");
            }
        }
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
