package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.FrameLimits;
import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads control frames: a header, then a payload into memory that the next frame reuses unless it is large: then it is read when its
 * peer has memory left for it ({@link ReadMemory}). Until {@link #allowLongFrames} only short frames are accepted.
 *
 * <p>Thread: the channel's loop only.
 */
public final class FrameReader implements ReadTarget {
    private static final int KEPT_SCRATCH_BYTES = 64 << 10;

    private final ByteBufAllocator allocator;
    private final Consumer<ControlFrame> frames;
    private final ByteBuf header;
    private ByteBuf scratch;
    private ControlFrameCodec.@Nullable Header pending;
    private @Nullable IntFunction<ReadMemory.Claim> longFrames;
    private ReadMemory.@Nullable Claim claim;
    private @Nullable ByteBuf longPayload;
    private boolean paused;
    private int payloadLimit = FrameLimits.HANDSHAKE_PAYLOAD_BYTES;

    /** Creates a reader that gives each frame to {@code frames}; a message's buffer is valid during the call. */
    public FrameReader(ByteBufAllocator allocator, Consumer<ControlFrame> frames) {
        this.allocator = allocator;
        this.frames = frames;
        header = allocator.directBuffer(ControlFrameCodec.HEADER_BYTES, ControlFrameCodec.HEADER_BYTES);
        scratch = allocator.directBuffer(0, 0);
    }

    /**
     * Raises the limit of a frame's length.
     *
     * @param longFrames claims memory for a frame of so many bytes; when it is given later, the channel's reader must be resumed
     */
    public void allowLongFrames(IntFunction<ReadMemory.Claim> longFrames) {
        this.longFrames = longFrames;
        payloadLimit = FrameLimits.CONTROL_PAYLOAD_BYTES;
    }

    /** Pauses or resumes; after a resume the channel's reader must be resumed, too. */
    public void pause(boolean on) {
        paused = on;
    }

    @Override
    public @Nullable ByteBuf next() {
        ControlFrameCodec.Header announced = pending;
        if (announced == null) {
            return paused ? null : header;
        }
        if (claim == null) {
            return scratch;
        }
        if (longPayload == null && claim.isGiven()) {
            longPayload = allocator.directBuffer(announced.payloadLength(), announced.payloadLength());
        }
        return longPayload;
    }

    /** Detects another protocol at its first bytes, because it may never send a whole header. */
    @Override
    public void onProgress(ByteBuf memory) throws MalformedFrameException {
        if (pending == null
                && memory.readableBytes() >= ControlFrameCodec.MAGIC_BYTES
                && !ControlFrameCodec.hasMagic(memory)) {
            throw MalformedFrameException.foreignProtocol(memory);
        }
    }

    @Override
    public void onFull(ByteBuf memory) throws MalformedFrameException {
        ControlFrameCodec.Header announced = pending;
        if (announced == null) {
            onHeader(memory);
        } else {
            pending = null;
            try {
                frames.accept(ControlFrameCodec.decode(announced, memory));
            } finally {
                releaseLongPayload();
            }
        }
    }

    private void onHeader(ByteBuf memory) throws MalformedFrameException {
        onProgress(memory);
        ControlFrameCodec.Header decoded = ControlFrameCodec.decodeHeader(memory, payloadLimit);
        header.clear();
        if (decoded.payloadLength() > 0) {
            pending = decoded;
            if (decoded.payloadLength() > KEPT_SCRATCH_BYTES) {
                claim = Objects.requireNonNull(longFrames).apply(decoded.payloadLength());
            } else {
                prepareScratch(decoded.payloadLength());
            }
        } else {
            frames.accept(ControlFrameCodec.decode(decoded, header));
        }
    }

    private void prepareScratch(int length) {
        if (scratch.maxCapacity() < length) {
            scratch.release();
            scratch = allocator.directBuffer(length, Math.min(KEPT_SCRATCH_BYTES, 2 * length));
        }
        scratch.clear().capacity(length);
    }

    private void releaseLongPayload() {
        if (longPayload != null) {
            longPayload.release();
            longPayload = null;
        }
        if (claim != null) {
            ReadMemory.Claim ended = claim;
            claim = null;
            ended.release();
        }
    }

    @Override
    public void release() {
        header.release();
        scratch.release();
        releaseLongPayload();
    }
}
