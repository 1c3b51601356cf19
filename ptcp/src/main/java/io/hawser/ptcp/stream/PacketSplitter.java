package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a writer writes into pieces. Small writes grow together while no stream can take them. What is written and not
 * yet received at the other end is never more than the window.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class PacketSplitter {
    private static final int FIRST_CAPACITY = 512;

    private final ByteBufAllocator allocator;
    private final int pieceBytes;
    private long windowBytes;
    private final Deque<StreamPiece> full = new ArrayDeque<>();
    private @Nullable ByteBuf open;
    private long openPosition;
    private long writtenPosition;
    private long receivedPosition;
    private long limit = StreamMessage.INITIAL_LIMIT;

    /**
     * Creates a splitter at position 0.
     *
     * @param pieceBytes longest piece, at most half of any limit that the other end gives at once
     * @param windowBytes most bytes that are written and not received
     */
    public PacketSplitter(ByteBufAllocator allocator, int pieceBytes, long windowBytes) {
        this.allocator = allocator;
        this.pieceBytes = pieceBytes;
        this.windowBytes = windowBytes;
    }

    /** Sets another window; what was taken already stays. */
    public void window(long bytes) {
        windowBytes = bytes;
    }

    /** How many bytes the window takes now. */
    public long room() {
        return Math.max(0, windowBytes - (writtenPosition - receivedPosition));
    }

    /** Takes bytes of the writer, as many as the window allows; returns how many. */
    public int append(byte[] bytes, int offset, int length) {
        int taken = (int) Math.min(length, room());
        for (int done = 0; done < taken; ) {
            ByteBuf piece = openPiece(taken - done);
            int step = Math.min(taken - done, pieceBytes - piece.readableBytes());
            piece.writeBytes(bytes, offset + done, step);
            done += step;
            writtenPosition += step;
            if (piece.readableBytes() == pieceBytes) {
                full.add(new StreamPiece(openPosition, piece));
                open = null;
            }
        }
        return taken;
    }

    /** Takes a piece of 1 byte to the longest, within the window, as it is. Takes ownership. */
    public void add(ByteBuf piece) {
        if (open != null) {
            full.add(new StreamPiece(openPosition, open));
            open = null;
        }
        full.add(new StreamPiece(writtenPosition, piece));
        writtenPosition += piece.readableBytes();
    }

    private ByteBuf openPiece(int wanted) {
        ByteBuf piece = open;
        if (piece == null) {
            piece = allocator.directBuffer(Math.min(pieceBytes, Math.max(FIRST_CAPACITY, wanted)), pieceBytes);
            open = piece;
            openPosition = writtenPosition;
        }
        return piece;
    }

    /** The next piece within the limit, or null. The caller owns it. */
    public @Nullable StreamPiece next() {
        StreamPiece first = full.peek();
        if (first != null) {
            return first.end() <= limit ? full.poll() : null;
        }
        ByteBuf piece = open;
        if (piece == null || openPosition + piece.readableBytes() > limit) {
            return null;
        }
        open = null;
        return new StreamPiece(openPosition, piece);
    }

    /** The other end has everything before {@code received}, and allows bytes up to {@code newLimit}. */
    public void onReceived(long received, long newLimit) {
        receivedPosition = Math.max(receivedPosition, Math.min(received, writtenPosition));
        limit = Math.max(limit, newLimit);
    }

    /** Up to where the other end has everything. */
    public long receivedPosition() {
        return receivedPosition;
    }

    /** Behind the last byte that was written. */
    public long writtenPosition() {
        return writtenPosition;
    }

    /** Whether the other end has everything that was written. */
    public boolean isAllReceived() {
        return receivedPosition == writtenPosition;
    }

    /** Drops what was not sent. */
    public void release() {
        full.forEach(piece -> piece.bytes().release());
        full.clear();
        if (open != null) {
            open.release();
            open = null;
        }
    }
}
