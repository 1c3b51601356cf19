package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The writing user's side of a byte stream. Whole writes take turns, as they do at the JDK's sockets; what is long is copied
 * without the stream's lock.
 *
 * <p>Thread: any.
 */
final class StreamWriter {
    /** Writes up to this length are copied together while no stream can take them. */
    private static final int SMALL_BYTES = 32 << 10;

    private final ByteStream stream;
    private final ReentrantLock writing = new ReentrantLock();

    StreamWriter(ByteStream stream) {
        this.stream = stream;
    }

    /** Writes all bytes; waits while the window is full. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        writing.lock();
        try {
            for (int done = 0; done < length; ) {
                int step = Math.min(length - done, OutboundBytes.PIECE_BYTES);
                if (step <= SMALL_BYTES) {
                    writeSmall(bytes, offset + done, step);
                } else {
                    writePiece(bytes, offset + done, step);
                }
                done += step;
            }
        } finally {
            writing.unlock();
        }
    }

    private void writeSmall(byte[] bytes, int offset, int length) throws IOException {
        stream.lock.lock();
        try {
            awaitRoom(length);
            stream.out.append(bytes, offset, length);
            stream.runOnLoop();
        } finally {
            stream.lock.unlock();
        }
    }

    private void writePiece(byte[] bytes, int offset, int length) throws IOException {
        ByteBuf piece =
                PooledByteBufAllocator.DEFAULT.directBuffer(length, length).writeBytes(bytes, offset, length);
        stream.lock.lock();
        try {
            awaitRoom(length);
            stream.out.add(piece.retain());
            stream.runOnLoop();
        } finally {
            stream.lock.unlock();
            piece.release();
        }
    }

    private void awaitRoom(int length) throws IOException {
        Patience.until(stream.toWrite, Patience.FOR_EVER, () -> !stream.isWritable() || stream.out.room() >= length);
        stream.checkWritable();
    }
}
