package io.hawser.ops.dashboard;

import io.hawser.core.access.Access;
import io.hawser.ops.http.ResponseBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One stream of {@code /live}. It holds the latest snapshot and no queue: a viewer that reads slowly gets fewer, larger changes.
 *
 * <p>Thread: the server's loop asks, the sampler offers; a lock joins them.
 */
final class LiveViewer implements ResponseBody {
    private final LiveFeed feed;
    private final LiveEvents events;
    private final String caller;
    private final Access access;
    private final Supplier<Optional<Access>> again;
    private @Nullable LiveSnapshot latest;
    private @Nullable CompletableFuture<Optional<ByteBuffer>> awaited;
    private boolean ended;

    LiveViewer(LiveFeed feed, LiveEvents events, String caller, Access access, Supplier<Optional<Access>> again) {
        this.feed = feed;
        this.events = events;
        this.caller = caller;
        this.access = access;
        this.again = again;
    }

    String caller() {
        return caller;
    }

    @Override
    public long lengthBytes() {
        return UNKNOWN;
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        CompletableFuture<Optional<ByteBuffer>> answer = new CompletableFuture<>();
        synchronized (this) {
            awaited = answer;
        }
        answerAwaited();
        return answer;
    }

    /** Thread: the sampler. */
    void offer(LiveSnapshot snapshot) {
        synchronized (this) {
            latest = snapshot;
        }
        answerAwaited();
    }

    /** Ends the stream. Thread: any. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        answerAwaited();
    }

    private void answerAwaited() {
        CompletableFuture<Optional<ByteBuffer>> answer;
        Optional<ByteBuffer> piece;
        synchronized (this) {
            answer = awaited;
            if (answer == null || !(ended || hasMore())) {
                return;
            }
            awaited = null;
            piece = ended
                    ? Optional.empty()
                    : Optional.of(ByteBuffer.wrap(events.next().getBytes(StandardCharsets.UTF_8)));
        }
        answer.complete(piece);
    }

    /** Whether there is a piece, or the stream has to end. */
    private boolean hasMore() {
        if (!events.isAtEnd()) {
            return true;
        }
        LiveSnapshot now = latest;
        if (now == null || !events.begin(now)) {
            return false;
        }
        ended = !again.get().equals(Optional.of(access));
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            ended = true;
            latest = null;
            awaited = null;
        }
        feed.left(this);
    }
}
