package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The input stream of a {@link PTCPSocket}. One read runs at a time, as with the JDK's sockets. Copies bytes without the stream's lock.
 *
 * <p>Thread: any.
 */
final class StreamReader extends InputStream {
    private final ByteStream stream;
    private final ReentrantLock reading = new ReentrantLock();
    private boolean endSeen;

    StreamReader(ByteStream stream) {
        this.stream = stream;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }

    /** Blocks until at least one byte is there; returns the number of bytes read, or -1 at the end. */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        reading.lock();
        try {
            int count = 0;
            for (ByteBuf next = first(length); next != null; next = more(length - count)) {
                int step = next.readableBytes();
                next.readBytes(bytes, offset + count, step).release();
                count += step;
            }
            return count == 0 ? -1 : count;
        } finally {
            reading.unlock();
        }
    }

    /** Waits for bytes; null at the end. */
    private @Nullable ByteBuf first(int most) throws IOException {
        ByteStreamReceiver in = stream.in;
        stream.lock.lock();
        try {
            if (endSeen) {
                return null;
            }
            boolean inTime = UninterruptibleWait.until(
                    stream.toRead,
                    stream.settings().timeoutNanos(),
                    () -> stream.isClosed() || !in.isEmpty() || in.isAtEnd() || stream.isOver());
            if (!inTime) {
                throw new SocketTimeoutException("Read timed out");
            }
            stream.checkOpen();
            if (!in.isEmpty()) {
                return take(most);
            } else if (!in.isAtEnd()) {
                throw stream.lost("Connection reset");
            }
            endSeen = true;
            return null;
        } finally {
            stream.lock.unlock();
        }
    }

    /** The next bytes that need no wait, or null. */
    private @Nullable ByteBuf more(int most) {
        stream.lock.lock();
        try {
            return most == 0 || stream.isClosed() || stream.in.isEmpty() ? null : take(most);
        } finally {
            stream.lock.unlock();
        }
    }

    private ByteBuf take(int most) {
        ByteBuf taken = stream.in.take(most);
        if (stream.in.isWindowUpdateDue()) {
            stream.runOnLoop();
        }
        return taken;
    }
}
