package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a writer's bytes in blocks and cuts packets from them when a stream can take one, up to the length that the stream wants. Bytes
 * that the peer did not receive are at most the window; their memory is at most a block more.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class PacketSplitter {
    private static final int LEAST_BLOCK_BYTES = 4 << 10;

    private final IntFunction<ByteBuf> memory;
    private final int blockBytes;
    private long windowBytes;
    /** Blocks with bytes to send; the last one may still be filled. */
    private final Deque<SendBufferBlock> blocks = new ArrayDeque<>();

    private @Nullable SendBufferBlock open;
    private @Nullable Filling filling;
    private long cutPosition;
    private long writtenPosition;
    private long receivedPosition;
    private long limit = StreamMessage.INITIAL_LIMIT;

    /**
     * Creates a splitter at position 0.
     *
     * @param memory makes empty buffers of a length
     * @param blockBytes longest block, and so the longest packet
     * @param windowBytes most bytes that are written and not received
     */
    public PacketSplitter(IntFunction<ByteBuf> memory, int blockBytes, long windowBytes) {
        this.memory = memory;
        this.blockBytes = blockBytes;
        this.windowBytes = windowBytes;
    }

    /**
     * Memory for the next bytes. The writer fills it, with or without the lock, and passes it to {@link #publish} or {@link #drop}. It stays
     * valid when the splitter is released meanwhile.
     */
    public static final class Filling {
        private final SendBufferBlock block;
        private final int length;

        private Filling(SendBufferBlock block, int length) {
            this.block = block;
            this.length = length;
            block.retain();
        }

        /** Its length in bytes, at least one. */
        public int length() {
            return length;
        }

        /** Copies {@link #length} bytes. */
        public void put(byte[] bytes, int offset) {
            block.put(bytes, offset, length);
        }
    }

    /** Changes the window. Bytes above a smaller one stay. */
    public void window(long bytes) {
        windowBytes = bytes;
    }

    /** Free bytes of the window. */
    public long room() {
        return Math.max(0, windowBytes - (writtenPosition - receivedPosition));
    }

    /**
     * Reserves at most {@code wanted} bytes after those that were written. The window must have room, and no other reservation may be open.
     */
    public Filling prepare(int wanted) {
        int allowed = (int) Math.min(wanted, room());
        SendBufferBlock block = open;
        if (block == null) {
            block = newBlock(allowed);
            blocks.add(block);
            open = block;
        }
        Filling place = new Filling(block, Math.min(allowed, block.place()));
        filling = place;
        return place;
    }

    /** As long as this write or twice the bytes in flight: little memory for a slow writer, few blocks for a fast one. */
    private SendBufferBlock newBlock(int wanted) {
        long likely = Math.max(wanted, 2 * (writtenPosition - receivedPosition));
        long capacity = Long.highestOneBit(Math.max(LEAST_BLOCK_BYTES, 2 * likely - 1));
        return new SendBufferBlock(memory.apply((int) Math.min(blockBytes, capacity)));
    }

    /** Adds filled memory to the stream, unless the splitter was released meanwhile. */
    public void publish(Filling filled) {
        SendBufferBlock block = filled.block;
        if (filling == filled) {
            block.publish(filled.length);
            writtenPosition += filled.length;
            if (block.isFull()) {
                open = null;
            }
        }
        drop(filled);
    }

    /** Discards a reservation. */
    public void drop(Filling unused) {
        if (filling == unused) {
            filling = null;
        }
        unused.block.release();
    }

    /** Whether a packet can be cut within the limit. */
    public boolean hasNext() {
        SendBufferBlock first = blocks.peek();
        return first != null && first.waiting() > 0 && cutPosition < limit;
    }

    /**
     * The next packet within the limit, or null. The caller owns it.
     *
     * @param most its longest, at least 1
     */
    public @Nullable StreamPiece next(int most) {
        SendBufferBlock first = blocks.peek();
        long allowed = first == null ? 0 : Math.min(Math.min(most, first.waiting()), limit - cutPosition);
        if (first == null || allowed <= 0) {
            return null;
        }
        StreamPiece piece = new StreamPiece(cutPosition, first.cut((int) allowed));
        cutPosition += allowed;
        if (first.waiting() == 0 && first != open) {
            blocks.remove();
            first.release();
        }
        return piece;
    }

    /** The peer has everything before {@code received}, and allows bytes up to {@code newLimit}. */
    public void onReceived(long received, long newLimit) {
        receivedPosition = Math.max(receivedPosition, Math.min(received, writtenPosition));
        limit = Math.max(limit, newLimit);
        SendBufferBlock last = open;
        if (last != null && filling == null && isAllReceived()) { // an idle stream holds no memory
            open = null;
            blocks.remove(last);
            last.release();
        }
    }

    /** The peer has everything before this position. */
    public long receivedPosition() {
        return receivedPosition;
    }

    /** The position after the last written byte. */
    public long writtenPosition() {
        return writtenPosition;
    }

    /** Whether the peer has everything that was written. */
    public boolean isAllReceived() {
        return receivedPosition == writtenPosition;
    }

    /** Drops what was not sent. */
    public void release() {
        blocks.forEach(SendBufferBlock::release);
        blocks.clear();
        open = null;
        filling = null;
    }
}
