package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketReorderer;
import io.hawser.ptcp.stream.StreamMessage;
import io.netty.buffer.ByteBuf;

/**
 * The receiving half of a byte stream: orders packets, keeps bytes for the reader, and decides when to ack and extend the window. The receive window bounds its memory.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class ByteStreamReceiver {
    /** A quarter of the smallest window, so that an ack always comes before the window is full. */
    private static final long ACK_BYTES = SocketSettings.LEAST_WINDOW_BYTES / 4;

    private static final int ACK_PACKETS = ByteStreamSender.PIECES_LIMIT / 4;

    private final SocketSettings settings;
    private final PacketReorderer merger = new PacketReorderer(2 * ByteStreamSender.PIECES_LIMIT);
    private final ReadQueue readable = new ReadQueue();
    private long limit = StreamMessage.INITIAL_LIMIT;
    private long ackedPosition;
    private int packetsSinceAck;
    private long readPosition;
    private long endPosition = -1;
    private boolean shut;

    ByteStreamReceiver(SocketSettings settings) {
        this.settings = settings;
    }

    boolean isEmpty() {
        return readable.isEmpty();
    }

    /** Bytes that can be read without waiting. */
    int available() {
        return readable.bytes();
    }

    /** Whether the stream ends after the bytes that can be read now. */
    boolean isAtEnd() {
        return shut || endPosition == merger.nextPosition();
    }

    /** At least one byte and at most {@code most}; there must be some. The caller owns them. */
    ByteBuf take(int most) {
        ByteBuf taken = readable.take(most);
        readPosition += taken.readableBytes();
        return taken;
    }

    /** Ends reading: drops what arrives. */
    void shut() {
        shut = true;
        readPosition += readable.bytes();
        readable.release();
    }

    /** Whether the peer may send this packet. */
    boolean isAllowed(long position, int length) {
        return position >= 0 && length > 0 && position <= limit - length;
    }

    /** A packet arrived. Takes ownership of {@code payload}. Returns false if it breaks the protocol. */
    boolean offer(long position, ByteBuf payload) {
        if (merger.offer(position, payload, limit) == PacketReorderer.Verdict.REFUSED) {
            return false;
        }
        packetsSinceAck++;
        for (ByteBuf next = merger.poll(); next != null; next = merger.poll()) {
            if (shut) {
                next.release();
            } else {
                readable.add(next);
            }
        }
        return true;
    }

    /** The peer ends the stream at this position. */
    void endsAt(long position) {
        endPosition = position;
    }

    /** Whether the reader freed so much that the peer needs a new limit, even if nothing arrives. */
    boolean isWindowUpdateDue() {
        return newLimit() - limit >= Math.max(ACK_BYTES, settings.receiveWindow() / 4);
    }

    /** Whether an ack must leave now: of a new limit, of many bytes or packets, or of the end. */
    boolean isAckDue() {
        return isWindowUpdateDue()
                || merger.nextPosition() - ackedPosition >= ACK_BYTES
                || packetsSinceAck >= ACK_PACKETS
                || (endPosition == merger.nextPosition() && ackedPosition != endPosition);
    }

    /** Whether arrived bytes are not acked. */
    boolean hasUnacked() {
        return merger.nextPosition() != ackedPosition;
    }

    /** Returns an ack and counts it as sent. */
    StreamMessage.Received takeAck() {
        limit = Math.max(limit, newLimit());
        ackedPosition = merger.nextPosition();
        packetsSinceAck = 0;
        return new StreamMessage.Received(ackedPosition, limit);
    }

    private long newLimit() {
        return (shut ? merger.nextPosition() : readPosition) + settings.receiveWindow();
    }

    /** The session ended: keeps bytes in order, drops packets that wait for an earlier one. */
    void release() {
        merger.release();
    }
}
