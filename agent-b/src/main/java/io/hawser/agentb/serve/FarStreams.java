package io.hawser.agentb.serve;

import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends each reader to the stream that stands at its byte, or to a new one; a bounded number of them.
 *
 * <p>Readers of one download come on several threads and may overtake each other by a little: one who comes too early waits a moment
 * for those before it. When all streams are in use, one that nobody has asked for a while is closed; when there is none, whoever
 * waits long enough takes the oldest, so that all get on by turns.
 *
 * <p>Thread: any.
 */
final class FarStreams implements AutoCloseable {
    /** How far ahead of a stream a reader may be to wait for those before it: as much as agent-a reads ahead. */
    private static final long NEAR_BYTES = 16 << 20;

    private static final long OVERTAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReadingSessions sessions;
    private final Retriever retrieving;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<FarStream> streams = new ArrayList<>();
    private long begun;

    /** @param limit how many streams there may be */
    FarStreams(ReadingSessions sessions, Retriever retrieving, int limit) {
        this.sessions = sessions;
        this.retrieving = retrieving;
        this.limit = limit;
        sessions.regularly(this::closeIdle);
    }

    /** Fills {@code into} from {@code offset} on as far as the file goes. */
    RemoteFile read(String name, String fingerprint, long offset, ByteBuffer into) throws IOException {
        FarStream stream = claim(name, fingerprint, offset, into.remaining());
        try {
            return stream.read(offset, into);
        } finally {
            leave(stream);
        }
    }

    /** A reader has come to {@code offset} and wants no more: whatever stands there is closed. */
    void done(String name, String fingerprint, long offset) {
        lock.lock();
        try {
            FarStream stream = standingAt(name, fingerprint, offset);
            if (stream != null && stream.claims == 0) {
                streams.remove(stream);
                stream.close();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many were begun so far. */
    long begun() {
        lock.lock();
        try {
            return begun;
        } finally {
            lock.unlock();
        }
    }

    private FarStream claim(String name, String fingerprint, long offset, int length) throws IOException {
        long began = System.nanoTime();
        lock.lock();
        try {
            while (true) {
                long waited = System.nanoTime() - began;
                FarStream stream = standingAt(name, fingerprint, offset);
                if (stream == null && (waited > OVERTAKING_NANOS || !isNear(name, fingerprint, offset))) {
                    stream = begin(name, fingerprint, offset, waited);
                }
                if (stream != null) {
                    stream.tail = offset + length;
                    stream.claims++;
                    changed.signalAll();
                    return stream;
                }
                if (waited > PATIENCE_NANOS) {
                    throw NotServedException.unreachable("All connections to the far server are in use");
                }
                long unused = changed.awaitNanos(LOOK_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("The far edge is stopping");
        } finally {
            lock.unlock();
        }
    }

    private @Nullable FarStream standingAt(String name, String fingerprint, long offset) {
        for (FarStream stream : streams) {
            if (!stream.isOver() && stream.tail == offset && stream.isOf(name, fingerprint)) {
                return stream;
            }
        }
        return null;
    }

    private boolean isNear(String name, String fingerprint, long offset) {
        for (FarStream stream : streams) {
            if (!stream.isOver()
                    && stream.tail < offset
                    && offset - stream.tail <= NEAR_BYTES
                    && stream.isOf(name, fingerprint)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable FarStream begin(String name, String fingerprint, long offset, long waited) {
        if (streams.size() >= limit && !closeOldest(waited > TURN_NANOS ? 0 : QUIET_NANOS)) {
            return null;
        }
        FarStream stream = new FarStream(sessions, retrieving, name, fingerprint, offset);
        streams.add(stream);
        begun++;
        return stream;
    }

    private boolean closeOldest(long quietNanos) {
        long now = System.nanoTime();
        FarStream oldest = null;
        for (FarStream stream : streams) {
            boolean may = stream.claims == 0 && now - stream.usedNanos >= quietNanos;
            if (may && (oldest == null || stream.usedNanos - oldest.usedNanos < 0)) {
                oldest = stream;
            }
        }
        if (oldest != null) {
            streams.remove(oldest);
            oldest.close();
        }
        return oldest != null;
    }

    private void leave(FarStream stream) {
        lock.lock();
        try {
            stream.claims--;
            stream.usedNanos = System.nanoTime();
            if (stream.isOver()) {
                streams.remove(stream);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void closeIdle() {
        lock.lock();
        try {
            while (closeOldest(IDLE_NANOS)) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            streams.forEach(FarStream::close);
        } finally {
            lock.unlock();
        }
    }
}
