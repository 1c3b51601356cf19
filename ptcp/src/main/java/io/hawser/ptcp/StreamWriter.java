package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketSplitter.Filling;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The output stream of a {@link PTCPSocket}. One write runs at a time, as with the JDK's sockets. Copies long writes without the stream's lock, in steps that are sent while the next is copied.
 *
 * <p>Thread: any.
 */
final class StreamWriter extends OutputStream {
    /** Up to this length a copy costs less than releasing the lock. */
    private static final int SMALL_BYTES = 8 << 10;

    /** The step of a long write, so that copying and sending overlap. */
    private static final int STEP_BYTES = 256 << 10;

    private final ByteStream stream;
    private final ReentrantLock writing = new ReentrantLock();

    StreamWriter(ByteStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /** Writes all bytes; blocks while the window is full. */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
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
        Filling place = stream.out.splitter.prepare(wanted);
        boolean isFilled = false;
        try {
            fill(place, bytes, offset);
            stream.checkWritable(); // the session may have ended meanwhile
            isFilled = true;
        } finally {
            if (isFilled) {
                stream.out.splitter.publish(place);
            } else {
                stream.out.splitter.drop(place);
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
