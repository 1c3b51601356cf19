package io.hawser.ptcp;

import io.hawser.ptcp.netty.SocketBlockPool;
import io.hawser.ptcp.stream.DeliveryRate;
import io.hawser.ptcp.stream.PacketSplitter;
import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.hawser.ptcp.stream.UnackedPackets;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a byte stream: cuts written bytes into packets, and keeps each until it is acked. The send window bounds its memory.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class ByteStreamSender {
    /** The longest packet. */
    static final int PACKET_BYTES = SocketBlockPool.MOST_BYTES;

    /** The most packets in flight, which bounds tiny ones. */
    static final int PIECES_LIMIT = 4096;

    final PacketSplitter splitter =
            new PacketSplitter(SharedSocketResources.blocks()::take, PACKET_BYTES, SocketSettings.DEFAULT_WINDOW_BYTES);
    final UnackedPackets unacked = new UnackedPackets();
    private final SocketSettings settings;
    private final DeliveryRate rate = new DeliveryRate();
    private long wantedRoom;
    private boolean ended;
    private boolean endSent;

    ByteStreamSender(SocketSettings settings) {
        this.settings = settings;
    }

    /** Whether the window takes {@code bytes} now; if not, {@link #isRoomForWriter} says when it does. */
    boolean hasRoom(int bytes) {
        wantedRoom = bytes;
        return isRoomForWriter();
    }

    /** Whether the window takes the bytes of the last {@link #hasRoom}. */
    boolean isRoomForWriter() {
        splitter.window(settings.sendWindow());
        return splitter.room() >= wantedRoom;
    }

    /** Ends writing. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns the end message once it is due; else null. */
    StreamMessage.@Nullable End takeEnd() {
        if (!ended || endSent) {
            return null;
        }
        endSent = true;
        return new StreamMessage.End(splitter.writtenPosition());
    }

    void onReceived(StreamMessage.Received message, long nowNanos) {
        unacked.onReceived(message.received());
        splitter.onReceived(message.received(), message.limit());
        rate.onReceived(splitter.receivedPosition(), unacked.count() == 0, nowNanos);
    }

    /** Whether a packet can be sent. */
    boolean hasNext() {
        return unacked.hasLost() || (unacked.count() < PIECES_LIMIT && splitter.hasNext());
    }

    /** Whether packets are in flight. */
    boolean hasInFlight() {
        return unacked.count() > 0;
    }

    /**
     * The next packet for {@code stream}, or null. It stays here until it is acked.
     *
     * @param most the longest packet for this stream
     * @param streams the number of live streams
     */
    @Nullable
    StreamPiece next(int stream, int most, int streams, long nowNanos) {
        StreamPiece again = unacked.takeLost(stream);
        if (again != null || unacked.count() >= PIECES_LIMIT) {
            return again;
        }
        StreamPiece piece = splitter.next(Math.min(most, rate.packetBytes(Math.max(1, streams))));
        if (piece != null) {
            unacked.add(piece, stream);
            rate.onSent(splitter.receivedPosition(), nowNanos);
        }
        return piece;
    }

    void release() {
        splitter.release();
        unacked.release();
    }
}
