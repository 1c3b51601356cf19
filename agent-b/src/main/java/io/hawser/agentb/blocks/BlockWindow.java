package io.hawser.agentb.blocks;

import io.hawser.core.model.FragmentRanges;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reorders blocks into the order of the file, in a bounded ring. A connection whose block is too far ahead waits, and so does the server that sends
 * it. On each connection offsets rise, so the byte that the reader waits for never follows one that has to wait.
 *
 * <p>Thread: any; one reader.
 */
final class BlockWindow {
    /** The window holds fewer blocks of an honest server; each run is on the heap. */
    static final int MAX_RUNS = 4096;

    private final byte[] ring;
    private final long end;
    private final FragmentRanges present = new FragmentRanges();
    private long position;
    private long storedNanos = System.nanoTime();
    private @Nullable IOException failure;

    /**
     * A window at the beginning of a range.
     *
     * @param end the byte after the last
     * @param capacityBytes how far ahead of the reader bytes are accepted
     */
    BlockWindow(long start, long end, int capacityBytes) {
        this.ring = new byte[(int) Math.min(capacityBytes, end - start)];
        this.position = start;
        this.end = end;
    }

    /** Stores bytes at {@code offset} of the file, when there is room. Throws the cause given to {@link #fail}. */
    synchronized void put(long offset, byte[] bytes, int length) throws IOException {
        if (offset > end - length) {
            throw new ProtocolException("the far server sends more than the file's size");
        }
        for (int done = 0; done < length; ) {
            throwFailure();
            long at = offset + done;
            if (at < position) { // sent twice
                done += (int) Math.min(length - done, position - at);
                continue;
            }
            int count = (int) Math.min(length - done, position + ring.length - at);
            if (count <= 0) {
                await(0);
                continue;
            }
            store(at, bytes, done, count);
            done += count;
        }
    }

    private void store(long at, byte[] bytes, int from, int count) throws ProtocolException {
        int place = (int) (at % ring.length);
        int first = Math.min(count, ring.length - place);
        System.arraycopy(bytes, from, ring, place, first);
        System.arraycopy(bytes, from + first, ring, 0, count - first);
        present.add(at, at + count);
        if (present.runCount() > MAX_RUNS) {
            throw new ProtocolException(
                    "the far server scatters its blocks: they leave more than " + MAX_RUNS + " gaps");
        }
        storedNanos = System.nanoTime();
        notifyAll();
    }

    /**
     * Moves the next bytes to {@code into}, one at least.
     *
     * @param silenceNanos the longest time without new bytes
     * @throws SocketTimeoutException after that
     */
    synchronized void take(ByteBuffer into, int most, long silenceNanos) throws IOException {
        long began = System.nanoTime();
        while (present.firstMissing(position) == position) {
            throwFailure();
            long quiet = System.nanoTime() - (storedNanos - began > 0 ? storedNanos : began);
            if (quiet >= silenceNanos) {
                throw new SocketTimeoutException("the far server sends no blocks");
            }
            await(TimeUnit.NANOSECONDS.toMillis(silenceNanos - quiet) + 1);
        }
        int count = (int) Math.min(most, present.firstMissing(position) - position);
        int place = (int) (position % ring.length);
        int first = Math.min(count, ring.length - place);
        into.put(ring, place, first).put(ring, 0, count - first);
        present.remove(position, position + count);
        position += count;
        notifyAll();
    }

    /** Ends the input; the first cause counts. Bytes that have arrived can still be taken. */
    synchronized void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // its callers loop
    private void await(long millis) throws IOException {
        try {
            wait(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
