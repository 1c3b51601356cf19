package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketSplitter;
import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.hawser.ptcp.stream.UnackedPackets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a byte stream: cuts what is written into packets, and keeps each until the other end has it. Memory is
 * bounded by the user's send window.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class OutboundBytes {
    static final int PIECE_BYTES = 128 << 10;

    /** Most packets that are on their way: the bound where they are tiny. */
    static final int PIECES_LIMIT = 4096;

    private final SocketSettings settings;
    private final PacketSplitter splitter =
            new PacketSplitter(PooledByteBufAllocator.DEFAULT, PIECE_BYTES, SocketSettings.DEFAULT_WINDOW_BYTES);
    private final UnackedPackets unacked = new UnackedPackets();
    private boolean ended;
    private boolean endTold;

    OutboundBytes(SocketSettings settings) {
        this.settings = settings;
    }

    /** How many bytes the window takes now. */
    long room() {
        splitter.window(settings.sendWindow());
        return splitter.room();
    }

    /** Takes a few bytes, for which there must be room; they grow together while no stream can take them. */
    void append(byte[] bytes, int offset, int length) {
        int taken = splitter.append(bytes, offset, length);
        assert taken == length;
    }

    /** Takes a whole piece, for which there must be room, and its ownership. */
    void add(ByteBuf piece) {
        splitter.add(piece);
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

    void onReceived(StreamMessage.Received message) {
        unacked.onReceived(message.received());
        splitter.onReceived(message.received(), message.limit());
    }

    void onStreamLost(int stream) {
        unacked.onStreamLost(stream);
    }

    /** What goes out on {@code stream} now, or null. It stays kept here. */
    @Nullable
    StreamPiece next(int stream) {
        StreamPiece again = unacked.nextAgain(stream);
        if (again != null || unacked.count() >= PIECES_LIMIT) {
            return again;
        }
        StreamPiece piece = splitter.next();
        if (piece != null) {
            unacked.add(piece, stream);
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
