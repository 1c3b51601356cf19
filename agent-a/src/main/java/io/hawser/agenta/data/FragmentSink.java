package io.hawser.agenta.data;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.spool.Upload;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an upload's bytes into fragments: each buffer of the pool is filled to the fragment size and handed to the spool. Bytes
 * are read into the buffer directly; what an {@link AsciiSink} makes of them is copied in.
 *
 * <p>There is no space while the pool is empty, while the spool has none, or while this upload alone has
 * {@link #MAX_UNSPOOLED_SHARE}th of the pool on its way to the disk.
 *
 * <p>Thread: the loop.
 */
public final class FragmentSink implements DataSink {
    /** One upload takes at most the pool's capacity divided by this, so that others, and the way out, have buffers too. */
    static final int MAX_UNSPOOLED_SHARE = 2;

    /** What the owner of an upload wants to know. */
    public interface Listener {
        /** All bytes have come, and the last fragment was handed to the spool. */
        void uploadEnded();

        /** The connection broke. What was complete is in the spool; the fragment that was not has been handed to it too. */
        void uploadBroken(Throwable cause);

        /** The spool refused a fragment. Nothing more is read. */
        void uploadRefused(Refusal refusal);
    }

    private final EventLoop loop;
    private final FragmentBufferPool pool;
    private final Upload upload;
    private final Listener listener;
    private final int maxUnspooled;
    private long index;
    private @Nullable FragmentBuffer current;
    private int filled;
    private boolean reserved;
    private boolean waitingForSpool;
    private int unspooled;
    private long receivedBytes;
    private boolean over;
    private boolean refusalTold;
    private @Nullable Runnable again;

    /** Cuts {@code upload}, whose bytes begin at fragment {@code index}, of which {@code partial} has {@code filled} bytes. */
    public FragmentSink(
            EventLoop loop,
            FragmentBufferPool pool,
            Upload upload,
            long index,
            @Nullable FragmentBuffer partial,
            int filled,
            Listener listener) {
        this.loop = loop;
        this.pool = pool;
        this.upload = upload;
        this.index = index;
        this.current = partial;
        this.filled = filled;
        this.listener = listener;
        this.maxUnspooled = Math.max(1, pool.capacity() / MAX_UNSPOOLED_SHARE);
    }

    /** Bytes received so far. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Where the object ends if nothing more comes. */
    public long endPositionBytes() {
        return index * fragmentSizeBytes() + filled;
    }

    /** Whether the client is waiting for this node, and not the other way round. */
    public boolean isHeldBack() {
        return again != null;
    }

    @Override
    public boolean hasSpace() {
        if (over) {
            return false;
        }
        if (current != null) {
            return true;
        }
        if (unspooled >= maxUnspooled || waitingForSpool) {
            return false;
        }
        if (!reserved && !reserve()) {
            return false;
        }
        current = pool.tryAcquire();
        return current != null;
    }

    private boolean reserve() {
        reserved = upload.reserve();
        if (!reserved) {
            waitingForSpool = true;
            upload.whenSpace(this::spoolHasSpace);
        }
        return reserved;
    }

    private void spoolHasSpace(Outcome<Upload> outcome) {
        waitingForSpool = false;
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refused(refusal);
        } else {
            wake();
        }
    }

    @Override
    public @Nullable ByteBuf space() {
        FragmentBuffer buffer = hasSpace() ? current : null;
        return buffer == null
                ? null
                : buffer.retainedPayload(filled, fragmentSizeBytes() - filled).clear();
    }

    @Override
    public void whenSpace(Runnable run) {
        again = run;
        if (!over && !waitingForSpool && unspooled < maxUnspooled) {
            pool.whenAvailable(() -> loop.execute(this::wake));
        }
    }

    private void wake() {
        Runnable run = again;
        again = null;
        if (run != null && !over) {
            run.run();
        }
    }

    @Override
    public void received(int length) {
        filled += length;
        receivedBytes += length;
        if (filled == fragmentSizeBytes()) {
            handOver();
            index++;
            filled = 0;
        }
    }

    /** Copies bytes that were not read in place; {@link #hasSpace} was true. */
    void copy(ByteBuf bytes, int length) {
        FragmentBuffer buffer = current;
        if (buffer == null) {
            throw new IllegalStateException("no space");
        }
        bytes.readBytes(buffer.payload(filled, length));
        received(length);
    }

    /** How many bytes {@link #copy} takes at once, 1 or more when {@link #hasSpace} is true. */
    int room() {
        return fragmentSizeBytes() - filled;
    }

    private void handOver() {
        FragmentBuffer buffer = current;
        if (buffer == null) {
            return;
        }
        current = null;
        reserved = false;
        unspooled++;
        upload.write(index, buffer, filled, this::written);
        buffer.release();
    }

    private void written(Outcome<Long> outcome) {
        unspooled--;
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refused(refusal);
        } else {
            wake();
        }
    }

    /** Also when all bytes have come: the last of them may still be on their way to the disk. */
    private void refused(Refusal refusal) {
        if (!refusalTold) {
            refusalTold = true;
            close();
            listener.uploadRefused(refusal);
        }
    }

    @Override
    public void ended() {
        handOverTail();
        listener.uploadEnded();
    }

    @Override
    public void broken(Throwable cause) {
        handOverTail();
        listener.uploadBroken(cause);
    }

    /** Gives the spool what there is of an unfinished fragment; an upload that is continued goes on behind it. */
    public void handOverTail() {
        if (filled > 0) {
            handOver();
        }
        close();
    }

    /** Takes no more and gives back what it holds. */
    public void close() {
        over = true;
        again = null;
        if (current != null) {
            current.release();
            current = null;
        }
    }

    private int fragmentSizeBytes() {
        return upload.manifest().fragmentSizeBytes();
    }
}
