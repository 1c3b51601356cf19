package io.hawser.ptcp.stream;

import java.util.Iterator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pieces that were handed to a stream and that the other end has not said to have. When a stream dies, its pieces are
 * to be sent again, the earliest first.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class UnackedPackets {
    private static final int NO_STREAM = -1;

    private final TreeMap<Long, Sent> sent = new TreeMap<>();
    private final TreeMap<Long, StreamPiece> again = new TreeMap<>();

    private record Sent(StreamPiece piece, int stream) {}

    /** Keeps a piece that goes out on {@code stream}. Takes ownership. */
    public void add(StreamPiece piece, int stream) {
        sent.put(piece.position(), new Sent(piece, stream));
    }

    /** How many pieces are kept. */
    public int count() {
        return sent.size();
    }

    /** The other end has everything before {@code position}. */
    public void onReceived(long position) {
        Iterator<Sent> earliest = sent.values().iterator();
        while (earliest.hasNext()) {
            Sent first = earliest.next();
            if (first.piece().end() > position) {
                return;
            }
            earliest.remove();
            again.remove(first.piece().position());
            first.piece().bytes().release();
        }
    }

    /** What went out on {@code stream} may never arrive. */
    public void onStreamLost(int stream) {
        for (var entry : sent.entrySet()) {
            Sent lost = entry.getValue();
            if (lost.stream() == stream) {
                again.put(entry.getKey(), lost.piece());
                entry.setValue(new Sent(lost.piece(), NO_STREAM));
            }
        }
    }

    /** The earliest piece that is to be sent again, which goes out on {@code stream}; or null. It stays kept here. */
    public @Nullable StreamPiece nextAgain(int stream) {
        var first = again.pollFirstEntry();
        if (first == null) {
            return null;
        }
        sent.put(first.getKey(), new Sent(first.getValue(), stream));
        return first.getValue();
    }

    /** Drops everything. */
    public void release() {
        sent.values().forEach(kept -> kept.piece().bytes().release());
        sent.clear();
        again.clear();
    }
}
