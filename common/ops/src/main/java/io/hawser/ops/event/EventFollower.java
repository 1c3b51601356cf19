package io.hawser.ops.event;

import io.hawser.ops.http.ResponseBody;
import io.hawser.ops.observe.Caller;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client that follows the events. Its rights are looked up again before each piece; when it has none left the stream ends.
 *
 * <p>Thread: any.
 */
final class EventFollower implements ResponseBody {
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final EventFeed feed;
    private final Supplier<Optional<Caller>> caller;
    private long next;
    /** What the server waits for; null if it waits for nothing. */
    private @Nullable CompletableFuture<Optional<ByteBuffer>> wanted;

    private boolean reading;
    private boolean readAgain;
    private boolean closed;

    EventFollower(EventFeed feed, long next, Supplier<Optional<Caller>> caller) {
        this.feed = feed;
        this.next = next;
        this.caller = caller;
    }

    @Override
    public long lengthBytes() {
        return UNKNOWN;
    }

    @Override
    public synchronized CompletionStage<Optional<ByteBuffer>> next() {
        CompletableFuture<Optional<ByteBuffer>> piece = new CompletableFuture<>();
        wanted = piece;
        wake();
        return piece;
    }

    /** There may be more events. */
    synchronized void wake() {
        if (reading) {
            readAgain = true;
        } else if (wanted != null && !closed) {
            reading = feed.onReader(this::read);
            if (!reading) {
                complete(Optional.empty());
            }
        }
    }

    private void read() {
        try {
            Optional<Caller> admitted = caller.get();
            if (admitted.isEmpty()) {
                end();
                return;
            }
            List<Event> events = feed.read(next);
            Optional<ByteBuffer> text = feed.text(events, admitted.get().access());
            synchronized (this) {
                next = events.isEmpty() ? next : events.get(events.size() - 1).sequence() + 1;
                reading = false;
                if (text.isPresent()) {
                    complete(text);
                } else if (readAgain || !events.isEmpty()) {
                    readAgain = false;
                    wake();
                }
            }
        } catch (StorageException | RuntimeException e) {
            synchronized (this) {
                reading = false;
                if (wanted != null) {
                    wanted.completeExceptionally(e);
                    wanted = null;
                }
            }
        }
    }

    private synchronized void end() {
        reading = false;
        complete(Optional.empty());
    }

    private synchronized void complete(Optional<ByteBuffer> piece) {
        CompletableFuture<Optional<ByteBuffer>> piecesWanted = wanted;
        wanted = null;
        if (piecesWanted != null) {
            piecesWanted.complete(piece);
        }
    }

    /** Says something if nothing has happened. */
    void keepAlive() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!reading) {
                complete(Optional.of(ByteBuffer.wrap(COMMENT)));
            }
        }
        feed.keepAliveLater(this);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        feed.left(this);
    }
}
