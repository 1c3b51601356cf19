package io.hawser.ptcp.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pieces that were sent on a stream and that the other end has not acked, in order. When a stream dies, its pieces are to be
 * sent again, the earliest first.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class UnackedPackets {
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final TreeMap<Long, Sent> again = new TreeMap<>();

    /** A piece, and the stream that has it, unless it is to be sent again. */
    private static final class Sent {
        private final StreamPiece piece;
        private int stream;
        private boolean isLost;

        Sent(StreamPiece piece, int stream) {
            this.piece = piece;
            this.stream = stream;
        }
    }

    /** What the other end misses first. */
    public record Head(long position, int stream) {}

    /** Keeps a piece that goes out on {@code stream}; it lies behind all others. Takes ownership. */
    public void add(StreamPiece piece, int stream) {
        sent.add(new Sent(piece, stream));
    }

    /** How many pieces are kept. */
    public int count() {
        return sent.size();
    }

    /** The earliest piece, if a stream has it; null if it waits for one, or there is none. */
    public @Nullable Head head() {
        Sent first = sent.peek();
        return first == null || first.isLost ? null : new Head(first.piece.position(), first.stream);
    }

    /** The other end has everything before {@code position}. */
    public void onReceived(long position) {
        for (Sent first = sent.peek(); first != null && first.piece.end() <= position; first = sent.peek()) {
            sent.remove();
            if (first.isLost) {
                again.remove(first.piece.position());
            }
            first.piece.bytes().release();
        }
    }

    /** What went out on {@code stream} may never arrive. */
    public void onStreamLost(int stream) {
        for (Sent kept : sent) {
            if (kept.stream == stream && !kept.isLost) {
                kept.isLost = true;
                again.put(kept.piece.position(), kept);
            }
        }
    }

    /** Whether something is to be sent again. */
    public boolean hasAgain() {
        return !again.isEmpty();
    }

    /** The earliest piece that is to be sent again, which goes out on {@code stream}; or null. It stays kept here. */
    public @Nullable StreamPiece nextAgain(int stream) {
        var first = again.pollFirstEntry();
        if (first == null) {
            return null;
        }
        Sent next = first.getValue();
        next.isLost = false;
        next.stream = stream;
        return next.piece;
    }

    /** Drops everything. */
    public void release() {
        sent.forEach(kept -> kept.piece.bytes().release());
        sent.clear();
        again.clear();
    }
}
