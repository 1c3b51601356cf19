package io.hawser.agentb.blocks;

import io.hawser.core.ftp.BlockHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The transfer of one file over {@link BlockConnectionListener}. It is complete after an EOF block and as many EODs as that block announces, in any order.
 *
 * <p>Thread: any; one reader.
 */
public final class BlockTransfer {
    private static final int STEP_BYTES = 64 << 10;
    private static final long UNKNOWN = -1;

    private final BlockWindow window;
    private long expectedEnds = UNKNOWN;
    private long ends;
    private boolean dialled;
    private boolean failed;

    /**
     * A transfer of the bytes from {@code start} to before {@code end}.
     *
     * @param windowBytes how far ahead of the reader bytes are accepted
     */
    public BlockTransfer(long start, long end, int windowBytes) {
        this.window = new BlockWindow(start, end, windowBytes);
    }

    /** As {@link BlockWindow#take}. */
    public void take(ByteBuffer into, int most, long silenceNanos) throws IOException {
        window.take(into, most, silenceNanos);
    }

    /** Fails the transfer; the first cause counts. */
    public void fail(IOException cause) {
        window.fail(cause);
        synchronized (this) {
            failed = true;
            notifyAll();
        }
    }

    synchronized void dialled() {
        dialled = true;
        notifyAll();
    }

    /** Reads the payload of a block into the window. */
    void readBlock(BlockHeader header, InputStream in) throws IOException {
        byte[] step = new byte[(int) Math.min(STEP_BYTES, header.payloadBytes())];
        for (long done = 0; done < header.payloadBytes(); ) {
            int count = in.read(step, 0, (int) Math.min(step.length, header.payloadBytes() - done));
            if (count < 0) {
                throw new EOFException("a data connection ended within a block");
            }
            window.put(header.offset() + done, step, count);
            done += count;
        }
    }

    synchronized void countEnds(BlockHeader header) throws ProtocolException {
        if (header.isEof()) {
            expectedEnds = header.offset();
        }
        if (header.isEod()) {
            ends++;
        }
        if (expectedEnds != UNKNOWN && ends > expectedEnds) {
            throw new ProtocolException(ends + " data connections have sent EOD; EOF announced " + expectedEnds);
        }
        if (isComplete()) {
            window.fail(new EOFException(
                    "The far server ended the file early")); // a reader that still waits would wait in vain
        }
        notifyAll();
    }

    private boolean isComplete() {
        return ends == expectedEnds;
    }

    /** Whether the connections may end: every EOD has arrived, or the transfer has failed. */
    synchronized boolean isOver() {
        return isComplete() || failed;
    }

    /** Waits until the server has dialled a connection. Returns false if none came in time, or the transfer failed before. */
    public synchronized boolean awaitDialled(long millis) throws IOException {
        return awaitUntil(() -> dialled || failed, millis) && dialled;
    }

    /** Waits until every EOD has arrived; whether it has. */
    public synchronized boolean awaitEnd(long millis) throws IOException {
        return awaitUntil(this::isOver, millis) && !failed;
    }

    private boolean awaitUntil(BooleanSupplier condition, long millis) throws IOException {
        long began = System.nanoTime();
        try {
            for (long left = millis; !condition.getAsBoolean() && left > 0; ) {
                wait(left);
                left = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return condition.getAsBoolean();
    }
}
