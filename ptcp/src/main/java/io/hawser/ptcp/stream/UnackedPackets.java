package io.hawser.ptcp.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the packets that were sent and not acked, in order. When a stream is lost, its packets are sent again, the earliest first.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class UnackedPackets {
    private final Deque<SentPacket> sent = new ArrayDeque<>();
    private final TreeMap<Long, SentPacket> lost = new TreeMap<>();

    /** A packet and the stream that carries it, unless it is lost. */
    private static final class SentPacket {
        private final StreamPiece piece;
        private int stream;
        private boolean isLost;

        SentPacket(StreamPiece piece, int stream) {
            this.piece = piece;
            this.stream = stream;
        }
    }

    /** The first packet that the peer misses. */
    public record Head(long position, int stream) {}

    /** Keeps a packet that leaves on {@code stream}, after all earlier ones. Takes ownership. */
    public void add(StreamPiece piece, int stream) {
        sent.add(new SentPacket(piece, stream));
    }

    /** The number of packets. */
    public int count() {
        return sent.size();
    }

    /** The earliest packet, if a stream carries it; null if it is lost, or there is none. */
    public @Nullable Head head() {
        SentPacket first = sent.peek();
        return first == null || first.isLost ? null : new Head(first.piece.position(), first.stream);
    }

    /** The peer has everything before {@code position}. */
    public void onReceived(long position) {
        for (SentPacket first = sent.peek(); first != null && first.piece.end() <= position; first = sent.peek()) {
            sent.remove();
            if (first.isLost) {
                lost.remove(first.piece.position());
            }
            first.piece.bytes().release();
        }
    }

    /** Packets on {@code stream} may never arrive. */
    public void onStreamLost(int stream) {
        for (SentPacket kept : sent) {
            if (kept.stream == stream && !kept.isLost) {
                kept.isLost = true;
                lost.put(kept.piece.position(), kept);
            }
        }
    }

    /** Whether a packet must be sent again. */
    public boolean hasLost() {
        return !lost.isEmpty();
    }

    /** The earliest lost packet, which leaves on {@code stream} now; null if there is none. It stays here. */
    public @Nullable StreamPiece takeLost(int stream) {
        var first = lost.pollFirstEntry();
        if (first == null) {
            return null;
        }
        SentPacket next = first.getValue();
        next.isLost = false;
        next.stream = stream;
        return next.piece;
    }

    /** Drops everything. */
    public void release() {
        sent.forEach(kept -> kept.piece.bytes().release());
        sent.clear();
        lost.clear();
    }
}
