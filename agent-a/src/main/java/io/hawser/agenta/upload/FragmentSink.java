package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.store.spool.Upload;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an upload's bytes into fragments: each buffer is filled to the fragment size and handed to the spool. Bytes are read into
 * the buffer directly; what is converted first is copied in.
 *
 * <p>There is no space while others have the buffers, while the spool has none, or while this upload alone has
 * {@link #MAX_UNSPOOLED_SHARE}th of them on its way to the disk.
 *
 * <p>A buffer that others need more is given back. What had come into it is spilled to the disk ({@link Upload#park}), and a buffer
 * is asked for again when more has come:
 *
 * <pre>
 *             a buffer              full: handed over
 *   EMPTY ───────────────► OPEN ─────────────────────► EMPTY, of the next fragment
 *     ▲  given back: empty  │ ▲
 *     └─────────────────────┤ └── LOADING ◄─┐
 *                           │               │ a buffer, when bytes have come
 *                           └─► SPILLING ► SPILLED
 * </pre>
 *
 * <p>Thread: the loop.
 */
public final class FragmentSink implements ByteSink {
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

    /** Where the bytes of the fragment are that is not full yet. */
    private enum Stage {
        /** There are none, and there is no buffer for them. */
        EMPTY,
        /** In a buffer, which takes more. */
        OPEN,
        /** On their way to be put aside. */
        SPILLING,
        /** Put aside on the disk. */
        SPILLED,
        /** They are being read back. */
        LOADING
    }

    private final BufferScheduler buffers;
    private final Upload upload;
    private final Listener listener;
    private final int maxUnspooled;
    private long index;
    private Stage stage = Stage.EMPTY;
    private @Nullable FragmentBuffer current;
    private BufferScheduler.@Nullable Hold hold;
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
            BufferScheduler buffers,
            Upload upload,
            long index,
            @Nullable FragmentBuffer partial,
            int filled,
            Listener listener) {
        this.buffers = buffers;
        this.upload = upload;
        this.index = index;
        this.filled = filled;
        this.listener = listener;
        this.maxUnspooled = Math.max(1, buffers.capacity() / MAX_UNSPOOLED_SHARE);
        if (partial != null) {
            open(partial);
        }
    }

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

    /** Whether the client waits because the spool has no space. */
    public boolean waitsForSpace() {
        return again != null && waitingForSpool;
    }

    @Override
    public boolean hasSpace() {
        return switch (stage) {
            case OPEN -> true;
            case EMPTY, SPILLED -> !over && mayHaveBuffer() && (reserved || reserve()) && obtain();
            case SPILLING, LOADING -> false;
        };
    }

    private boolean mayHaveBuffer() {
        return unspooled < maxUnspooled && !waitingForSpool;
    }

    private boolean obtain() {
        FragmentBuffer buffer = buffers.tryAcquire();
        if (buffer == null) {
            return false;
        }
        if (stage == Stage.EMPTY) {
            open(buffer);
            return true;
        }
        stage = Stage.LOADING;
        upload.unpark(index, buffer, read -> loaded(buffer, read.refusal()));
        return false;
    }

    private void open(FragmentBuffer buffer) {
        current = buffer;
        stage = Stage.OPEN;
        hold = buffers.hold(this::giveBack);
    }

    private void giveBack() {
        if (filled == 0) {
            take().release();
        } else {
            stage = Stage.SPILLING;
            FragmentBuffer buffer = Objects.requireNonNull(current);
            upload.park(index, buffer, 0, FragmentBuffer.roundUp(filled), spilled -> spilled(spilled.refusal()));
        }
    }

    private void spilled(@Nullable Refusal refusal) {
        if (stage == Stage.SPILLING) {
            take().release();
            stage = Stage.SPILLED;
            proceed(refusal);
        }
    }

    /** The buffer, which belongs to the caller now. */
    private FragmentBuffer take() {
        FragmentBuffer buffer = Objects.requireNonNull(current);
        current = null;
        stage = Stage.EMPTY;
        Objects.requireNonNull(hold).end();
        return buffer;
    }

    private void loaded(FragmentBuffer buffer, @Nullable Refusal refusal) {
        if (stage != Stage.LOADING) {
            buffer.release(); // the upload has ended meanwhile
        } else if (refusal != null) {
            buffer.release();
            refused(refusal);
        } else {
            open(buffer);
            wake();
        }
    }

    private void proceed(@Nullable Refusal refusal) {
        if (refusal != null) {
            refused(refusal);
        } else {
            wake();
        }
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
        proceed(outcome.refusal());
    }

    @Override
    public @Nullable ByteBuf space() {
        FragmentBuffer buffer = hasSpace() ? current : null;
        return buffer == null
                ? null
                : buffer.retainedPayload(filled, fragmentSizeBytes() - filled).clear();
    }

    @Override
    public boolean takesBytesFirst() {
        return switch (stage) {
            case EMPTY -> !over && mayHaveBuffer() && !buffers.isFree();
            case SPILLING, SPILLED -> !over;
            case OPEN, LOADING -> false;
        };
    }

    @Override
    public void whenSpace(Runnable run) {
        again = run;
        if (!over && mayHaveBuffer() && (stage == Stage.EMPTY || stage == Stage.SPILLED)) {
            buffers.whenFree(this::wake);
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
            handOver(take());
            index++;
            filled = 0;
        } else {
            Objects.requireNonNull(hold).touched();
        }
    }

    /** Copies bytes that were not read in place; {@link #hasSpace} was true. */
    public void copy(ByteBuf bytes, int length) {
        FragmentBuffer buffer = current;
        if (buffer == null) {
            throw new IllegalStateException("no space");
        }
        bytes.readBytes(buffer.payload(filled, length));
        received(length);
    }

    /** How many bytes {@link #copy} takes at once, 1 or more when {@link #hasSpace} is true. */
    public int room() {
        return fragmentSizeBytes() - filled;
    }

    private void handOver(FragmentBuffer buffer) {
        reserved = false;
        unspooled++;
        upload.write(index, buffer, filled, this::written);
        buffer.release();
    }

    private void written(Outcome<Long> outcome) {
        unspooled--;
        proceed(outcome.refusal());
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

    /** Gives the spool what there is of an unfinished fragment; an upload that is continued continues after it. */
    public void handOverTail() {
        switch (stage) {
            case OPEN, SPILLING -> {
                if (filled > 0) {
                    handOver(take());
                }
            }
            case SPILLED, LOADING -> {
                stage = Stage.EMPTY;
                unspooled++;
                upload.writeParked(index, filled, this::written);
            }
            case EMPTY -> {}
        }
        close();
    }

    /** Takes no more and gives back what it holds. */
    public void close() {
        over = true;
        again = null;
        if (current != null) {
            take().release();
        }
        stage = Stage.EMPTY;
    }

    private int fragmentSizeBytes() {
        return upload.manifest().fragmentSizeBytes();
    }
}
