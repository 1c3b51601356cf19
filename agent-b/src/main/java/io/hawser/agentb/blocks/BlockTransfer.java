package io.hawser.agentb.blocks;

import io.hawser.core.ftp.BlockHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * One file on its way over {@link BlockConnections}. All its data are here when an EOF block has come and as many EODs as that one says,
 * in any order.
 *
 * <p>Thread: any; one reader.
 */
public final class BlockTransfer {
    private static final int STEP_BYTES = 64 << 10;
    private static final long NOT_TOLD = -1;

    private final BlockWindow window;
    private long expectedEnds = NOT_TOLD;
    private long ends;
    private boolean dialled;
    private boolean broken;

    /**
     * A transfer of the bytes from {@code start} to before {@code end}.
     *
     * @param windowBytes how far ahead of the reader bytes are taken
     */
    public BlockTransfer(long start, long end, int windowBytes) {
        this.window = new BlockWindow(start, end, windowBytes);
    }

    /** As {@link BlockWindow#take}. */
    public void take(ByteBuffer into, int most, long silenceNanos) throws IOException {
        window.take(into, most, silenceNanos);
    }

    /** The transfer has failed; the first reason counts. */
    public void fail(IOException cause) {
        window.fail(cause);
        synchronized (this) {
            broken = true;
            notifyAll();
        }
    }

    /** A connection is there. */
    synchronized void dialled() {
        dialled = true;
        notifyAll();
    }

    /** Reads a block's data. */
    void block(BlockHeader header, InputStream in) throws IOException {
        byte[] step = new byte[(int) Math.min(STEP_BYTES, header.payloadBytes())];
        for (long done = 0; done < header.payloadBytes(); ) {
            int count = in.read(step, 0, (int) Math.min(step.length, header.payloadBytes() - done));
            if (count < 0) {
                throw new EOFException("a block was cut off");
            }
            window.put(header.offset() + done, step, count);
            done += count;
        }
    }

    /** What a header says of the end. */
    synchronized void ends(BlockHeader header) throws ProtocolException {
        if (header.isEof()) {
            expectedEnds = header.offset();
        }
        if (header.isEod()) {
            ends++;
        }
        if (expectedEnds != NOT_TOLD && ends > expectedEnds) {
            throw new ProtocolException(ends + " connections have ended, and there were to be " + expectedEnds);
        }
        if (isComplete()) {
            window.fail(new EOFException("The far server ended the file early")); // whoever waits now waits in vain
        }
        notifyAll();
    }

    private boolean isComplete() {
        return ends == expectedEnds;
    }

    /** Whether the connections may end: every EOD is here. */
    synchronized boolean isOver() {
        return isComplete() || broken;
    }

    /** Waits until the server has dialled a connection. Returns false if none came in time, or the transfer failed before. */
    public synchronized boolean awaitDialled(long millis) throws IOException {
        return awaitUntil(() -> dialled || broken, millis) && dialled;
    }

    /** Waits until every EOD is here. */
    public synchronized boolean awaitEnd(long millis) throws IOException {
        return awaitUntil(this::isOver, millis) && !broken;
    }

    private interface Condition {
        boolean holds();
    }

    private boolean awaitUntil(Condition condition, long millis) throws IOException {
        long began = System.nanoTime();
        try {
            for (long left = millis; !condition.holds() && left > 0; ) {
                wait(left);
                left = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return condition.holds();
    }
}
