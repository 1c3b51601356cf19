package io.hawser.agentb.serve;

import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends each reader to the stream that is at its offset, or to a new one; bounds the number of streams.
 *
 * <p>The reads of one download come on several threads and may overtake each other slightly: one that comes too early waits a moment for those
 * before it. When all streams are in use, an idle one is closed; if none is idle, a reader that has waited for {@link #TAKEOVER_NANOS} replaces the
 * least recently used, so that all make progress.
 *
 * <p>Thread: any.
 */
final class FarStreams implements AutoCloseable {
    /** A reader waits for those before it if it is at most so far ahead of a stream: as much as agent-a reads ahead. */
    private static final long NEAR_BYTES = 16 << 20;

    private static final long REORDER_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long REPLACEABLE_IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TAKEOVER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long RECHECK_MILLIS = 100;

    private final ReadingSessions sessions;
    private final Retriever retriever;
    private final int limit;
    private final List<FarStream> streams = new ArrayList<>();
    private long begun;

    /** @param limit the most streams */
    FarStreams(ReadingSessions sessions, Retriever retriever, int limit) {
        this.sessions = sessions;
        this.retriever = retriever;
        this.limit = limit;
        sessions.schedule(this::closeIdle);
    }

    /** Fills {@code into} from {@code offset} on, up to the end of the file. */
    RemoteFile read(String name, String fingerprint, long offset, ByteBuffer into) throws IOException {
        FarStream stream = claim(name, fingerprint, offset, into.remaining());
        try {
            return stream.read(offset, into);
        } finally {
            release(stream);
        }
    }

    /** A reader has finished at {@code offset}: closes the stream that is there, if no other reader uses it. */
    synchronized void done(String name, String fingerprint, long offset) {
        FarStream stream = streamAt(name, fingerprint, offset);
        if (stream != null && stream.readers == 0) {
            streams.remove(stream);
            stream.close();
            notifyAll();
        }
    }

    /** Streams begun so far. */
    synchronized long begun() {
        return begun;
    }

    private synchronized FarStream claim(String name, String fingerprint, long offset, int length) throws IOException {
        long began = System.nanoTime();
        try {
            while (true) {
                long waited = System.nanoTime() - began;
                FarStream stream = streamAt(name, fingerprint, offset);
                if (stream == null && (waited > REORDER_WAIT_NANOS || !isNear(name, fingerprint, offset))) {
                    stream = begin(name, fingerprint, offset, waited);
                }
                if (stream != null) {
                    stream.nextOffset = offset + length;
                    stream.readers++;
                    notifyAll();
                    return stream;
                }
                if (waited > MAX_WAIT_NANOS) {
                    throw NotServedException.unreachable(
                            "All connections to the far server are in use; see --serve-connections");
                }
                wait(RECHECK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("agent-b is stopping");
        }
    }

    private @Nullable FarStream streamAt(String name, String fingerprint, long offset) {
        for (FarStream stream : streams) {
            if (!stream.isOver() && stream.nextOffset == offset && stream.isOf(name, fingerprint)) {
                return stream;
            }
        }
        return null;
    }

    private boolean isNear(String name, String fingerprint, long offset) {
        for (FarStream stream : streams) {
            if (!stream.isOver()
                    && stream.nextOffset < offset
                    && offset - stream.nextOffset <= NEAR_BYTES
                    && stream.isOf(name, fingerprint)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable FarStream begin(String name, String fingerprint, long offset, long waited) {
        if (streams.size() >= limit && !closeOldest(waited > TAKEOVER_NANOS ? 0 : REPLACEABLE_IDLE_NANOS)) {
            return null;
        }
        FarStream stream = new FarStream(sessions, retriever, name, fingerprint, offset);
        streams.add(stream);
        begun++;
        return stream;
    }

    private boolean closeOldest(long quietNanos) {
        long now = System.nanoTime();
        FarStream oldest = null;
        for (FarStream stream : streams) {
            boolean closable = stream.readers == 0 && now - stream.usedNanos >= quietNanos;
            if (closable && (oldest == null || stream.usedNanos - oldest.usedNanos < 0)) {
                oldest = stream;
            }
        }
        if (oldest != null) {
            streams.remove(oldest);
            oldest.close();
        }
        return oldest != null;
    }

    private synchronized void release(FarStream stream) {
        stream.readers--;
        stream.usedNanos = System.nanoTime();
        if (stream.isOver()) {
            streams.remove(stream);
        }
        notifyAll();
    }

    private synchronized void closeIdle() {
        while (closeOldest(IDLE_NANOS)) {
            notifyAll();
        }
    }

    @Override
    public synchronized void close() {
        streams.forEach(FarStream::close);
    }
}
