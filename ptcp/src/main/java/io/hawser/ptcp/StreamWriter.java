package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketSplitter.Filling;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The write side of a byte stream, for user threads. Whole writes take turns, as they do at the JDK's sockets; what is long is
 * copied without the stream's lock, and sent while the rest is copied.
 *
 * <p>Thread: any.
 */
final class StreamWriter {
    /** Up to here copying costs less than to give the lock away. */
    private static final int SMALL_BYTES = 8 << 10;

    /** A long write goes out in steps, so that copying and sending overlap. */
    private static final int STEP_BYTES = 256 << 10;

    private final ByteStream stream;
    private final ReentrantLock writing = new ReentrantLock();

    StreamWriter(ByteStream stream) {
        this.stream = stream;
    }

    /** Writes all bytes; waits while the window is full. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        writing.lock();
        try {
            stream.lock.lock();
            try {
                for (int done = 0; done < length; ) {
                    done += step(bytes, offset + done, Math.min(length - done, STEP_BYTES));
                }
            } finally {
                stream.lock.unlock();
            }
        } finally {
            writing.unlock();
        }
    }

    private int step(byte[] bytes, int offset, int wanted) throws IOException {
        UninterruptibleWait.until(
                stream.toWrite, UninterruptibleWait.FOR_EVER, () -> !stream.isWritable() || stream.out.hasRoom(wanted));
        stream.checkWritable();
        Filling place = stream.out.prepare(wanted);
        boolean isFilled = false;
        try {
            fill(place, bytes, offset);
            stream.checkWritable(); // it may have ended meanwhile
            isFilled = true;
        } finally {
            if (isFilled) {
                stream.out.publish(place);
            } else {
                stream.out.drop(place);
            }
        }
        stream.runOnLoop();
        return place.length();
    }

    private void fill(Filling place, byte[] bytes, int offset) {
        if (place.length() <= SMALL_BYTES) {
            place.put(bytes, offset);
            return;
        }
        stream.lock.unlock();
        try {
            place.put(bytes, offset);
        } finally {
            stream.lock.lock();
        }
    }
}
