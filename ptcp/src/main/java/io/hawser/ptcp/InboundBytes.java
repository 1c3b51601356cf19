package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketMerger;
import io.hawser.ptcp.stream.StreamMessage;
import io.netty.buffer.ByteBuf;

/**
 * The receiving half of a byte stream: puts packets in order, keeps the bytes for the reader, and tells the other end how far
 * it may go. Memory is bounded by the user's receive window.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class InboundBytes {
    /** At most a quarter of the smallest window, so that both ends always hear of each other before they stand still. */
    private static final long ANNOUNCE_BYTES = SocketSettings.LEAST_WINDOW_BYTES / 4;

    private static final int ANNOUNCE_PIECES = OutboundBytes.PIECES_LIMIT / 4;

    private final SocketSettings settings;
    private final PacketMerger merger = new PacketMerger(2 * OutboundBytes.PIECES_LIMIT);
    private final ReadQueue readable = new ReadQueue();
    private long limit = StreamMessage.INITIAL_LIMIT;
    private long announcedReceived;
    private int piecesSinceAnnounced;
    private long readPosition;
    private long endPosition = -1;
    private boolean shut;

    InboundBytes(SocketSettings settings) {
        this.settings = settings;
    }

    boolean isEmpty() {
        return readable.isEmpty();
    }

    /** Bytes that can be read without waiting. */
    int available() {
        return readable.bytes();
    }

    /** Whether nothing comes behind what can be read now. */
    boolean isAtEnd() {
        return shut || endPosition == merger.nextPosition();
    }

    /** At least one byte and at most {@code most}; there must be some. The caller owns them. */
    ByteBuf take(int most) {
        ByteBuf taken = readable.take(most);
        readPosition += taken.readableBytes();
        return taken;
    }

    /** Nothing more is read; what arrives is thrown away. */
    void shut() {
        shut = true;
        readPosition += readable.bytes();
        readable.release();
    }

    /** Whether the other end may send such a packet. */
    boolean isAllowed(long position, int length) {
        return position >= 0 && length > 0 && position <= limit - length;
    }

    /** A packet arrived. Takes ownership of {@code payload}. Returns false if it breaks the rules. */
    boolean offer(long position, ByteBuf payload) {
        if (merger.offer(position, payload, limit) == PacketMerger.Verdict.REFUSED) {
            return false;
        }
        piecesSinceAnnounced++;
        for (ByteBuf next = merger.poll(); next != null; next = merger.poll()) {
            if (shut) {
                next.release();
            } else {
                readable.add(next);
            }
        }
        return true;
    }

    /** The other end says where the stream ends. */
    void endsAt(long position) {
        endPosition = position;
    }

    /** Whether the reader has made so much room that the other end should hear of it, though nothing arrives. */
    boolean isRoomWorthTelling() {
        return newLimit() - limit >= Math.max(ANNOUNCE_BYTES, settings.receiveWindow() / 4);
    }

    /** Whether the other end is to hear now how far it may go, or that everything has arrived. */
    boolean isAnnouncementDue() {
        return isRoomWorthTelling()
                || merger.nextPosition() - announcedReceived >= ANNOUNCE_BYTES
                || piecesSinceAnnounced >= ANNOUNCE_PIECES
                || (endPosition == merger.nextPosition() && announcedReceived != endPosition);
    }

    /** Whether something has arrived of which the other end has not heard. */
    boolean hasUnannounced() {
        return merger.nextPosition() != announcedReceived;
    }

    /** What the other end is to be told, which counts as told. */
    StreamMessage.Received announce() {
        limit = Math.max(limit, newLimit());
        announcedReceived = merger.nextPosition();
        piecesSinceAnnounced = 0;
        return new StreamMessage.Received(announcedReceived, limit);
    }

    private long newLimit() {
        return (shut ? merger.nextPosition() : readPosition) + settings.receiveWindow();
    }

    /** The session is over: what was read in order stays, what waits for an earlier packet is dropped. */
    void sessionIsOver() {
        merger.release();
    }
}
