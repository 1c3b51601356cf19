package io.hawser.ptcp;

import io.hawser.ptcp.netty.BlockPool;
import io.hawser.ptcp.stream.DeliveryRate;
import io.hawser.ptcp.stream.PacketSplitter;
import io.hawser.ptcp.stream.PacketSplitter.Filling;
import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.hawser.ptcp.stream.UnackedPackets;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a byte stream: cuts what is written into packets, and keeps each until the other end has it. Memory is
 * bounded by the user's send window.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class OutboundBytes {
    /** The longest packet. */
    static final int PACKET_BYTES = BlockPool.MOST_BYTES;

    /** Most packets that are on their way: the bound where they are tiny. */
    static final int PIECES_LIMIT = 4096;

    private final SocketSettings settings;
    private final PacketSplitter splitter =
            new PacketSplitter(SharedLoops.blocks()::take, PACKET_BYTES, SocketSettings.DEFAULT_WINDOW_BYTES);
    private final UnackedPackets unacked = new UnackedPackets();
    private final DeliveryRate rate = new DeliveryRate();
    private long wantedRoom;
    private boolean ended;
    private boolean endTold;

    OutboundBytes(SocketSettings settings) {
        this.settings = settings;
    }

    /** Whether the window takes {@code bytes} now; a writer who waits for it is worth waking when it does. */
    boolean hasRoom(int bytes) {
        wantedRoom = bytes;
        return isRoomForWriter();
    }

    /** Whether there is room for the writer who asked last. */
    boolean isRoomForWriter() {
        splitter.window(settings.sendWindow());
        return splitter.room() >= wantedRoom;
    }

    /** A place for the next bytes, for at least one of which there must be room. */
    Filling prepare(int wanted) {
        return splitter.prepare(wanted);
    }

    /** The place is filled, and counts. */
    void publish(Filling filled) {
        splitter.publish(filled);
    }

    /** The place will not be filled. */
    void drop(Filling unused) {
        splitter.drop(unused);
    }

    /** Nothing more is written. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** The end, if the other end is to be told now, or null. */
    StreamMessage.@Nullable End takeEnd() {
        if (!ended || endTold) {
            return null;
        }
        endTold = true;
        return new StreamMessage.End(splitter.writtenPosition());
    }

    /** Whether the other end has everything that was written. */
    boolean isAllReceived() {
        return splitter.isAllReceived();
    }

    /** How far the other end has everything. */
    long received() {
        return splitter.receivedPosition();
    }

    void onReceived(StreamMessage.Received message, long nowNanos) {
        unacked.onReceived(message.received());
        splitter.onReceived(message.received(), message.limit());
        rate.onReceived(splitter.receivedPosition(), unacked.count() == 0, nowNanos);
    }

    void onStreamLost(int stream) {
        unacked.onStreamLost(stream);
    }

    /** Whether a stream that takes a packet would get one. */
    boolean hasNext() {
        return unacked.hasAgain() || (unacked.count() < PIECES_LIMIT && splitter.hasNext());
    }

    /** What the other end misses first, if a stream has it; or null. */
    UnackedPackets.@Nullable Head head() {
        return unacked.head();
    }

    /** Whether something is on its way. */
    boolean isUnderWay() {
        return unacked.count() > 0;
    }

    /**
     * What goes out on {@code stream} now, or null. It stays kept here.
     *
     * @param most what the stream should get at once
     * @param streams how many there are
     */
    @Nullable
    StreamPiece next(int stream, int most, int streams, long nowNanos) {
        StreamPiece again = unacked.nextAgain(stream);
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

    /** The reader at the other end is gone: nothing new is sent. */
    void readerIsGone() {
        splitter.release();
    }

    void release() {
        splitter.release();
        unacked.release();
    }
}
