package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.MalformedFrameException;
import io.hawser.ptcp.wire.PacketCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets of a data channel, each payload straight into the memory that the {@link PacketSink} returns.
 *
 * <pre>
 *   PREAMBLE ──► (CLAIM ──► REST) ──► ASK ──► PAYLOAD ──► PREAMBLE …
 *       └──────► ENDED                 │ no memory: pause, and ask the sink again
 *                                      ├ not wanted: DROP ──► PREAMBLE
 *                                      └ no payload: the packet is complete
 * </pre>
 *
 * <p>A header that is too long for the preamble is read when its peer has memory left for it ({@link ReadMemory}).
 *
 * <p>Thread: the channel's loop only.
 */
public final class PacketReader implements ReadTarget {
    private static final int DROPPED_BYTES = 64 << 10;

    private enum Step {
        PREAMBLE,
        CLAIM,
        REST,
        ASK,
        PAYLOAD,
        DROP,
        ENDED
    }

    /** Takes the bytes of all packets that are not wanted. Nobody reads it; each reader needs a view of its own. */
    private static final ByteBuffer DROPPED = ByteBuffer.allocateDirect(DROPPED_BYTES);

    private final ByteBufAllocator allocator;
    private final PacketSink sink;
    private final IntFunction<ReadMemory.Claim> longHeaders;
    private final ByteBuf preamble;
    private final ByteBuf inlineHeader;
    private ReadMemory.@Nullable Claim claim;
    private @Nullable ByteBuf longHeader;
    private @Nullable ByteBuf payload;
    private int headerLength;
    private int payloadLength;
    /** Bytes of a packet that is not wanted that have yet to come. */
    private int toDrop;

    private Step step = Step.PREAMBLE;
    private boolean released;

    /**
     * Creates a reader at the beginning of a packet.
     *
     * @param longHeaders claims memory for a header of so many bytes; when it is given later, the channel's reader must be resumed
     */
    public PacketReader(ByteBufAllocator allocator, PacketSink sink, IntFunction<ReadMemory.Claim> longHeaders) {
        this.allocator = allocator;
        this.sink = sink;
        this.longHeaders = longHeaders;
        preamble = allocator.directBuffer(PacketCodec.PREAMBLE_BYTES, PacketCodec.PREAMBLE_BYTES);
        inlineHeader = preamble.slice(PacketCodec.INLINE_OFFSET, PacketCodec.INLINE_HEADER_BYTES);
    }

    @Override
    public @Nullable ByteBuf next() throws MalformedFrameException {
        if (step == Step.CLAIM) {
            beginRest();
        } else if (step == Step.ASK) {
            ask();
        }
        return switch (step) {
            case PREAMBLE, ENDED -> preamble;
            case REST -> longHeader;
            case CLAIM, ASK -> null;
            case PAYLOAD, DROP -> payload;
        };
    }

    private void beginRest() {
        if (claim != null && claim.isGiven()) {
            longHeader = allocator
                    .directBuffer(headerLength + PacketCodec.REST_CRC_BYTES)
                    .writeBytes(preamble, PacketCodec.INLINE_OFFSET, PacketCodec.INLINE_HEADER_BYTES);
            step = Step.REST;
        }
    }

    @SuppressWarnings("ReferenceEquality") // other memory may be empty too
    private void ask() {
        ByteBuf memory = sink.memoryFor(header(), payloadLength);
        if (memory == null) {
            return;
        }
        if (memory == PacketSink.DISCARD) {
            toDrop = payloadLength;
            step = Step.DROP;
            drop();
            return;
        }
        if (memory.writableBytes() != payloadLength) {
            int writable = memory.writableBytes();
            memory.release();
            throw new IllegalStateException(
                    "memory of " + writable + " bytes was given for a payload of " + payloadLength);
        }
        payload = memory;
        step = Step.PAYLOAD;
        if (payloadLength == 0) {
            complete(memory);
        }
    }

    @Override
    public void onFull(ByteBuf memory) throws MalformedFrameException {
        switch (step) {
            case PREAMBLE -> onPreamble();
            case REST -> {
                PacketCodec.checkRest(memory, headerLength);
                step = Step.ASK;
            }
            case PAYLOAD -> complete(memory);
            case DROP -> {
                toDrop -= memory.writerIndex();
                drop();
            }
            case ENDED -> throw new MalformedFrameException("a data channel carries bytes after its end");
            case CLAIM, ASK -> throw new IllegalStateException("bytes arrived while none were wanted");
        }
    }

    private void onPreamble() throws MalformedFrameException {
        PacketCodec.Preamble decoded = PacketCodec.decode(preamble);
        headerLength = decoded.headerLength();
        payloadLength = decoded.payloadLength();
        if (decoded.isEnd()) {
            preamble.clear();
            step = Step.ENDED;
            sink.onEnd();
        } else if (decoded.restLength() > 0) {
            claim = longHeaders.apply(headerLength + PacketCodec.REST_CRC_BYTES);
            step = Step.CLAIM;
        } else {
            step = Step.ASK;
        }
    }

    /** Reads what is not wanted piece by piece into memory that all readers share. */
    private void drop() {
        if (toDrop > 0) {
            releasePayload();
            payload = Unpooled.wrappedBuffer(DROPPED.slice(0, Math.min(toDrop, DROPPED_BYTES)))
                    .clear();
            return;
        }
        releasePayload();
        try {
            sink.onDiscarded(payloadLength);
        } finally {
            nextPacket();
        }
    }

    private ByteBuf header() {
        ByteBuf whole = longHeader == null ? inlineHeader : longHeader;
        return whole.setIndex(0, headerLength);
    }

    private void complete(ByteBuf memory) {
        payload = null;
        try {
            sink.onPacket(header(), memory);
        } finally {
            memory.release();
            nextPacket();
        }
    }

    private void nextPacket() {
        releaseHeader();
        if (!released) {
            preamble.clear();
            step = Step.PREAMBLE;
        }
    }

    private void releaseHeader() {
        if (longHeader != null) {
            longHeader.release();
            longHeader = null;
        }
        if (claim != null) {
            ReadMemory.Claim ended = claim;
            claim = null;
            ended.release();
        }
    }

    @Override
    public void release() {
        if (released) {
            return;
        }
        released = true;
        preamble.release();
        releaseHeader();
        releasePayload();
    }

    private void releasePayload() {
        if (payload != null) {
            payload.release();
            payload = null;
        }
    }
}
